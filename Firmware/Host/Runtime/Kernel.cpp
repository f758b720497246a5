// Scheduling: which task of which core runs next, and waiting.
#include "Kernel.h"

#include <cxxabi.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "Context.h"
#include "Cores.h"
#include "Fault.h"
#include "Heap.h"
#include "Runtime.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace espbench {

// The constructors of the sketch's globals run in "main", on core 0.
constinit static Task mainTask{.name = {'m', 'a', 'i', 'n'}, .priority = 1, .basePriority = 1};

constinit Core cores[kCores] = {{.running = &mainTask, .busySince = 0}, {}};
Core* here = &cores[0];
uint64_t limit = 0;
uint64_t waits = 0;
Task* taskList = &mainTask;

namespace {

Task* readyTasks = &mainTask;  ///< by priority, then in order of becoming ready
Task* executing = &mainTask;   ///< the task whose stack is in use
Task* switchedFrom = nullptr;
bool mustHandOver = false;
bool hasStarted = false;

uint64_t nextDeadline() {
  uint64_t next = kForEver;
  for (Task* task = taskList; task != nullptr; task = task->next) {
    if (task->state == TaskState::blocked) next = std::min(next, task->deadline);
  }
  return next;
}

/// Ends the waits whose deadline has passed.
void wakeDue(uint64_t now) {
  for (Task* task = taskList; task != nullptr; task = task->next) {
    if (task->state != TaskState::blocked || task->deadline > now) continue;
    uint64_t at = task->deadline;
    removeWaiting(task);
    task->timedOut = true;
    makeReady(task, at);
  }
}

bool keepsCore(const Core& core) {
  return core.running != nullptr && core.running->state == TaskState::ready &&
         (core.running->criticalNesting > 0 || core.schedulerSuspended > 0);
}

/// Gives each core the ready task of highest priority that may run on it.
void assignCores() {
  Task* chosen[kCores] = {};
  for (int i = 0; i < kCores; i++) {
    if (keepsCore(cores[i])) chosen[i] = cores[i].running;
  }
  for (Task* task = readyTasks; task != nullptr; task = task->nextReady) {
    if (task == chosen[0] || task == chosen[1]) continue;
    int core = task->affinity;
    if (core == kAnyCore) core = chosen[task->core] == nullptr ? task->core : 1 - task->core;
    if (chosen[core] == nullptr) {
      chosen[core] = task;
      task->core = core;
    }
    if (chosen[0] != nullptr && chosen[1] != nullptr) break;
  }
  for (int i = 0; i < kCores; i++) {
    Core& core = cores[i];
    core.running = chosen[i];
    if (chosen[i] == nullptr) {
      core.busySince = kForEver;
    } else if (core.busySince == kForEver) {
      core.busySince = core.clock;
    }
  }
}

/// True if another ready task of the same priority waits for the core of `task`.
bool sharesCore(const Task* task) {
  for (Task* other = readyTasks; other != nullptr; other = other->nextReady) {
    if (other != task && other->priority == task->priority &&
        (other->affinity == kAnyCore || other->affinity == task->core) &&
        other != cores[0].running && other != cores[1].running) {
      return true;
    }
  }
  return false;
}

struct {
  bool isRequested;
  uint32_t kind;
  const char* message;
} end;

/// The first steps of the resumed context.
void arrive() {
  if (end.isRequested) endFirmware(end.kind, end.message);
  if (switchedFrom != nullptr && switchedFrom->state == TaskState::deleted) {
    releaseTask(switchedFrom);
  }
  switchedFrom = nullptr;
}

/// The size of a task's first stack frame on an ESP32: the registers that the kernel saves there
/// (XT_STK_FRMSZ and the coprocessor's area, xtensa_context.h).
constexpr size_t kFirstFrame = 384;

void enterTask() {
#if defined(__SANITIZE_ADDRESS__)
  const void* low;
  size_t size;
  __sanitizer_finish_switch_fiber(nullptr, &low, &size);
  if (switchedFrom == &mainTask) {
    mainTask.stackLow = static_cast<uint8_t*>(const_cast<void*>(low));
    mainTask.stackHigh = mainTask.stackLow + size;
  }
#endif
  arrive();
  if (executing->stackSize < kFirstFrame) endFirmware(CFC_FAULT_STACK, "");
  executing->function(executing->argument);
  taskReturned();
}

void switchTo(Task* next) {
  Task* self = executing;
  if (next == self) return;
  auto* exceptions = reinterpret_cast<void**>(abi::__cxa_get_globals());
  memcpy(self->exceptions, exceptions, sizeof self->exceptions);
  memcpy(exceptions, next->exceptions, sizeof next->exceptions);
  self->error = errno;
  errno = next->error;
  self->hostScopes = hostScopes;
  hostScopes = next->hostScopes;
  executing = next;
  switchedFrom = self;
  if (next->context == nullptr) next->context = makeContext(next->stackHigh, enterTask);
#if defined(__SANITIZE_ADDRESS__)
  bool ends = self->state == TaskState::deleted;
  __sanitizer_start_switch_fiber(ends ? nullptr : &self->fiber, next->stackLow,
                                 static_cast<size_t>(next->stackHigh - next->stackLow));
#endif
  espbench_switch_context(&self->context, next->context);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(self->fiber, nullptr, nullptr);
#endif
  arrive();
}

}  // namespace

