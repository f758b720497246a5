// Stream and message buffers: a ring of bytes for one sender and one receiver, which wait for task
// notifications.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "Support.h"
#include "freertos/idf_additions.h"
#include "freertos/message_buffer.h"

using namespace espbench;

struct StreamBufferDef_t {
  uint8_t* storage;
  size_t length;  ///< of the storage; one byte is always free
  size_t head;    ///< where the next byte is written
  size_t tail;    ///< where the next byte is read
  size_t triggerLevel;
  Task* receiver;  ///< the waiting task, if any
  Task* sender;    ///< the waiting task, if any
  StreamBufferCallbackFunction_t sendCompleted;
  StreamBufferCallbackFunction_t receiveCompleted;
  bool hasMessages;
  bool isStatic;
};
static_assert(sizeof(StreamBufferDef_t) <= sizeof(StaticStreamBuffer_t));

namespace {

/// A message's length precedes it (configMESSAGE_BUFFER_LENGTH_TYPE: the chip's size_t).
using Length = uint32_t;

size_t available(StreamBufferHandle_t buffer) {
  return (buffer->head + buffer->length - buffer->tail) % buffer->length;
}

size_t space(StreamBufferHandle_t buffer) { return buffer->length - 1 - available(buffer); }

size_t write(StreamBufferHandle_t buffer, size_t head, const void* data, size_t count) {
  const size_t first = std::min(count, buffer->length - head);
  memcpy(buffer->storage + head, data, first);
  memcpy(buffer->storage, static_cast<const uint8_t*>(data) + first, count - first);
  return (head + count) % buffer->length;
}

size_t read(StreamBufferHandle_t buffer, size_t tail, void* data, size_t count) {
  const size_t first = std::min(count, buffer->length - tail);
  memcpy(data, buffer->storage + tail, first);
  memcpy(static_cast<uint8_t*>(data) + first, buffer->storage, count - first);
  return (tail + count) % buffer->length;
}

/// Writes as many bytes as fit; a message only as a whole.
size_t add(StreamBufferHandle_t buffer, const void* data, size_t length) {
  size_t head = buffer->head;
  if (buffer->hasMessages) {
    if (space(buffer) < length + sizeof(Length)) return 0;
    const auto prefix = static_cast<Length>(length);
    head = write(buffer, head, &prefix, sizeof prefix);
  } else {
    length = std::min(length, space(buffer));
  }
  if (length > 0) buffer->head = write(buffer, head, data, length);
  return length;
}

/// Reads the available bytes; a message only as a whole.
size_t take(StreamBufferHandle_t buffer, void* data, size_t length) {
  size_t tail = buffer->tail;
  size_t count = available(buffer);
  if (buffer->hasMessages) {
    if (count <= sizeof(Length)) return 0;
    Length message;
    tail = read(buffer, tail, &message, sizeof message);
    if (message > length) return 0;
    count = message;
  }
  count = std::min(count, length);
  if (count > 0) buffer->tail = read(buffer, tail, data, count);
  return count;
}

void notifyTask(Task*& waiting) {
  if (waiting == nullptr) return;
  Task* task = waiting;
  waiting = nullptr;
  xTaskNotify(handleOf(task), 0, eNoAction);
}

void notifyTaskFromISR(Task*& waiting, BaseType_t* woken) {
  if (waiting == nullptr) return;
  Task* task = waiting;
  waiting = nullptr;
  xTaskNotifyFromISR(handleOf(task), 0, eNoAction, woken);
}

bool hasEnough(StreamBufferHandle_t buffer) {
  return buffer->hasMessages ? available(buffer) > 0 : available(buffer) >= buffer->triggerLevel;
}

void initialize(StreamBufferHandle_t buffer, uint8_t* storage, size_t size, size_t triggerLevel,
                bool hasMessages, bool isStatic, StreamBufferCallbackFunction_t sendCompleted,
                StreamBufferCallbackFunction_t receiveCompleted) {
  *buffer = {};
  buffer->storage = storage;
  buffer->length = size;
  buffer->triggerLevel = std::max<size_t>(triggerLevel, 1);
  buffer->hasMessages = hasMessages;
  buffer->isStatic = isStatic;
  buffer->sendCompleted = sendCompleted;
  buffer->receiveCompleted = receiveCompleted;
}

}  // namespace

