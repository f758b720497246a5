// FreeRTOS tasks, their notifications, and the scheduler.
#pragma once

#define INC_TASK_H

#include "FreeRTOS.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tskTaskControlBlock* TaskHandle_t;
typedef const struct tskTaskControlBlock* ConstTaskHandle_t;
typedef BaseType_t (*TaskHookFunction_t)(void* argument);
typedef void (*TlsDeleteCallbackFunction_t)(int index, void* value);

#define tskIDLE_PRIORITY ((UBaseType_t)0U)
#define tskNO_AFFINITY ((BaseType_t)0x7FFFFFFF)
#define taskVALID_CORE_ID(core) (((core) >= 0 && (core) < configNUMBER_OF_CORES))

// Creation. Stack depths are in bytes. Returns 1, or errCOULD_NOT_ALLOCATE_REQUIRED_MEMORY when the
// heap has no room for the stack and the control block. The name is cut to 15 characters.

BaseType_t xTaskCreatePinnedToCore(TaskFunction_t code, const char* name, uint32_t stackDepth,
                                   void* parameters, UBaseType_t priority, TaskHandle_t* created,
                                   BaseType_t core);
BaseType_t xTaskCreate(TaskFunction_t code, const char* name, uint32_t stackDepth, void* parameters,
                       UBaseType_t priority, TaskHandle_t* created);
/// The handle does not point to `task`: the host allocates stack and control block itself.
TaskHandle_t xTaskCreateStaticPinnedToCore(TaskFunction_t code, const char* name,
                                           uint32_t stackDepth, void* parameters,
                                           UBaseType_t priority, StackType_t* stack,
                                           StaticTask_t* task, BaseType_t core);
TaskHandle_t xTaskCreateStatic(TaskFunction_t code, const char* name, uint32_t stackDepth,
                               void* parameters, UBaseType_t priority, StackType_t* stack,
                               StaticTask_t* task);
/// NULL deletes the calling task. Deleting a task twice crashes, as on the chip.
void vTaskDelete(TaskHandle_t task);

// Waiting

void vTaskDelay(TickType_t ticks);
/// Returns false if the instant had already passed.
BaseType_t xTaskDelayUntil(TickType_t* previousWakeTime, TickType_t increment);
#define vTaskDelayUntil(previousWakeTime, increment) \
  ((void)xTaskDelayUntil(previousWakeTime, increment))
/// Ends the wait of a task as if its time were up. Returns pdFAIL if the task does not wait.
BaseType_t xTaskAbortDelay(TaskHandle_t task);

typedef struct xTIME_OUT {
  BaseType_t xOverflowCount;
  TickType_t xTimeOnEntering;
} TimeOut_t;
void vTaskSetTimeOutState(TimeOut_t* timeOut);
BaseType_t xTaskCheckForTimeOut(TimeOut_t* timeOut, TickType_t* ticksToWait);

// Priorities, states

typedef enum { eRunning = 0, eReady, eBlocked, eSuspended, eDeleted, eInvalid } eTaskState;

UBaseType_t uxTaskPriorityGet(TaskHandle_t task);
UBaseType_t uxTaskPriorityGetFromISR(TaskHandle_t task);
void vTaskPrioritySet(TaskHandle_t task, UBaseType_t priority);
void vTaskSuspend(TaskHandle_t task);
void vTaskResume(TaskHandle_t task);
BaseType_t xTaskResumeFromISR(TaskHandle_t task);
eTaskState eTaskGetState(TaskHandle_t task);

// Information

TaskHandle_t xTaskGetCurrentTaskHandle(void);
TaskHandle_t xTaskGetCurrentTaskHandleForCore(BaseType_t core);
TaskHandle_t xTaskGetIdleTaskHandle(void);
TaskHandle_t xTaskGetIdleTaskHandleForCore(BaseType_t core);
TaskHandle_t xTaskGetHandle(const char* name);
char* pcTaskGetName(TaskHandle_t task);
/// The core that the task is pinned to, or tskNO_AFFINITY.
BaseType_t xTaskGetCoreID(TaskHandle_t task);
#define xTaskGetAffinity(task) xTaskGetCoreID(task)
/// The number of bytes of the stack that were never used, corrected for the host's larger frames.
UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t task);
configSTACK_DEPTH_TYPE uxTaskGetStackHighWaterMark2(TaskHandle_t task);
/// The lowest address of the task's stack.
uint8_t* pxTaskGetStackStart(TaskHandle_t task);
UBaseType_t uxTaskGetNumberOfTasks(void);
UBaseType_t uxTaskGetTaskNumber(TaskHandle_t task);
TickType_t xTaskGetTickCount(void);
TickType_t xTaskGetTickCountFromISR(void);