uint64_t now() { return here->clock; }

Task* currentTask() { return executing; }
int currentCore() { return static_cast<int>(here - cores); }
Task* allTasks() { return taskList; }

bool hasCore(const Task* task) { return task == cores[0].running || task == cores[1].running; }

bool isSchedulerRunning() { return hasStarted; }

void makeReady(Task* task, uint64_t at) {
  task->state = TaskState::ready;
  task->deadline = kForEver;
  Task** place = &readyTasks;
  while (*place != nullptr && (*place)->priority >= task->priority) place = &(*place)->nextReady;
  task->nextReady = *place;
  *place = task;
  // An idle core has slept until now.
  for (int i = 0; i < kCores; i++) {
    bool mayRun = task->affinity == kAnyCore || task->affinity == i;
    if (mayRun && cores[i].running == nullptr) cores[i].clock = std::max(cores[i].clock, at);
  }
  limit = 0;
}

void removeReady(Task* task) {
  for (Task** place = &readyTasks; *place != nullptr; place = &(*place)->nextReady) {
    if (*place != task) continue;
    *place = task->nextReady;
    task->nextReady = nullptr;
    return;
  }
}

void removeWaiting(Task* task) {
  if (task->waitsIn == nullptr) return;
  for (Task** place = &task->waitsIn->first; *place != nullptr; place = &(*place)->nextWaiting) {
    if (*place != task) continue;
    *place = task->nextWaiting;
    break;
  }
  task->nextWaiting = nullptr;
  task->waitsIn = nullptr;
}

static void insertWaiting(Task* task, WaitList& list) {
  task->waitsIn = &list;
  Task** place = &list.first;
  while (*place != nullptr && (*place)->priority >= task->priority) place = &(*place)->nextWaiting;
  task->nextWaiting = *place;
  *place = task;
}

void dispatch() {
  for (;;) {
    assignCores();
    Core* next = nullptr;
    for (Core& core : cores) {
      if (core.running != nullptr && (next == nullptr || core.clock < next->clock)) next = &core;
    }
    const uint64_t wakeAt = nextDeadline();
    const uint64_t biteAt = watchdogDeadline();
    const uint64_t alarmAt = nextAlarm();
    const uint64_t due = next != nullptr ? next->clock : std::min({wakeAt, biteAt, alarmAt});
    if (next != nullptr && std::min(wakeAt, alarmAt) <= due) {
      if (alarmAt <= wakeAt) {
        ringAlarm();
      } else {
        wakeDue(wakeAt);
      }
      continue;
    }
    if (mustHandOver || due > horizon() || (next == nullptr && hasSent())) {
      mustHandOver = false;
      handOver(CFC_SLEEPING, due);
      for (Core& core : cores) core.clock = std::max(core.clock, boardTime());
      deliverInterrupts();
      continue;
    }
    if (due >= biteAt) {
      if (next == nullptr) next = &cores[0];
      here = next;
      biteTaskWatchdog();
    }
    if (next == nullptr) {
      if (alarmAt == due) {
        ringAlarm();
      } else {
        wakeDue(wakeAt);
      }
      continue;
    }
    here = next;
    // An event outside the chip must be noticed at its instant, any other due work just after it.
    limit = std::min({horizon(), wakeAt, biteAt, alarmAt, nextOutsideAlarm() - 1});
    for (Core& core : cores) {
      if (&core != next && core.running != nullptr) limit = std::min(limit, core.clock);
    }
    if (sharesCore(next->running)) {
      limit = std::min(limit, instantOfTick(tickAt(next->clock) + 1));
    }
    refillComputing();
    switchTo(next->running);
    return;
  }
}

/// Advances the clock to `target`, with a stop at each event outside the chip before it. Interrupts
/// that run there take place within that time.
static void advanceTo(uint64_t target) {
  for (uint64_t at; (at = nextOutsideAlarm()) < target;) {
    here->clock = std::max(here->clock, at);
    limit = 0;
    dispatch();
  }
  here->clock = std::max(here->clock, target);
}

