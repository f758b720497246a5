// Queues: copies of items, in order, with tasks that wait for room or for an item.
#include <cstdlib>
#include <cstring>

#include "Queue.h"
#include "freertos/idf_additions.h"

using namespace espbench;

namespace {

constexpr char kHasItem[] =
    "!( ( pvItemToQueue == ((void *)0) ) && ( pxQueue->uxItemSize != ( UBaseType_t ) 0U ) )";
constexpr char kHasBuffer[] =
    "!( ( ( pvBuffer ) == ((void *)0) ) && ( ( pxQueue )->uxItemSize != ( UBaseType_t ) 0U ) )";
constexpr char kHasBufferFromISR[] =
    "!( ( pvBuffer == ((void *)0) ) && ( pxQueue->uxItemSize != ( UBaseType_t ) 0U ) )";
constexpr char kMayOverwrite[] =
    "!( ( xCopyPosition == ( ( BaseType_t ) 2 ) ) && ( pxQueue->uxLength != 1 ) )";

void initialize(QueueDefinition* queue, UBaseType_t length, UBaseType_t itemSize, uint8_t* storage,
                uint8_t type, bool isStatic) {
  *queue = {};
  queue->storage = storage;
  queue->length = length;
  queue->itemSize = itemSize;
  queue->type = type;
  queue->isStatic = isStatic;
}

uint8_t* slot(QueueDefinition* queue, UBaseType_t index) {
  return queue->storage + size_t{(queue->first + index) % queue->length} * queue->itemSize;
}

BaseType_t receive(QueueHandle_t queue, void* buffer, TickType_t ticks, bool stays) {
  if (ticks == 0) poll();
  for (Waiting waiting(ticks);;) {
    if (queue->count > 0) {
      get(queue, buffer, stays);
      reschedule();
      return pdPASS;
    }
    if (!waiting.block(queue->receivers)) return errQUEUE_EMPTY;
  }
}

}  // namespace

namespace espbench {

Task* put(QueueDefinition* queue, const void* item, BaseType_t position) {
  const bool replaces = position == queueOVERWRITE && queue->count > 0;
  if (queue->isMutex()) releaseMutex(queue);
  if (queue->itemSize > 0) {
    if (position == queueSEND_TO_FRONT) {
      queue->first = (queue->first + queue->length - 1) % queue->length;
      memcpy(slot(queue, 0), item, queue->itemSize);
    } else {
      memcpy(slot(queue, replaces ? 0 : queue->count), item, queue->itemSize);
    }
  }
  if (replaces) return nullptr;
  queue->count++;
  if (queue->set == nullptr) return wakeFirst(queue->receivers);
  require(queue->set->count < queue->set->length,
          {"prvNotifyQueueSetContainer", "queue.c", 3362,
           "pxQueueSetContainer->uxMessagesWaiting < pxQueueSetContainer->uxLength"});
  return put(queue->set, &queue, queueSEND_TO_BACK);
}

Task* get(QueueDefinition* queue, void* buffer, bool stays) {
  if (queue->itemSize > 0) memcpy(buffer, slot(queue, 0), queue->itemSize);
  // A peeked item stays in the queue: the next waiting task may read it.
  if (stays) return wakeFirst(queue->receivers);
  queue->first = (queue->first + 1) % queue->length;
  queue->count--;
  if (queue->isMutex()) holdMutex(queue);
  return wakeFirst(queue->senders);
}

}  // namespace espbench