typedef struct xTASK_STATUS {
  TaskHandle_t xHandle;
  const char* pcTaskName;
  UBaseType_t xTaskNumber;
  eTaskState eCurrentState;
  UBaseType_t uxCurrentPriority;
  UBaseType_t uxBasePriority;
  configRUN_TIME_COUNTER_TYPE ulRunTimeCounter;  ///< microseconds
  StackType_t* pxStackBase;
  configSTACK_DEPTH_TYPE usStackHighWaterMark;
  BaseType_t xCoreID;
} TaskStatus_t;

/// Fills `array`, the oldest task first; returns 0 if `size` is less than uxTaskGetNumberOfTasks().
UBaseType_t uxTaskGetSystemState(TaskStatus_t* array, UBaseType_t size,
                                 configRUN_TIME_COUNTER_TYPE* totalRunTime);
void vTaskGetInfo(TaskHandle_t task, TaskStatus_t* status, BaseType_t getFreeStack,
                  eTaskState state);
/// Writes a table of the tasks: about 40 bytes for each.
void vTaskList(char* buffer);
void vTaskGetRunTimeStats(char* buffer);
configRUN_TIME_COUNTER_TYPE ulTaskGetRunTimeCounter(TaskHandle_t task);

/// One pointer per task (CONFIG_FREERTOS_THREAD_LOCAL_STORAGE_POINTERS): `index` is 0.
void vTaskSetThreadLocalStoragePointer(TaskHandle_t task, BaseType_t index, void* value);
void* pvTaskGetThreadLocalStoragePointer(TaskHandle_t task, BaseType_t index);
/// The callback is called when the task is deleted.
void vTaskSetThreadLocalStoragePointerAndDelCallback(TaskHandle_t task, BaseType_t index,
                                                     void* value,
                                                     TlsDeleteCallbackFunction_t callback);

// The scheduler

#define taskSCHEDULER_SUSPENDED ((BaseType_t)0)
#define taskSCHEDULER_NOT_STARTED ((BaseType_t)1)
#define taskSCHEDULER_RUNNING ((BaseType_t)2)
BaseType_t xTaskGetSchedulerState(void);
/// Suspends the calling core's scheduler until xTaskResumeAll(); nests. Blocking meanwhile fails an
/// assertion.
void vTaskSuspendAll(void);
BaseType_t xTaskResumeAll(void);

#define taskYIELD() portYIELD()
#define taskENTER_CRITICAL(mux) portENTER_CRITICAL(mux)
#define taskEXIT_CRITICAL(mux) portEXIT_CRITICAL(mux)
#define taskENTER_CRITICAL_ISR(mux) portENTER_CRITICAL_ISR(mux)
#define taskEXIT_CRITICAL_ISR(mux) portEXIT_CRITICAL_ISR(mux)
#define taskENTER_CRITICAL_FROM_ISR() portSET_INTERRUPT_MASK_FROM_ISR()
#define taskEXIT_CRITICAL_FROM_ISR(level) portCLEAR_INTERRUPT_MASK_FROM_ISR(level)
#define taskDISABLE_INTERRUPTS() portDISABLE_INTERRUPTS()
#define taskENABLE_INTERRUPTS() portENABLE_INTERRUPTS()

// Notifications: one value of 32 bits per task (configTASK_NOTIFICATION_ARRAY_ENTRIES): index 0

typedef enum {
  eNoAction = 0,
  eSetBits,
  eIncrement,
  eSetValueWithOverwrite,
  eSetValueWithoutOverwrite
} eNotifyAction;
#define tskDEFAULT_INDEX_TO_NOTIFY (0)

