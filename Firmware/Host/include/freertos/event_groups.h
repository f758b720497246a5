// FreeRTOS event groups: 24 bits for which tasks wait.
#pragma once

#define EVENT_GROUPS_H

#include "FreeRTOS.h"
#include "timers.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EventGroupDef_t* EventGroupHandle_t;
typedef TickType_t EventBits_t;

EventGroupHandle_t xEventGroupCreate(void);
EventGroupHandle_t xEventGroupCreateStatic(StaticEventGroup_t* buffer);
/// Waiting tasks continue, with the result 0.
void vEventGroupDelete(EventGroupHandle_t group);

/// Waits until one of `bits` is set, or, with `waitForAll`, all of them. Returns the bits at that
/// time, before `clearOnExit` has cleared `bits`, or the bits at the time-out.
EventBits_t xEventGroupWaitBits(EventGroupHandle_t group, EventBits_t bits, BaseType_t clearOnExit,
                                BaseType_t waitForAll, TickType_t ticks);
/// Sets `set`, then waits until all of `waitFor` are set and clears these: a rendezvous.
EventBits_t xEventGroupSync(EventGroupHandle_t group, EventBits_t set, EventBits_t waitFor,
                            TickType_t ticks);
/// Returns the bits after woken tasks have cleared theirs.
EventBits_t xEventGroupSetBits(EventGroupHandle_t group, EventBits_t bits);
/// Returns the bits as they were before.
EventBits_t xEventGroupClearBits(EventGroupHandle_t group, EventBits_t bits);
/// The timer task sets and clears the bits. pdFAIL: its queue is full.
BaseType_t xEventGroupSetBitsFromISR(EventGroupHandle_t group, EventBits_t bits,
                                     BaseType_t* higherPriorityTaskWoken);
BaseType_t xEventGroupClearBitsFromISR(EventGroupHandle_t group, EventBits_t bits);
EventBits_t xEventGroupGetBitsFromISR(EventGroupHandle_t group);
#define xEventGroupGetBits(group) xEventGroupClearBits((group), 0)

#ifdef __cplusplus
}
#endif
