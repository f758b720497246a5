// The list of tasks, with the state of each.
#include <cstdio>
#include <cstring>

#include "Support.h"

using namespace espbench;

namespace {

constexpr uint64_t kNanosecondsPerMicrosecond = 1000;

/// The idle tasks represent the time in which no other task runs; the kernel has no stacks for
/// them.
Task idleTasks[kCores] = {{.name = "IDLE0", .affinity = 0, .core = 0, .state = TaskState::ready},
                          {.name = "IDLE1", .affinity = 1, .core = 1, .state = TaskState::ready}};

bool isIdleTask(const Task* task) { return task == &idleTasks[0] || task == &idleTasks[1]; }

/// The time that the core did not spend in other tasks.
uint64_t idleTime(int core) {
  uint64_t busy = 0;
  for (const Task* task = allTasks(); task != nullptr; task = task->next) {
    if (task->core == core) busy += task->runTime;
  }
  const uint64_t sinceBoot = now() - startInformation().timer_zero_ns;
  return sinceBoot > busy ? sinceBoot - busy : 0;
}

configRUN_TIME_COUNTER_TYPE runTime(const Task* task) {
  const uint64_t time = isIdleTask(task) ? idleTime(task->affinity) : task->runTime;
  return static_cast<configRUN_TIME_COUNTER_TYPE>(time / kNanosecondsPerMicrosecond);
}

/// An idle task uses little of its stack of 1 KiB.
UBaseType_t unused(const Task* task) {
  constexpr UBaseType_t kUnusedByIdle = 560;
  return isIdleTask(task) ? kUnusedByIdle : static_cast<UBaseType_t>(unusedStack(task));
}

eTaskState stateOf(const Task* task) {
  if (isIdleTask(task)) return eReady;
  switch (task->state) {
    case TaskState::ready:
      return hasCore(task) ? eRunning : eReady;
    case TaskState::blocked:
      return eBlocked;
    case TaskState::suspended:
      return eSuspended;
    case TaskState::deleted:
      return eDeleted;
  }
  return eInvalid;
}

char letterOf(eTaskState state) {
  constexpr char kLetters[] = "XRBSD";
  return state <= eDeleted ? kLetters[state] : '\0';
}

/// Calls `visit` for all tasks, the idle ones last.
template <typename Visit>
void forEach(Visit visit) {
  for (Task* task = allTasks(); task != nullptr; task = task->next) visit(task);
  for (Task& task : idleTasks) visit(&task);
}

}  // namespace

namespace espbench {
Task* idleTask(int core) { return &idleTasks[core]; }
}  // namespace espbench

extern "C" {

TaskHandle_t xTaskGetCurrentTaskHandle(void) { return handleOf(currentTask()); }

TaskHandle_t xTaskGetCurrentTaskHandleForCore(BaseType_t core) {
  if (core < 0 || core >= kCores) return nullptr;
  for (const Task* task = allTasks(); task != nullptr; task = task->next) {
    if (task->core == core && hasCore(task)) return handleOf(task);
  }
  return handleOf(&idleTasks[core]);
}

TaskHandle_t xTaskGetIdleTaskHandle(void) { return handleOf(&idleTasks[currentCore()]); }

TaskHandle_t xTaskGetIdleTaskHandleForCore(BaseType_t core) {
  return core >= 0 && core < kCores ? handleOf(&idleTasks[core]) : nullptr;
}

TaskHandle_t xTaskGetHandle(const char* name) {
  require(strlen(name) < configMAX_TASK_NAME_LEN,
          {"xTaskGetHandle", "tasks.c", 2864, "strlen( pcNameToQuery ) < 16"});
  Task* found = nullptr;
  forEach([&](Task* task) {
    if (found == nullptr && strcmp(task->name, name) == 0) found = task;
  });
  return handleOf(found);
}

char* pcTaskGetName(TaskHandle_t task) { return taskOf(task)->name; }
BaseType_t xTaskGetCoreID(TaskHandle_t task) { return taskOf(task)->affinity; }
UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t task) { return unused(taskOf(task)); }
configSTACK_DEPTH_TYPE uxTaskGetStackHighWaterMark2(TaskHandle_t task) {
  return unused(taskOf(task));
}
uint8_t* pxTaskGetStackStart(TaskHandle_t task) { return taskOf(task)->stackLow; }
UBaseType_t uxTaskGetTaskNumber(TaskHandle_t task) { return taskOf(task)->number; }

UBaseType_t uxTaskGetNumberOfTasks(void) {
  UBaseType_t count = 0;
  forEach([&](Task*) { count++; });
  return count;
}

eTaskState eTaskGetState(TaskHandle_t handle) {
  require(handle != nullptr, {"eTaskGetState", "tasks.c", 1632, "pxTCB"});
  poll();
  return stateOf(taskOf(handle));
}

configRUN_TIME_COUNTER_TYPE ulTaskGetRunTimeCounter(TaskHandle_t task) {
  return runTime(taskOf(task));
}

void vTaskGetInfo(TaskHandle_t handle, TaskStatus_t* status, BaseType_t getFreeStack,
                  eTaskState state) {
  Task* task = taskOf(handle);
  status->xHandle = handleOf(task);
  status->pcTaskName = task->name;
  status->xTaskNumber = task->number;
  status->eCurrentState = state == eInvalid ? stateOf(task) : state;
  status->uxCurrentPriority = task->priority;
  status->uxBasePriority = task->basePriority;
  status->ulRunTimeCounter = runTime(task);
  status->pxStackBase = task->stackLow;
  status->usStackHighWaterMark = getFreeStack != pdFALSE ? unused(task) : 0;
  status->xCoreID = task->affinity;
}

UBaseType_t uxTaskGetSystemState(TaskStatus_t* array, UBaseType_t size,
                                 configRUN_TIME_COUNTER_TYPE* totalRunTime) {
  UBaseType_t count = 0;
  if (size < uxTaskGetNumberOfTasks()) return 0;
  forEach([&](Task* task) { vTaskGetInfo(handleOf(task), &array[count++], pdTRUE, eInvalid); });
  if (totalRunTime != nullptr) {
    *totalRunTime = static_cast<configRUN_TIME_COUNTER_TYPE>(
        (now() - startInformation().timer_zero_ns) / kNanosecondsPerMicrosecond);
  }
  return count;
}

void vTaskList(char* buffer) {
  *buffer = '\0';
  forEach([&](Task* task) {
    const int core = task->affinity == kAnyCore ? -1 : task->affinity;
    buffer += sprintf(buffer, "%-15s\t%c\t%u\t%u\t%u\t%d\r\n", task->name, letterOf(stateOf(task)),
                      task->priority, unused(task), static_cast<unsigned>(task->number), core);
  });
}

void vTaskGetRunTimeStats(char* buffer) {
  *buffer = '\0';
  // Percentages of the sum of both cores' times.
  const uint64_t hundredth =
      (now() - startInformation().timer_zero_ns) / kNanosecondsPerMicrosecond / 100;
  forEach([&](Task* task) {
    if (hundredth == 0) return;
    const unsigned time = runTime(task);
    const auto share = static_cast<unsigned>(time / hundredth);
    buffer += share > 0 ? sprintf(buffer, "%-15s\t%u\t\t%u%%\r\n", task->name, time, share)
                        : sprintf(buffer, "%-15s\t%u\t\t<1%%\r\n", task->name, time);
  });
}

}  // extern "C"
