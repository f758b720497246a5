#include "Support.h"

namespace espbench {

uint64_t tickCount() { return tickAt(now()); }

uint64_t deadlineAfter(TickType_t ticks) {
  return ticks == portMAX_DELAY ? kForEver : instantOfTick(tickCount() + ticks);
}

bool Waiting::block(WaitList& list) {
  Task* task = currentTask();
  if (!_isAllowed || now() >= _deadline) return false;
  // A wait in an interrupt or a critical section blocks every event that could end it: the
  // interrupt watchdog ends it, as on the chip.
  while (inInterrupt() || inCritical()) spend(kTickNanoseconds);
  task->isDelayAborted = false;
  waitIn(list, _deadline);
  if (task->isDelayAborted) _isAllowed = false;
  task->isDelayAborted = false;
  return true;
}

Task* taskOf(TaskHandle_t handle) {
  if (handle == nullptr) return currentTask();
  auto* wanted = reinterpret_cast<Task*>(handle);
  for (Task* task = allTasks(); task != nullptr; task = task->next) {
    if (task == wanted) return task;
  }
  for (int core = 0; core < kCores; core++) {
    if (wanted == idleTask(core)) return wanted;
  }
  // uxListRemove() reads pxIndex of the list that the task is in: here no list exists.
  volatile uint32_t* index = reinterpret_cast<volatile uint32_t*>(uintptr_t{4});
  (void)*index;
  __builtin_trap();
}

void noteWoken(const Task* task, BaseType_t* woken) {
  if (task == nullptr || woken == nullptr) return;
  bool isHere = task->affinity == kAnyCore || task->affinity == currentCore();
  const Task* interrupted = currentTask();
  if (isHere && (interrupted->core != currentCore() || interrupted->state != TaskState::ready ||
                 task->priority > interrupted->priority)) {
    *woken = pdTRUE;
  }
}

}  // namespace espbench
