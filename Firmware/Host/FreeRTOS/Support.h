// The common parts of the files of FreeRTOS/: ticks, waiting, handles, the chip's assertions.
//
// The host core's own code is not interrupted, except in calls of spend(), waitIn(), reschedule()
// or the sketch: no locks are needed between such calls.
#ifndef ESPBENCH_FREERTOS_SUPPORT_H
#define ESPBENCH_FREERTOS_SUPPORT_H

#include "../Runtime/Kernel.h"
#include "../Runtime/Runtime.h"
#include "freertos/task.h"

extern "C" void __assert_fail(const char* expression, const char* file, unsigned int line,
                              const char* function) noexcept __attribute__((noreturn));

namespace espbench {

/// An assertion of ESP-IDF v5.5.1: its place, and its text after the preprocessor.
struct Assertion {
  const char* function;
  const char* file;
  unsigned line;
  const char* expression;
};

/// Ends the firmware with the chip's text unless `holds`.
inline __attribute__((always_inline)) void require(bool holds, const Assertion& assertion) {
  if (!holds) {
    __assert_fail(assertion.expression, assertion.file, assertion.line, assertion.function);
  }
}

/// The configASSERT of queues and event groups: no call may block while the scheduler is suspended.
inline constexpr char kMayWait[] =
    "!( ( xTaskGetSchedulerState() == ( ( BaseType_t ) 0 ) ) && ( xTicksToWait != 0 ) )";

/// Ticks since boot, not wrapped.
uint64_t tickCount();
/// The end of a delay or time-out: the instant of the `ticks`-th tick interrupt from now. The next
/// tick may occur at once, so the delay may be up to one tick shorter. portMAX_DELAY: kForEver.
uint64_t deadlineAfter(TickType_t ticks);

/// Lets time pass for a task that polls.
inline void poll() {
  if (!inInterrupt()) spend(kPollNanoseconds);
}

/// A wait with a time limit, which may continue after a wake-up without result.
class Waiting {
 public:
  explicit Waiting(TickType_t ticks) : _isAllowed(ticks != 0) {
    if (_isAllowed) _deadline = deadlineAfter(ticks);
  }
  /// Blocks in `list`. Returns false, without waiting, when the time is up.
  bool block(WaitList& list);

 private:
  bool _isAllowed;
  uint64_t _deadline = 0;
};

/// The task of a handle; NULL: the current one. Crashes if the task was deleted; on the chip, the
/// crash occurs because the task's list no longer exists.
Task* taskOf(TaskHandle_t handle);
inline TaskHandle_t handleOf(const Task* task) {
  return reinterpret_cast<TaskHandle_t>(const_cast<Task*>(task));
}

/// For an interrupt that has made `task` ready: sets *woken if `task` should run before the
/// interrupted task.
void noteWoken(const Task* task, BaseType_t* woken);

/// The tasks "IDLE0" and "IDLE1", which are not scheduled.
Task* idleTask(int core);

}  // namespace espbench

#endif
