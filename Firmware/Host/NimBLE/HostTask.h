// The task in which callbacks run.
#ifndef ESPBENCH_HOST_TASK_H
#define ESPBENCH_HOST_TASK_H

#include "../FreeRTOS/Support.h"

namespace espbench {

/// Starts the task; false when the heap has no room for it.
bool startHostTask();
void stopHostTask();
/// The second half of ble_hs_stop(): waits until the task has reported the ends of all links, at
/// most BLE_HS_STOP_TIMEOUT, and has returned from its callback. If called in that task, it waits
/// for itself forever, as in the library.
void awaitEndOfLinks();

/// ble_hs_is_enabled(): from the end of init() to the beginning of deinit().
extern bool isHostEnabled;

/// True if init() has been called: NimBLE's mutex exists from then on, also after deinit().
extern bool hasHostMutex;

/// ble_hs_lock(): every call that takes NimBLE's mutex fails the mutex's assertions before init()
/// and in an interrupt. No call waits for the mutex: each call completes at once.
inline __attribute__((always_inline)) void lockHost() {
  constexpr char kFunction[] = "npl_freertos_mutex_pend", kFile[] = "npl_os_freertos.c";
  require(hasHostMutex, {kFunction, kFile, 265, "mu->handle"});
  require(!inInterrupt(), {kFunction, kFile, 269, "0"});
}

/// A command to the controller: after deinit() NimBLE takes a deleted semaphore.
inline __attribute__((always_inline)) void requireController(bool isInitialized) {
  require(isInitialized, {"xQueueSemaphoreTake", "queue.c", 1709, "( pxQueue )"});
}

}  // namespace espbench

#endif
