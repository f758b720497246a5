// Tasks: creation, deletion, delays, priorities, states.
#include "Support.h"

using namespace espbench;

namespace {

constexpr char kIsNotSuspended[] =
    "( ( xTaskGetSchedulerState() == ( ( BaseType_t ) 0 ) ) ? ( ( BaseType_t ) 1 ) : "
    "( ( BaseType_t ) 0 ) ) == ( ( BaseType_t ) 0 )";

constexpr char kAdditions[] = "freertos_tasks_c_additions.h";
constexpr char kIsCore[] =
    "( ( ( ( BaseType_t ) xCoreID ) >= 0 && ( ( BaseType_t ) xCoreID ) < 2 ) ? "
    "( ( BaseType_t ) 1 ) : ( ( BaseType_t ) 0 ) ) == ( ( BaseType_t ) 1 ) || "
    "xCoreID == ( ( BaseType_t ) 0x7FFFFFFF )";

bool isAffinity(BaseType_t core) { return (core >= 0 && core < kCores) || core == kAnyCore; }

/// Delays the current task. The interrupt watchdog ends a delay in a critical section or in an
/// interrupt.
void delayUntil(uint64_t deadline) {
  Task* task = currentTask();
  while (inInterrupt() || inCritical()) spend(kTickNanoseconds);
  task->isDelayAborted = false;
  WaitList alone;
  waitIn(alone, deadline);
}

Task* create(TaskFunction_t code, const char* name, uint32_t stackDepth, void* parameters,
             UBaseType_t priority, BaseType_t core, bool takesHeap) {
  require(priority < configMAX_PRIORITIES,
          {"prvInitialiseNewTask", "tasks.c", 1111, "uxPriority < ( 25 )"});
  return createTask(code, name, stackDepth, parameters, priority, core, takesHeap);
}

}  // namespace