extern "C" {

QueueHandle_t xQueueGenericCreate(UBaseType_t length, UBaseType_t itemSize, uint8_t type) {
  uint64_t bytes = uint64_t{length} * itemSize;
  require(length > 0 && bytes <= UINT32_MAX - sizeof(StaticQueue_t),
          {"xQueueGenericCreate", "queue.c", 573, "pxNewQueue"});
  auto* block = static_cast<uint8_t*>(malloc(sizeof(StaticQueue_t) + static_cast<size_t>(bytes)));
  if (block == nullptr) return nullptr;
  auto* queue = reinterpret_cast<QueueHandle_t>(block);
  initialize(queue, length, itemSize, block + sizeof(StaticQueue_t), type, false);
  return queue;
}

QueueHandle_t xQueueGenericCreateStatic(UBaseType_t length, UBaseType_t itemSize, uint8_t* storage,
                                        StaticQueue_t* buffer, uint8_t type) {
  require(buffer != nullptr, {"xQueueGenericCreateStatic", "queue.c", 415, "pxStaticQueue"});
  require(length > 0 && (storage != nullptr) == (itemSize > 0),
          {"xQueueGenericCreateStatic", "queue.c", 456, "pxNewQueue"});
  auto* queue = reinterpret_cast<QueueHandle_t>(buffer);
  initialize(queue, length, itemSize, storage, type, true);
  return queue;
}

void vQueueDelete(QueueHandle_t queue) {
  require(queue != nullptr, {"vQueueDelete", "queue.c", 2355, "pxQueue"});
  if (!queue->isStatic) free(queue);
}

void vQueueDeleteWithCaps(QueueHandle_t queue) {
  require(queue != nullptr, {"xQueueGenericGetStaticBuffers", "queue.c", 475, "pxQueue"});
  require(queue->isStatic,
          {"vQueueDeleteWithCaps", "idf_additions.c", 252, "xResult == ( ( BaseType_t ) 1 )"});
  uint8_t* storage = queue->storage;
  vQueueDelete(queue);
  heap_caps_free(queue);
  heap_caps_free(storage);
}

void vSemaphoreDeleteWithCaps(SemaphoreHandle_t semaphore) {
  require(semaphore != nullptr, {"xQueueGenericGetStaticBuffers", "queue.c", 475, "pxQueue"});
  require(semaphore->isStatic,
          {"vSemaphoreDeleteWithCaps", "idf_additions.c", 325, "xResult == ( ( BaseType_t ) 1 )"});
  vSemaphoreDelete(semaphore);
  heap_caps_free(semaphore);
}

BaseType_t xQueueGenericReset(QueueHandle_t queue, BaseType_t isNew) {
  require(queue != nullptr, {"xQueueGenericReset", "queue.c", 333, "pxQueue"});
  queue->count = 0;
  queue->first = 0;
  if (isNew == pdFALSE && wakeFirst(queue->senders) != nullptr) reschedule();
  return pdPASS;
}

BaseType_t xQueueGenericSend(QueueHandle_t queue, const void* item, TickType_t ticks,
                             BaseType_t position) {
  require(queue != nullptr, {"xQueueGenericSend", "queue.c", 936, "pxQueue"});
  require(item != nullptr || queue->itemSize == 0, {"xQueueGenericSend", "queue.c", 937, kHasItem});
  require(position != queueOVERWRITE || queue->length == 1,
          {"xQueueGenericSend", "queue.c", 938, kMayOverwrite});
  require(!isSchedulerSuspended() || ticks == 0, {"xQueueGenericSend", "queue.c", 941, kMayWait});
  if (ticks == 0 && queue->count == queue->length) poll();
  for (Waiting waiting(ticks);;) {
    if (queue->count < queue->length || position == queueOVERWRITE) {
      put(queue, item, position);
      reschedule();
      return pdPASS;
    }
    if (!waiting.block(queue->senders)) return errQUEUE_FULL;
  }
}

BaseType_t xQueueGenericSendFromISR(QueueHandle_t queue, const void* item, BaseType_t* woken,
                                    BaseType_t position) {
  require(queue != nullptr, {"xQueueGenericSendFromISR", "queue.c", 1180, "pxQueue"});
  require(item != nullptr || queue->itemSize == 0,
          {"xQueueGenericSendFromISR", "queue.c", 1181, kHasItem});
  require(position != queueOVERWRITE || queue->length == 1,
          {"xQueueGenericSendFromISR", "queue.c", 1182, kMayOverwrite});
  if (queue->count == queue->length && position != queueOVERWRITE) return errQUEUE_FULL;
  noteWoken(put(queue, item, position), woken);
  return pdPASS;
}

BaseType_t xQueueReceive(QueueHandle_t queue, void* buffer, TickType_t ticks) {
  require(queue != nullptr, {"xQueueReceive", "queue.c", 1531, "( pxQueue )"});
  require(buffer != nullptr || queue->itemSize == 0,
          {"xQueueReceive", "queue.c", 1535, kHasBuffer});
  require(!isSchedulerSuspended() || ticks == 0, {"xQueueReceive", "queue.c", 1540, kMayWait});
  return receive(queue, buffer, ticks, false);
}

BaseType_t xQueuePeek(QueueHandle_t queue, void* buffer, TickType_t ticks) {
  require(queue != nullptr, {"xQueuePeek", "queue.c", 1976, "( pxQueue )"});
  require(buffer != nullptr || queue->itemSize == 0, {"xQueuePeek", "queue.c", 1980, kHasBuffer});
  require(!isSchedulerSuspended() || ticks == 0, {"xQueuePeek", "queue.c", 1985, kMayWait});
  return receive(queue, buffer, ticks, true);
}

BaseType_t xQueueReceiveFromISR(QueueHandle_t queue, void* buffer, BaseType_t* woken) {
  require(queue != nullptr, {"xQueueReceiveFromISR", "queue.c", 2157, "pxQueue"});
  require(buffer != nullptr || queue->itemSize == 0,
          {"xQueueReceiveFromISR", "queue.c", 2158, kHasBufferFromISR});
  if (queue->count == 0) return pdFAIL;
  noteWoken(get(queue, buffer, false), woken);
  return pdPASS;
}

BaseType_t xQueuePeekFromISR(QueueHandle_t queue, void* buffer) {
  require(queue != nullptr, {"xQueuePeekFromISR", "queue.c", 2259, "pxQueue"});
  require(buffer != nullptr || queue->itemSize == 0,
          {"xQueuePeekFromISR", "queue.c", 2260, kHasBufferFromISR});
  require(queue->itemSize != 0, {"xQueuePeekFromISR", "queue.c", 2261, "pxQueue->uxItemSize != 0"});
  if (queue->count == 0) return pdFAIL;
  memcpy(buffer, slot(queue, 0), queue->itemSize);
  return pdPASS;
}

UBaseType_t uxQueueMessagesWaiting(const QueueHandle_t queue) {
  require(queue != nullptr, {"uxQueueMessagesWaiting", "queue.c", 2310, "xQueue"});
  poll();
  return queue->count;
}

UBaseType_t uxQueueMessagesWaitingFromISR(const QueueHandle_t queue) {
  require(queue != nullptr, {"uxQueueMessagesWaitingFromISR", "queue.c", 2344, "pxQueue"});
  return queue->count;
}

UBaseType_t uxQueueSpacesAvailable(const QueueHandle_t queue) {
  require(queue != nullptr, {"uxQueueSpacesAvailable", "queue.c", 2327, "pxQueue"});
  poll();
  return queue->length - queue->count;
}

BaseType_t xQueueIsQueueEmptyFromISR(const QueueHandle_t queue) {
  require(queue != nullptr, {"xQueueIsQueueEmptyFromISR", "queue.c", 2705, "pxQueue"});
  return queue->count == 0;
}

BaseType_t xQueueIsQueueFullFromISR(const QueueHandle_t queue) {
  require(queue != nullptr, {"xQueueIsQueueFullFromISR", "queue.c", 2748, "pxQueue"});
  return queue->count == queue->length;
}

UBaseType_t uxQueueGetQueueLength(QueueHandle_t queue) { return queue->length; }
UBaseType_t uxQueueGetQueueItemSize(QueueHandle_t queue) { return queue->itemSize; }
uint8_t ucQueueGetQueueType(QueueHandle_t queue) { return queue->type; }

}  // extern "C"
