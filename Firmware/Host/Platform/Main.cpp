// The entry point: waits for the board, then runs the sketch.
#include "../Runtime/Cores.h"
#include "../Runtime/Heap.h"
#include "../Runtime/Runtime.h"
#include "Arduino.h"
#include "Sandbox.h"

namespace espbench {
void openConsole();
}

namespace {

/// Runs before the constructors of the sketch's globals, which may use Serial and the clock.
__attribute__((constructor(101))) void boot() {
  espbench::mapChannel();
  espbench::installFaultHandlers();
  espbench::closeSandbox();
  espbench::waitForStart();
  espbench::openConsole();
  espbench::openHeap(espbench::startInformation().chip_model);
}

}  // namespace

// arduino-esp32's main.cpp
namespace {

constexpr unsigned kLoopPriority = 1;
constexpr int kLoopCore = 1;  // CONFIG_ARDUINO_RUNNING_CORE

void loopTask(void*) {
  setup();
  for (;;) {
    uint64_t turns = espbench::turnCount(), waits = espbench::waits;
    loop();
    // A loop() that did not wait takes a tick.
    if (loopTaskWDTEnabled) espbench::feedWatchdog(espbench::currentTask());
    if (espbench::turnCount() == turns && espbench::waits == waits) {
      espbench::spendTurn(espbench::kTickNanoseconds);
    }
  }
}

}  // namespace

__attribute__((weak)) size_t getArduinoLoopTaskStackSize() { return 8192; }

TaskHandle_t loopTaskHandle = nullptr;
bool loopTaskWDTEnabled = false;

int main() {
  xTaskCreateUniversal(loopTask, "loopTask", getArduinoLoopTaskStackSize(), nullptr, kLoopPriority,
                       &loopTaskHandle, kLoopCore);
  espbench::startScheduler();
}