void spend(uint64_t nanoseconds) {
  Core* core = here;
  uint64_t target = core->clock + nanoseconds;
  core->clock = target;
  if (target <= limit) return;
  checkInterruptWatchdog();
  if (inInterrupt()) return;
  if (nextOutsideAlarm() < target) {
    core->clock = target - nanoseconds;
    advanceTo(target);
    core = here;
  }
  // A time slice has ended: equal tasks take turns.
  if (core->running == executing && executing->criticalNesting == 0 && sharesCore(executing) &&
      tickAt(target) != tickAt(target - nanoseconds)) {
    removeReady(executing);
    makeReady(executing, target);
  }
  dispatch();
}

void spendTurn(uint64_t nanoseconds) {
  advanceTo(here->clock + nanoseconds);
  mustHandOver = hasSent();
  limit = 0;
  dispatch();
}

bool waitIn(WaitList& list, uint64_t deadline) {
  Task* self = executing;
  if (deadline <= here->clock) return false;
  if (self->criticalNesting > 0 || here->schedulerSuspended > 0) {
    // With interrupts off, nothing wakes the task: the interrupt watchdog ends the firmware.
    while (here->clock < deadline) spend(kTickNanoseconds);
    return false;
  }
  removeReady(self);
  self->state = TaskState::blocked;
  self->timedOut = false;
  self->deadline = deadline;
  insertWaiting(self, list);
  waits++;
  limit = 0;
  dispatch();
  return !self->timedOut;
}

void sleepUntil(uint64_t deadline) {
  WaitList nobody;
  waitIn(nobody, deadline);
}

Task* wakeFirst(WaitList& list) {
  Task* task = list.first;
  if (task != nullptr) wake(task);
  return task;
}

void wake(Task* task) {
  if (task->state != TaskState::blocked) return;
  removeWaiting(task);
  makeReady(task, here->clock);
}

void wakeByBoard(WaitList& list) {
  Task* task = list.first;
  if (task == nullptr) return;
  removeWaiting(task);
  makeReady(task, boardTime());
}

void reschedule() {
  if (inInterrupt() || executing->criticalNesting > 0 || here->schedulerSuspended > 0) return;
  // Ready tasks of higher priority run at once if they may run on this core (ESP-IDF's
  // prvIsYieldRequiredSMP); tasks of the other core run when this core's clock advances.
  for (Task* task = readyTasks; task != nullptr && task->priority > executing->priority;
       task = task->nextReady) {
    if (task->affinity != currentCore() &&
        (task->affinity != kAnyCore || task == cores[1 - currentCore()].running)) {
      continue;
    }
    task->core = currentCore();
    dispatch();
    return;
  }
}

void yieldTask() {
  if (inInterrupt() || executing->criticalNesting > 0 || here->schedulerSuspended > 0) return;
  waits++;
  removeReady(executing);
  makeReady(executing, here->clock);
  dispatch();
}

void setPriority(Task* task, unsigned priority) {
  task->priority = priority;
  if (task->state == TaskState::ready) {
    removeReady(task);
    makeReady(task, here->clock);
  } else if (task->waitsIn != nullptr) {
    WaitList* list = task->waitsIn;
    removeWaiting(task);
    insertWaiting(task, *list);
  }
}

void suspendTask(Task* task) {
  if (task->state == TaskState::ready) removeReady(task);
  removeWaiting(task);
  task->state = TaskState::suspended;
  if (task == executing || task == cores[0].running || task == cores[1].running) {
    limit = 0;
    if (!inInterrupt()) dispatch();
  }
}

bool resumeTask(Task* task) {
  if (task->state != TaskState::suspended) return false;
  task->timedOut = true;
  makeReady(task, here->clock);
  return true;
}

void enterCritical() {
  if (executing->criticalNesting++ == 0) here->criticalSince = here->clock;
}

void exitCritical() {
  if (executing->criticalNesting == 0 || --executing->criticalNesting > 0) return;
  deliverInterrupts();
  if (limit == 0) reschedule();
}

bool inCritical() { return executing->criticalNesting > 0; }

void suspendScheduler() { here->schedulerSuspended++; }

bool resumeScheduler() {
  if (here->schedulerSuspended == 0 || --here->schedulerSuspended > 0) return false;
  uint64_t before = waits;
  reschedule();
  return waits != before;
}

bool isSchedulerSuspended() { return here->schedulerSuspended > 0; }

void endIn(Task* task, uint32_t kind, const char* message) {
  if (task != nullptr) here = &cores[task->core];
  if (task != nullptr && task != executing) {
    end = {true, kind, message};
    switchTo(task);
  }
  endFirmware(kind, message);
}

void startScheduler() {
  hasStarted = true;
  removeReady(&mainTask);
  mainTask.state = TaskState::suspended;
  taskList = mainTask.next;
  dispatch();
  __builtin_unreachable();
}

}  // namespace espbench
