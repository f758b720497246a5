// FreeRTOS queues and queue sets.
#pragma once

#define QUEUE_H

#include "FreeRTOS.h"
#include "task.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct QueueDefinition* QueueHandle_t;
typedef struct QueueDefinition* QueueSetHandle_t;
typedef struct QueueDefinition* QueueSetMemberHandle_t;

#define queueSEND_TO_BACK ((BaseType_t)0)
#define queueSEND_TO_FRONT ((BaseType_t)1)
#define queueOVERWRITE ((BaseType_t)2)

#define queueQUEUE_TYPE_BASE ((uint8_t)0U)
#define queueQUEUE_TYPE_SET ((uint8_t)0U)
#define queueQUEUE_TYPE_MUTEX ((uint8_t)1U)
#define queueQUEUE_TYPE_COUNTING_SEMAPHORE ((uint8_t)2U)
#define queueQUEUE_TYPE_BINARY_SEMAPHORE ((uint8_t)3U)
#define queueQUEUE_TYPE_RECURSIVE_MUTEX ((uint8_t)4U)

/// Returns NULL when the heap has no room for `length` items of `itemSize` bytes.
QueueHandle_t xQueueGenericCreate(UBaseType_t length, UBaseType_t itemSize, uint8_t type);
QueueHandle_t xQueueGenericCreateStatic(UBaseType_t length, UBaseType_t itemSize, uint8_t* storage,
                                        StaticQueue_t* queue, uint8_t type);
#define xQueueCreate(length, itemSize) \
  xQueueGenericCreate((length), (itemSize), (queueQUEUE_TYPE_BASE))
#define xQueueCreateStatic(length, itemSize, storage, queue) \
  xQueueGenericCreateStatic((length), (itemSize), (storage), (queue), (queueQUEUE_TYPE_BASE))
void vQueueDelete(QueueHandle_t queue);
BaseType_t xQueueGenericReset(QueueHandle_t queue, BaseType_t isNew);
#define xQueueReset(queue) xQueueGenericReset((queue), pdFALSE)

// Sending. errQUEUE_FULL: no room within `ticks`.

BaseType_t xQueueGenericSend(QueueHandle_t queue, const void* item, TickType_t ticks,
                             BaseType_t position);
BaseType_t xQueueGenericSendFromISR(QueueHandle_t queue, const void* item,
                                    BaseType_t* higherPriorityTaskWoken, BaseType_t position);
#define xQueueSend(queue, item, ticks) \
  xQueueGenericSend((queue), (item), (ticks), queueSEND_TO_BACK)
#define xQueueSendToBack(queue, item, ticks) \
  xQueueGenericSend((queue), (item), (ticks), queueSEND_TO_BACK)
#define xQueueSendToFront(queue, item, ticks) \
  xQueueGenericSend((queue), (item), (ticks), queueSEND_TO_FRONT)
#define xQueueOverwrite(queue, item) xQueueGenericSend((queue), (item), 0, queueOVERWRITE)
#define xQueueSendFromISR(queue, item, woken) \
  xQueueGenericSendFromISR((queue), (item), (woken), queueSEND_TO_BACK)
#define xQueueSendToBackFromISR(queue, item, woken) \
  xQueueGenericSendFromISR((queue), (item), (woken), queueSEND_TO_BACK)
#define xQueueSendToFrontFromISR(queue, item, woken) \
  xQueueGenericSendFromISR((queue), (item), (woken), queueSEND_TO_FRONT)
#define xQueueOverwriteFromISR(queue, item, woken) \
  xQueueGenericSendFromISR((queue), (item), (woken), queueOVERWRITE)

// Receiving. errQUEUE_EMPTY: no item within `ticks`.

BaseType_t xQueueReceive(QueueHandle_t queue, void* buffer, TickType_t ticks);
BaseType_t xQueuePeek(QueueHandle_t queue, void* buffer, TickType_t ticks);
BaseType_t xQueueReceiveFromISR(QueueHandle_t queue, void* buffer,
                                BaseType_t* higherPriorityTaskWoken);
BaseType_t xQueuePeekFromISR(QueueHandle_t queue, void* buffer);

UBaseType_t uxQueueMessagesWaiting(const QueueHandle_t queue);
UBaseType_t uxQueueMessagesWaitingFromISR(const QueueHandle_t queue);
UBaseType_t uxQueueSpacesAvailable(const QueueHandle_t queue);
BaseType_t xQueueIsQueueEmptyFromISR(const QueueHandle_t queue);
BaseType_t xQueueIsQueueFullFromISR(const QueueHandle_t queue);
UBaseType_t uxQueueGetQueueLength(QueueHandle_t queue);
UBaseType_t uxQueueGetQueueItemSize(QueueHandle_t queue);
uint8_t ucQueueGetQueueType(QueueHandle_t queue);
/// The registry has no entries (CONFIG_FREERTOS_QUEUE_REGISTRY_SIZE), as on the chip.
#define vQueueAddToRegistry(queue, name)
#define vQueueUnregisterQueue(queue)
#define pcQueueGetName(queue)

// Queue sets: a task waits for several queues and semaphores.

QueueSetHandle_t xQueueCreateSet(UBaseType_t length);
BaseType_t xQueueAddToSet(QueueSetMemberHandle_t member, QueueSetHandle_t set);
BaseType_t xQueueRemoveFromSet(QueueSetMemberHandle_t member, QueueSetHandle_t set);
/// The member that can be read or taken, or NULL.
QueueSetMemberHandle_t xQueueSelectFromSet(QueueSetHandle_t set, TickType_t ticks);
QueueSetMemberHandle_t xQueueSelectFromSetFromISR(QueueSetHandle_t set);

#ifdef __cplusplus
}
#endif