extern "C" {

BaseType_t xTaskCreatePinnedToCore(TaskFunction_t code, const char* name, uint32_t stackDepth,
                                   void* parameters, UBaseType_t priority, TaskHandle_t* created,
                                   BaseType_t core) {
  require(isAffinity(core), {"xTaskCreatePinnedToCore", kAdditions, 163, kIsCore});
  // The new task may run before this returns, and look at the handle.
  suspendScheduler();
  Task* task = create(code, name, stackDepth, parameters, priority, core, true);
  if (task != nullptr && created != nullptr) *created = handleOf(task);
  resumeScheduler();
  return task != nullptr ? pdPASS : errCOULD_NOT_ALLOCATE_REQUIRED_MEMORY;
}

BaseType_t xTaskCreate(TaskFunction_t code, const char* name, uint32_t stackDepth, void* parameters,
                       UBaseType_t priority, TaskHandle_t* created) {
  return xTaskCreatePinnedToCore(code, name, stackDepth, parameters, priority, created,
                                 tskNO_AFFINITY);
}

TaskHandle_t xTaskCreateStaticPinnedToCore(TaskFunction_t code, const char* name,
                                           uint32_t stackDepth, void* parameters,
                                           UBaseType_t priority, StackType_t* stack,
                                           StaticTask_t* task, BaseType_t core) {
  require(stack != nullptr, {"xTaskCreateStaticPinnedToCore", kAdditions, 299,
                             "xPortcheckValidStackMem(puxStackBuffer)"});
  require(task != nullptr, {"xTaskCreateStaticPinnedToCore", kAdditions, 300,
                            "xPortCheckValidTCBMem(pxTaskBuffer)"});
  require(isAffinity(core), {"xTaskCreateStaticPinnedToCore", kAdditions, 301, kIsCore});
  return handleOf(create(code, name, stackDepth, parameters, priority, core, false));
}

TaskHandle_t xTaskCreateStatic(TaskFunction_t code, const char* name, uint32_t stackDepth,
                               void* parameters, UBaseType_t priority, StackType_t* stack,
                               StaticTask_t* task) {
  return xTaskCreateStaticPinnedToCore(code, name, stackDepth, parameters, priority, stack, task,
                                       tskNO_AFFINITY);
}

void vTaskDelete(TaskHandle_t handle) {
  Task* task = taskOf(handle);
  require(task != currentTask() || !isSchedulerSuspended(),
          {"vTaskDelete", "tasks.c", 1474, kIsNotSuspended});
  deleteTask(task);
}

void vTaskDelay(TickType_t ticks) {
  require(ticks == 0 || !isSchedulerSuspended(), {"vTaskDelay", "tasks.c", 1586, kIsNotSuspended});
  if (ticks == 0) {
    vPortYield();
  } else {
    delayUntil(deadlineAfter(ticks));
  }
}

BaseType_t xTaskDelayUntil(TickType_t* previousWakeTime, TickType_t increment) {
  require(previousWakeTime != nullptr, {"xTaskDelayUntil", "tasks.c", 1498, "pxPreviousWakeTime"});
  require(increment > 0, {"xTaskDelayUntil", "tasks.c", 1499, "( xTimeIncrement > 0U )"});
  require(!isSchedulerSuspended(), {"xTaskDelayUntil", "tasks.c", 1500, kIsNotSuspended});
  const uint64_t tick = tickCount();
  const auto sinceLast = static_cast<TickType_t>(tick) - *previousWakeTime;
  *previousWakeTime += increment;
  if (sinceLast >= increment) {
    vPortYield();
    return pdFALSE;
  }
  delayUntil(instantOfTick(tick + (increment - sinceLast)));
  return pdTRUE;
}

BaseType_t xTaskAbortDelay(TaskHandle_t handle) {
  require(handle != nullptr, {"xTaskAbortDelay", "tasks.c", 3127, "pxTCB"});
  Task* task = taskOf(handle);
  if (task->state != TaskState::blocked) return pdFAIL;
  task->isDelayAborted = true;
  wake(task);
  reschedule();
  return pdPASS;
}

void vTaskSetTimeOutState(TimeOut_t* timeOut) {
  require(timeOut != nullptr, {"vTaskSetTimeOutState", "tasks.c", 4143, "pxTimeOut"});
  timeOut->xOverflowCount = static_cast<BaseType_t>(tickCount() >> 32);
  timeOut->xTimeOnEntering = static_cast<TickType_t>(tickCount());
}

BaseType_t xTaskCheckForTimeOut(TimeOut_t* timeOut, TickType_t* ticksToWait) {
  require(timeOut != nullptr, {"xTaskCheckForTimeOut", "tasks.c", 4166, "pxTimeOut"});
  require(ticksToWait != nullptr, {"xTaskCheckForTimeOut", "tasks.c", 4167, "pxTicksToWait"});
  if (currentTask()->isDelayAborted) {
    currentTask()->isDelayAborted = false;
    return pdTRUE;
  }
  if (*ticksToWait == portMAX_DELAY) return pdFALSE;
  const uint64_t entered =
      static_cast<uint64_t>(timeOut->xOverflowCount) << 32 | timeOut->xTimeOnEntering;
  const uint64_t elapsed = tickCount() - entered;
  if (elapsed >= *ticksToWait) {
    *ticksToWait = 0;
    return pdTRUE;
  }
  *ticksToWait -= static_cast<TickType_t>(elapsed);
  vTaskSetTimeOutState(timeOut);
  return pdFALSE;
}

UBaseType_t uxTaskPriorityGet(TaskHandle_t task) { return taskOf(task)->priority; }
UBaseType_t uxTaskPriorityGetFromISR(TaskHandle_t task) { return taskOf(task)->priority; }

void vTaskPrioritySet(TaskHandle_t handle, UBaseType_t priority) {
  require(priority < configMAX_PRIORITIES,
          {"vTaskPrioritySet", "tasks.c", 1792, "uxNewPriority < ( 25 )"});
  Task* task = taskOf(handle);
  // An inherited priority lasts until the mutex is given, unless the new one is higher.
  const bool hasInherited = task->priority != task->basePriority;
  task->basePriority = priority;
  if (!hasInherited || priority > task->priority) setPriority(task, priority);
  reschedule();
}

void vTaskSuspend(TaskHandle_t handle) {
  Task* task = taskOf(handle);
  require(task != currentTask() || !isSchedulerSuspended(),
          {"vTaskSuspend", "tasks.c", 2034, "uxSchedulerSuspended[ xCurCoreID ] == 0"});
  // A task that was waiting for a notification no longer receives it.
  for (uint8_t& state : task->notifyState) {
    if (state == 1) state = 0;
  }
  suspendTask(task);
}

void vTaskResume(TaskHandle_t handle) {
  require(handle != nullptr, {"vTaskResume", "tasks.c", 2147, "xTaskToResume"});
  if (resumeTask(taskOf(handle))) reschedule();
}

BaseType_t xTaskResumeFromISR(TaskHandle_t handle) {
  require(handle != nullptr, {"xTaskResumeFromISR", "tasks.c", 2202, "xTaskToResume"});
  Task* task = taskOf(handle);
  BaseType_t woken = pdFALSE;
  if (resumeTask(task)) noteWoken(task, &woken);
  return woken;
}

BaseType_t xTaskGetSchedulerState(void) {
  if (!isSchedulerRunning()) return taskSCHEDULER_NOT_STARTED;
  return isSchedulerSuspended() ? taskSCHEDULER_SUSPENDED : taskSCHEDULER_RUNNING;
}

void vTaskSuspendAll(void) { suspendScheduler(); }

BaseType_t xTaskResumeAll(void) {
  require(isSchedulerSuspended(),
          {"xTaskResumeAll", "tasks.c", 2597,
           "( ( xTaskGetSchedulerState() == ( ( BaseType_t ) 0 ) ) ? ( ( BaseType_t ) 1 ) : "
           "( ( BaseType_t ) 0 ) ) == ( ( BaseType_t ) 1 )"});
  return resumeScheduler() ? pdTRUE : pdFALSE;
}

TickType_t xTaskGetTickCount(void) {
  poll();
  return static_cast<TickType_t>(tickCount());
}

TickType_t xTaskGetTickCountFromISR(void) { return static_cast<TickType_t>(tickCount()); }

}  // extern "C"
