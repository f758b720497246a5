// The task in which callbacks run, as in NimBLE's host.
#include "HostTask.h"

#include <cstdlib>

#include "../Runtime/Runtime.h"
#include "Links.h"
#include "NimBLEServer.h"

namespace {

// NimBLE-Arduino's nimconfig.h: CONFIG_BT_NIMBLE_TASK_STACK_SIZE, CONFIG_BT_NIMBLE_PINNED_TO_CORE;
// nimble_port_freertos_init: configMAX_PRIORITIES - 4.
constexpr size_t kStack = 4096;
constexpr int kCore = 0;
constexpr unsigned kPriority = espbench::kPriorities - 4;

/// The heap that controller and host use in addition to the task: 19,096 bytes in all, from the
/// figures before and after in espressif/esp-idf issue 8136.
constexpr size_t kControllerMemory = 14612;

constexpr uint64_t kStopTimeout = 2000000000;  // CONFIG_BT_NIMBLE_HS_STOP_TIMEOUT_MS

espbench::Task* hostTask;
bool isInCallback;
espbench::WaitList callbackWaiters;
void* controllerMemory;

void run(void*) {
  for (;;) {
    cfc_message message;
    const uint8_t* payload;
    while (espbench::takeMessage(message, payload)) {
      isInCallback = true;
      cfc_callback_done done = {espbench::runCallback(message.type, payload, message.length), 0};
      espbench::send(CFC_CALLBACK_DONE, &done, sizeof done);
      isInCallback = false;
      while (espbench::wakeFirst(callbackWaiters) != nullptr) espbench::reschedule();
    }
    espbench::waitIn(espbench::messageWaiters, espbench::kForEver);
  }
}

}  // namespace

bool espbench::hasHostMutex;
bool espbench::isHostEnabled;

bool espbench::startHostTask() {
  hasHostMutex = true;
  if (hostTask != nullptr) return true;
  controllerMemory = malloc(kControllerMemory);
  if (controllerMemory != nullptr) {
    hostTask = createTask(run, "nimble_host", kStack, nullptr, kPriority, kCore);
  }
  if (hostTask == nullptr) free(controllerMemory);
  return hostTask != nullptr;
}

void espbench::stopHostTask() {
  if (hostTask == nullptr) return;
  deleteTask(hostTask);
  hostTask = nullptr;
  free(controllerMemory);
}

void espbench::awaitEndOfLinks() {
  const uint64_t deadline = now() + kStopTimeout;
  while (hostTask == currentTask() || !links.empty()) {
    if (!waitIn(callbackWaiters, hostTask == currentTask() ? kForEver : deadline)) break;
  }
  while (isInCallback) waitIn(callbackWaiters, kForEver);
}
