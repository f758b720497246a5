// The entry point: restricts the process, waits for the board, then runs the sketch.
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "../Runtime/Cores.h"
#include "../Runtime/Heap.h"
#include "../Runtime/Runtime.h"
#include "Arduino.h"

namespace espbench {
void openConsole();
}

namespace {

void setLimit(__rlimit_resource_t resource, rlim_t value) {
  struct rlimit limits = {value, value};
  setrlimit(resource, &limits);
}

/// Runs before the constructors of the sketch's globals, which may use Serial and the clock.
__attribute__((constructor(101))) void boot() {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  setLimit(RLIMIT_CORE, 0);
  setLimit(RLIMIT_FSIZE, 0);
  setLimit(RLIMIT_NPROC, 0);
#ifndef __SANITIZE_ADDRESS__
  // AddressSanitizer's shadow takes more.
  setLimit(RLIMIT_DATA, 64u << 20);
  setLimit(RLIMIT_AS, 512u << 20);
#endif
  espbench::mapChannel();
  // AddressSanitizer reads /proc/self/maps for its reports.
#ifdef __SANITIZE_ADDRESS__
  setLimit(RLIMIT_NOFILE, 8);
#else
  setLimit(RLIMIT_NOFILE, 3);
#endif
  espbench::installFaultHandlers();
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