BaseType_t xTaskGenericNotify(TaskHandle_t task, UBaseType_t index, uint32_t value,
                              eNotifyAction action, uint32_t* previous);
BaseType_t xTaskGenericNotifyFromISR(TaskHandle_t task, UBaseType_t index, uint32_t value,
                                     eNotifyAction action, uint32_t* previous,
                                     BaseType_t* higherPriorityTaskWoken);
void vTaskGenericNotifyGiveFromISR(TaskHandle_t task, UBaseType_t index,
                                   BaseType_t* higherPriorityTaskWoken);
BaseType_t xTaskGenericNotifyWait(UBaseType_t index, uint32_t clearOnEntry, uint32_t clearOnExit,
                                  uint32_t* value, TickType_t ticks);
uint32_t ulTaskGenericNotifyTake(UBaseType_t index, BaseType_t clearOnExit, TickType_t ticks);
BaseType_t xTaskGenericNotifyStateClear(TaskHandle_t task, UBaseType_t index);
uint32_t ulTaskGenericNotifyValueClear(TaskHandle_t task, UBaseType_t index, uint32_t bits);

#define xTaskNotifyIndexed(task, index, value, action) \
  xTaskGenericNotify((task), (index), (value), (action), NULL)
#define xTaskNotify(task, value, action) xTaskGenericNotify((task), 0, (value), (action), NULL)
#define xTaskNotifyAndQueryIndexed(task, index, value, action, previous) \
  xTaskGenericNotify((task), (index), (value), (action), (previous))
#define xTaskNotifyAndQuery(task, value, action, previous) \
  xTaskGenericNotify((task), 0, (value), (action), (previous))
#define xTaskNotifyIndexedFromISR(task, index, value, action, woken) \
  xTaskGenericNotifyFromISR((task), (index), (value), (action), NULL, (woken))
#define xTaskNotifyFromISR(task, value, action, woken) \
  xTaskGenericNotifyFromISR((task), 0, (value), (action), NULL, (woken))
#define xTaskNotifyAndQueryIndexedFromISR(task, index, value, action, previous, woken) \
  xTaskGenericNotifyFromISR((task), (index), (value), (action), (previous), (woken))
#define xTaskNotifyAndQueryFromISR(task, value, action, previous, woken) \
  xTaskGenericNotifyFromISR((task), 0, (value), (action), (previous), (woken))
#define xTaskNotifyGiveIndexed(task, index) xTaskGenericNotify((task), (index), 0, eIncrement, NULL)
#define xTaskNotifyGive(task) xTaskGenericNotify((task), 0, 0, eIncrement, NULL)
#define vTaskNotifyGiveIndexedFromISR(task, index, woken) \
  vTaskGenericNotifyGiveFromISR((task), (index), (woken))
#define vTaskNotifyGiveFromISR(task, woken) vTaskGenericNotifyGiveFromISR((task), 0, (woken))
#define xTaskNotifyWaitIndexed(index, clearOnEntry, clearOnExit, value, ticks) \
  xTaskGenericNotifyWait((index), (clearOnEntry), (clearOnExit), (value), (ticks))
#define xTaskNotifyWait(clearOnEntry, clearOnExit, value, ticks) \
  xTaskGenericNotifyWait(0, (clearOnEntry), (clearOnExit), (value), (ticks))
#define ulTaskNotifyTakeIndexed(index, clearOnExit, ticks) \
  ulTaskGenericNotifyTake((index), (clearOnExit), (ticks))
#define ulTaskNotifyTake(clearOnExit, ticks) ulTaskGenericNotifyTake(0, (clearOnExit), (ticks))
#define xTaskNotifyStateClearIndexed(task, index) xTaskGenericNotifyStateClear((task), (index))
#define xTaskNotifyStateClear(task) xTaskGenericNotifyStateClear((task), 0)
#define ulTaskNotifyValueClearIndexed(task, index, bits) \
  ulTaskGenericNotifyValueClear((task), (index), (bits))
#define ulTaskNotifyValueClear(task, bits) ulTaskGenericNotifyValueClear((task), 0, (bits))

#ifdef __cplusplus
}
#endif
