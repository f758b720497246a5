// FreeRTOS software timers. Their callbacks run in the task "Tmr Svc" (priority 1, 4,096 bytes of
// stack, either core), which is created with the first command. Commands go through its queue of
// length 10: pdFAIL when that has no room within `ticks`.
#pragma once

#define TIMERS_H

#include "FreeRTOS.h"
#include "task.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tmrTimerControl* TimerHandle_t;
typedef void (*TimerCallbackFunction_t)(TimerHandle_t timer);
typedef void (*PendedFunction_t)(void* argument1, uint32_t argument2);

#define tmrCOMMAND_EXECUTE_CALLBACK_FROM_ISR ((BaseType_t)-2)
#define tmrCOMMAND_EXECUTE_CALLBACK ((BaseType_t)-1)
#define tmrCOMMAND_START ((BaseType_t)1)
#define tmrCOMMAND_RESET ((BaseType_t)2)
#define tmrCOMMAND_STOP ((BaseType_t)3)
#define tmrCOMMAND_CHANGE_PERIOD ((BaseType_t)4)
#define tmrCOMMAND_DELETE ((BaseType_t)5)
#define tmrFIRST_FROM_ISR_COMMAND ((BaseType_t)6)
#define tmrCOMMAND_START_FROM_ISR ((BaseType_t)6)
#define tmrCOMMAND_RESET_FROM_ISR ((BaseType_t)7)
#define tmrCOMMAND_STOP_FROM_ISR ((BaseType_t)8)
#define tmrCOMMAND_CHANGE_PERIOD_FROM_ISR ((BaseType_t)9)

/// `period`: at least 1 tick, otherwise an assertion fails. `name` is not copied.
TimerHandle_t xTimerCreate(const char* name, TickType_t period, BaseType_t autoReload, void* id,
                           TimerCallbackFunction_t callback);
TimerHandle_t xTimerCreateStatic(const char* name, TickType_t period, BaseType_t autoReload,
                                 void* id, TimerCallbackFunction_t callback, StaticTimer_t* buffer);

BaseType_t xTimerGenericCommand(TimerHandle_t timer, BaseType_t command, TickType_t value,
                                BaseType_t* higherPriorityTaskWoken, TickType_t ticks);
#define xTimerStart(timer, ticks) \
  xTimerGenericCommand((timer), tmrCOMMAND_START, (xTaskGetTickCount()), NULL, (ticks))
#define xTimerStop(timer, ticks) xTimerGenericCommand((timer), tmrCOMMAND_STOP, 0U, NULL, (ticks))
/// Also starts the timer, as on the chip.
#define xTimerChangePeriod(timer, period, ticks) \
  xTimerGenericCommand((timer), tmrCOMMAND_CHANGE_PERIOD, (period), NULL, (ticks))
#define xTimerDelete(timer, ticks) \
  xTimerGenericCommand((timer), tmrCOMMAND_DELETE, 0U, NULL, (ticks))
#define xTimerReset(timer, ticks) \
  xTimerGenericCommand((timer), tmrCOMMAND_RESET, (xTaskGetTickCount()), NULL, (ticks))
#define xTimerStartFromISR(timer, woken)                                                          \
  xTimerGenericCommand((timer), tmrCOMMAND_START_FROM_ISR, (xTaskGetTickCountFromISR()), (woken), \
                       0U)
#define xTimerStopFromISR(timer, woken) \
  xTimerGenericCommand((timer), tmrCOMMAND_STOP_FROM_ISR, 0, (woken), 0U)
#define xTimerChangePeriodFromISR(timer, period, woken) \
  xTimerGenericCommand((timer), tmrCOMMAND_CHANGE_PERIOD_FROM_ISR, (period), (woken), 0U)
#define xTimerResetFromISR(timer, woken)                                                          \
  xTimerGenericCommand((timer), tmrCOMMAND_RESET_FROM_ISR, (xTaskGetTickCountFromISR()), (woken), \
                       0U)

BaseType_t xTimerIsTimerActive(TimerHandle_t timer);
TickType_t xTimerGetPeriod(TimerHandle_t timer);
/// The tick of the next expiry; meaningless unless the timer is active.
TickType_t xTimerGetExpiryTime(TimerHandle_t timer);
const char* pcTimerGetName(TimerHandle_t timer);
void* pvTimerGetTimerID(TimerHandle_t timer);
void vTimerSetTimerID(TimerHandle_t timer, void* id);
void vTimerSetReloadMode(TimerHandle_t timer, BaseType_t autoReload);
BaseType_t xTimerGetReloadMode(TimerHandle_t timer);
UBaseType_t uxTimerGetReloadMode(TimerHandle_t timer);
TaskHandle_t xTimerGetTimerDaemonTaskHandle(void);

/// The timer task calls `function`.
BaseType_t xTimerPendFunctionCall(PendedFunction_t function, void* argument1, uint32_t argument2,
                                  TickType_t ticks);
BaseType_t xTimerPendFunctionCallFromISR(PendedFunction_t function, void* argument1,
                                         uint32_t argument2, BaseType_t* higherPriorityTaskWoken);

#ifdef __cplusplus
}
#endif
