// FreeRTOS stream buffers: bytes from one task or interrupt to one task. A wait uses the task's
// notification, as on the chip.
#pragma once

#define STREAM_BUFFER_H

#include "FreeRTOS.h"
#include "task.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StreamBufferDef_t* StreamBufferHandle_t;
typedef void (*StreamBufferCallbackFunction_t)(StreamBufferHandle_t buffer, BaseType_t isInsideISR,
                                               BaseType_t* higherPriorityTaskWoken);

StreamBufferHandle_t xStreamBufferGenericCreate(size_t size, size_t triggerLevel,
                                                BaseType_t isMessageBuffer,
                                                StreamBufferCallbackFunction_t sendCompleted,
                                                StreamBufferCallbackFunction_t receiveCompleted);
/// `storage` has `size` bytes; at most size - 1 bytes are data.
StreamBufferHandle_t xStreamBufferGenericCreateStatic(
    size_t size, size_t triggerLevel, BaseType_t isMessageBuffer, uint8_t* storage,
    StaticStreamBuffer_t* buffer, StreamBufferCallbackFunction_t sendCompleted,
    StreamBufferCallbackFunction_t receiveCompleted);
/// A task that waits for data continues when `triggerLevel` bytes are available.
#define xStreamBufferCreate(size, triggerLevel) \
  xStreamBufferGenericCreate((size), (triggerLevel), pdFALSE, NULL, NULL)
#define xStreamBufferCreateStatic(size, triggerLevel, storage, buffer) \
  xStreamBufferGenericCreateStatic((size), (triggerLevel), pdFALSE, (storage), (buffer), NULL, NULL)
void vStreamBufferDelete(StreamBufferHandle_t buffer);

/// Returns the number of bytes sent: fewer than `length` when not all fit within `ticks`.
size_t xStreamBufferSend(StreamBufferHandle_t buffer, const void* data, size_t length,
                         TickType_t ticks);
size_t xStreamBufferSendFromISR(StreamBufferHandle_t buffer, const void* data, size_t length,
                                BaseType_t* higherPriorityTaskWoken);
/// Returns the number of bytes received: 0 when none arrive within `ticks`.
size_t xStreamBufferReceive(StreamBufferHandle_t buffer, void* data, size_t length,
                            TickType_t ticks);
size_t xStreamBufferReceiveFromISR(StreamBufferHandle_t buffer, void* data, size_t length,
                                   BaseType_t* higherPriorityTaskWoken);
/// Returns pdFAIL while a task waits for the buffer.
BaseType_t xStreamBufferReset(StreamBufferHandle_t buffer);
BaseType_t xStreamBufferSetTriggerLevel(StreamBufferHandle_t buffer, size_t triggerLevel);
size_t xStreamBufferSpacesAvailable(StreamBufferHandle_t buffer);
size_t xStreamBufferBytesAvailable(StreamBufferHandle_t buffer);
size_t xStreamBufferNextMessageLengthBytes(StreamBufferHandle_t buffer);
BaseType_t xStreamBufferIsEmpty(StreamBufferHandle_t buffer);
BaseType_t xStreamBufferIsFull(StreamBufferHandle_t buffer);

#ifdef __cplusplus
}
#endif