extern "C" {

StreamBufferHandle_t xStreamBufferGenericCreate(size_t size, size_t triggerLevel,
                                                BaseType_t isMessageBuffer,
                                                StreamBufferCallbackFunction_t sendCompleted,
                                                StreamBufferCallbackFunction_t receiveCompleted) {
  constexpr char kFunction[] = "xStreamBufferGenericCreate";
  const bool hasMessages = isMessageBuffer != pdFALSE;
  require(!hasMessages || size > sizeof(Length),
          {kFunction, "stream_buffer.c", 346, "xBufferSizeBytes > ( sizeof( size_t ) )"});
  require(hasMessages || size > 0, {kFunction, "stream_buffer.c", 352, "xBufferSizeBytes > 0"});
  require(triggerLevel <= size,
          {kFunction, "stream_buffer.c", 355, "xTriggerLevelBytes <= xBufferSizeBytes"});
  if (size > SIZE_MAX - sizeof(StaticStreamBuffer_t) - 1) return nullptr;
  auto* block = static_cast<uint8_t*>(malloc(sizeof(StaticStreamBuffer_t) + size + 1));
  if (block == nullptr) return nullptr;
  auto* buffer = reinterpret_cast<StreamBufferHandle_t>(block);
  initialize(buffer, block + sizeof(StaticStreamBuffer_t), size + 1, triggerLevel, hasMessages,
             false, sendCompleted, receiveCompleted);
  return buffer;
}

StreamBufferHandle_t xStreamBufferGenericCreateStatic(
    size_t size, size_t triggerLevel, BaseType_t isMessageBuffer, uint8_t* storage,
    StaticStreamBuffer_t* memory, StreamBufferCallbackFunction_t sendCompleted,
    StreamBufferCallbackFunction_t receiveCompleted) {
  constexpr char kFunction[] = "xStreamBufferGenericCreateStatic";
  require(storage != nullptr, {kFunction, "stream_buffer.c", 423, "pucStreamBufferStorageArea"});
  require(memory != nullptr, {kFunction, "stream_buffer.c", 424, "pxStaticStreamBuffer"});
  require(triggerLevel <= size,
          {kFunction, "stream_buffer.c", 425, "xTriggerLevelBytes <= xBufferSizeBytes"});
  auto* buffer = reinterpret_cast<StreamBufferHandle_t>(memory);
  initialize(buffer, storage, size, triggerLevel, isMessageBuffer != pdFALSE, true, sendCompleted,
             receiveCompleted);
  return buffer;
}

void vStreamBufferDelete(StreamBufferHandle_t buffer) {
  require(buffer != nullptr, {"vStreamBufferDelete", "stream_buffer.c", 528, "pxStreamBuffer"});
  if (!buffer->isStatic) free(buffer);
}

void vStreamBufferGenericDeleteWithCaps(StreamBufferHandle_t buffer, BaseType_t) {
  require(buffer != nullptr,
          {"xStreamBufferGetStaticBuffers", "stream_buffer.c", 504, "pxStreamBuffer"});
  require(buffer->isStatic, {"vStreamBufferGenericDeleteWithCaps", "idf_additions.c", 407,
                             "xResult == ( ( BaseType_t ) 1 )"});
  uint8_t* storage = buffer->storage;
  vStreamBufferDelete(buffer);
  heap_caps_free(buffer);
  heap_caps_free(storage);
}

size_t xStreamBufferSend(StreamBufferHandle_t buffer, const void* data, size_t length,
                         TickType_t ticks) {
  require(data != nullptr, {"xStreamBufferSend", "stream_buffer.c", 700, "pvTxData"});
  require(buffer != nullptr, {"xStreamBufferSend", "stream_buffer.c", 701, "pxStreamBuffer"});
  const size_t capacity = buffer->length - 1;
  const size_t required =
      buffer->hasMessages ? length + sizeof(Length) : std::min(length, capacity);
  // Does not wait for room if the message can never fit.
  if (required > capacity) ticks = 0;
  const uint64_t deadline = ticks == 0 ? 0 : deadlineAfter(ticks);
  while (ticks != 0 && space(buffer) < required) {
    const uint64_t present = now();
    if (present >= deadline) break;
    require(buffer->sender == nullptr, {"xStreamBufferSend", "stream_buffer.c", 764,
                                        "pxStreamBuffer->xTaskWaitingToSend == ((void *)0)"});
    xTaskNotifyStateClear(nullptr);
    buffer->sender = currentTask();
    const uint64_t left = (deadline - present + kTickNanoseconds - 1) / kTickNanoseconds;
    xTaskNotifyWait(0, 0, nullptr,
                    ticks == portMAX_DELAY ? portMAX_DELAY : static_cast<TickType_t>(left));
    buffer->sender = nullptr;
  }
  const size_t sent = add(buffer, data, length);
  if (sent > 0 && hasEnough(buffer)) {
    if (buffer->sendCompleted != nullptr) {
      buffer->sendCompleted(buffer, pdFALSE, nullptr);
    } else {
      notifyTask(buffer->receiver);
    }
  }
  return sent;
}

size_t xStreamBufferSendFromISR(StreamBufferHandle_t buffer, const void* data, size_t length,
                                BaseType_t* woken) {
  require(data != nullptr, {"xStreamBufferSendFromISR", "stream_buffer.c", 840, "pvTxData"});
  require(buffer != nullptr,
          {"xStreamBufferSendFromISR", "stream_buffer.c", 841, "pxStreamBuffer"});
  const size_t sent = add(buffer, data, length);
  if (sent > 0 && hasEnough(buffer)) {
    if (buffer->sendCompleted != nullptr) {
      buffer->sendCompleted(buffer, pdTRUE, woken);
    } else {
      notifyTaskFromISR(buffer->receiver, woken);
    }
  }
  return sent;
}

size_t xStreamBufferReceive(StreamBufferHandle_t buffer, void* data, size_t length,
                            TickType_t ticks) {
  require(data != nullptr, {"xStreamBufferReceive", "stream_buffer.c", 940, "pvRxData"});
  require(buffer != nullptr, {"xStreamBufferReceive", "stream_buffer.c", 941, "pxStreamBuffer"});
  if (ticks == 0) poll();
  const size_t overhead = buffer->hasMessages ? sizeof(Length) : 0;
  if (ticks != 0 && available(buffer) <= overhead) {
    xTaskNotifyStateClear(nullptr);
    require(buffer->receiver == nullptr, {"xStreamBufferReceive", "stream_buffer.c", 976,
                                          "pxStreamBuffer->xTaskWaitingToReceive == ((void *)0)"});
    buffer->receiver = currentTask();
    xTaskNotifyWait(0, 0, nullptr, ticks);
    buffer->receiver = nullptr;
  }
  const size_t received = take(buffer, data, length);
  if (received > 0) {
    if (buffer->receiveCompleted != nullptr) {
      buffer->receiveCompleted(buffer, pdFALSE, nullptr);
    } else {
      notifyTask(buffer->sender);
    }
  }
  return received;
}

size_t xStreamBufferReceiveFromISR(StreamBufferHandle_t buffer, void* data, size_t length,
                                   BaseType_t* woken) {
  require(data != nullptr, {"xStreamBufferReceiveFromISR", "stream_buffer.c", 1096, "pvRxData"});
  require(buffer != nullptr,
          {"xStreamBufferReceiveFromISR", "stream_buffer.c", 1097, "pxStreamBuffer"});
  const size_t received = take(buffer, data, length);
  if (received > 0) {
    if (buffer->receiveCompleted != nullptr) {
      buffer->receiveCompleted(buffer, pdTRUE, woken);
    } else {
      notifyTaskFromISR(buffer->sender, woken);
    }
  }
  return received;
}

BaseType_t xStreamBufferReset(StreamBufferHandle_t buffer) {
  require(buffer != nullptr, {"xStreamBufferReset", "stream_buffer.c", 567, "pxStreamBuffer"});
  if (buffer->sender != nullptr || buffer->receiver != nullptr) return pdFAIL;
  buffer->head = buffer->tail = 0;
  return pdPASS;
}

BaseType_t xStreamBufferSetTriggerLevel(StreamBufferHandle_t buffer, size_t triggerLevel) {
  require(buffer != nullptr,
          {"xStreamBufferSetTriggerLevel", "stream_buffer.c", 620, "pxStreamBuffer"});
  triggerLevel = std::max<size_t>(triggerLevel, 1);
  if (triggerLevel >= buffer->length) return pdFALSE;
  buffer->triggerLevel = triggerLevel;
  return pdTRUE;
}

size_t xStreamBufferSpacesAvailable(StreamBufferHandle_t buffer) {
  require(buffer != nullptr,
          {"xStreamBufferSpacesAvailable", "stream_buffer.c", 650, "pxStreamBuffer"});
  poll();
  return space(buffer);
}

size_t xStreamBufferBytesAvailable(StreamBufferHandle_t buffer) {
  require(buffer != nullptr,
          {"xStreamBufferBytesAvailable", "stream_buffer.c", 682, "pxStreamBuffer"});
  poll();
  return available(buffer);
}

size_t xStreamBufferNextMessageLengthBytes(StreamBufferHandle_t buffer) {
  require(buffer != nullptr,
          {"xStreamBufferNextMessageLengthBytes", "stream_buffer.c", 1054, "pxStreamBuffer"});
  if (!buffer->hasMessages || available(buffer) <= sizeof(Length)) return 0;
  Length length;
  read(buffer, buffer->tail, &length, sizeof length);
  return length;
}

BaseType_t xStreamBufferIsEmpty(StreamBufferHandle_t buffer) {
  require(buffer != nullptr, {"xStreamBufferIsEmpty", "stream_buffer.c", 1203, "pxStreamBuffer"});
  poll();
  return available(buffer) == 0;
}

BaseType_t xStreamBufferIsFull(StreamBufferHandle_t buffer) {
  require(buffer != nullptr, {"xStreamBufferIsFull", "stream_buffer.c", 1227, "pxStreamBuffer"});
  return space(buffer) <= (buffer->hasMessages ? sizeof(Length) : 0);
}

}  // extern "C"
