// FreeRTOS message buffers: stream buffers in which a length of 4 bytes precedes each message.
#pragma once

#define FREERTOS_MESSAGE_BUFFER_H

#include "stream_buffer.h"

typedef StreamBufferHandle_t MessageBufferHandle_t;

#define xMessageBufferCreate(size) xStreamBufferGenericCreate((size), 0, pdTRUE, NULL, NULL)
#define xMessageBufferCreateStatic(size, storage, buffer) \
  xStreamBufferGenericCreateStatic((size), 0, pdTRUE, (storage), (buffer), NULL, NULL)
#define vMessageBufferDelete(buffer) vStreamBufferDelete(buffer)
/// Returns 0 when the buffer has no room for the whole message within `ticks`.
#define xMessageBufferSend(buffer, data, length, ticks) \
  xStreamBufferSend((buffer), (data), (length), (ticks))
#define xMessageBufferSendFromISR(buffer, data, length, woken) \
  xStreamBufferSendFromISR((buffer), (data), (length), (woken))
/// Returns 0 when no message arrives within `ticks`, or when it is longer than `length`: it
/// remains.
#define xMessageBufferReceive(buffer, data, length, ticks) \
  xStreamBufferReceive((buffer), (data), (length), (ticks))
#define xMessageBufferReceiveFromISR(buffer, data, length, woken) \
  xStreamBufferReceiveFromISR((buffer), (data), (length), (woken))
#define xMessageBufferIsFull(buffer) xStreamBufferIsFull(buffer)
#define xMessageBufferIsEmpty(buffer) xStreamBufferIsEmpty(buffer)
#define xMessageBufferReset(buffer) xStreamBufferReset(buffer)
#define xMessageBufferSpaceAvailable(buffer) xStreamBufferSpacesAvailable(buffer)
#define xMessageBufferSpacesAvailable(buffer) xStreamBufferSpacesAvailable(buffer)
#define xMessageBufferNextLengthBytes(buffer) xStreamBufferNextMessageLengthBytes(buffer)
