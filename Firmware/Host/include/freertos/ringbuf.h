// ESP-IDF 5.5 freertos/ringbuf.h: ring buffers, whose items are read in place and then returned. An
// item occupies its size rounded up to 4, plus 8 bytes; byte buffers have no overhead.
#pragma once

#include "FreeRTOS.h"
#include "queue.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void* RingbufHandle_t;

typedef enum {
  RINGBUF_TYPE_NOSPLIT = 0,  ///< items are never split, and take at most half of the buffer
  RINGBUF_TYPE_ALLOWSPLIT,   ///< an item may be split in two at the buffer's end
  RINGBUF_TYPE_BYTEBUF,      ///< a byte stream without items; one read at a time
  RINGBUF_TYPE_MAX,
} RingbufferType_t;

typedef struct xSTATIC_RINGBUFFER {
  void* words[28];
} StaticRingbuffer_t;

/// Returns NULL when the heap has no room. Sizes are rounded up to 4, except those of byte buffers.
RingbufHandle_t xRingbufferCreate(size_t xBufferSize, RingbufferType_t xBufferType);
/// Creates a buffer for `xItemNum` items of size `xItemSize`.
RingbufHandle_t xRingbufferCreateNoSplit(size_t xItemSize, size_t xItemNum);
RingbufHandle_t xRingbufferCreateStatic(size_t xBufferSize, RingbufferType_t xBufferType,
                                        uint8_t* pucRingbufferStorage,
                                        StaticRingbuffer_t* pxStaticRingbuffer);
RingbufHandle_t xRingbufferCreateWithCaps(size_t xBufferSize, RingbufferType_t xBufferType,
                                          UBaseType_t uxMemoryCaps);
/// Tasks that wait for the buffer continue to wait.
void vRingbufferDelete(RingbufHandle_t xRingbuffer);
void vRingbufferDeleteWithCaps(RingbufHandle_t xRingbuffer);

/// Returns pdFALSE when the buffer has no room within the ticks, at once for an item that never
/// fits.
BaseType_t xRingbufferSend(RingbufHandle_t xRingbuffer, const void* pvItem, size_t xItemSize,
                           TickType_t xTicksToWait);
BaseType_t xRingbufferSendFromISR(RingbufHandle_t xRingbuffer, const void* pvItem, size_t xItemSize,
                                  BaseType_t* pxHigherPriorityTaskWoken);
/// Reserves room for an item in a buffer that does not split items. The item can be read after
/// xRingbufferSendComplete().
BaseType_t xRingbufferSendAcquire(RingbufHandle_t xRingbuffer, void** ppvItem, size_t xItemSize,
                                  TickType_t xTicksToWait);
BaseType_t xRingbufferSendComplete(RingbufHandle_t xRingbuffer, void* pvItem);

/// The oldest item, or contiguous bytes; NULL when none arrive within the ticks. Not for buffers
/// that split items.
void* xRingbufferReceive(RingbufHandle_t xRingbuffer, size_t* pxItemSize, TickType_t xTicksToWait);
void* xRingbufferReceiveFromISR(RingbufHandle_t xRingbuffer, size_t* pxItemSize);
/// Both parts of an item; the second one is NULL when the item is not split. Both parts must be
/// returned.
BaseType_t xRingbufferReceiveSplit(RingbufHandle_t xRingbuffer, void** ppvHeadItem,
                                   void** ppvTailItem, size_t* pxHeadItemSize,
                                   size_t* pxTailItemSize, TickType_t xTicksToWait);
BaseType_t xRingbufferReceiveSplitFromISR(RingbufHandle_t xRingbuffer, void** ppvHeadItem,
                                          void** ppvTailItem, size_t* pxHeadItemSize,
                                          size_t* pxTailItemSize);
/// At most `xMaxSize` bytes of a byte buffer.
void* xRingbufferReceiveUpTo(RingbufHandle_t xRingbuffer, size_t* pxItemSize,
                             TickType_t xTicksToWait, size_t xMaxSize);
void* xRingbufferReceiveUpToFromISR(RingbufHandle_t xRingbuffer, size_t* pxItemSize,
                                    size_t xMaxSize);
/// Returns the memory of a received item; a second call for the same item fails an assertion.
void vRingbufferReturnItem(RingbufHandle_t xRingbuffer, void* pvItem);
void vRingbufferReturnItemFromISR(RingbufHandle_t xRingbuffer, void* pvItem,
                                  BaseType_t* pxHigherPriorityTaskWoken);

size_t xRingbufferGetMaxItemSize(RingbufHandle_t xRingbuffer);
/// The size of the longest item that fits now.
size_t xRingbufferGetCurFreeSize(RingbufHandle_t xRingbuffer);
/// Returns pdFALSE when the buffer is in a set already, or has readable items.
BaseType_t xRingbufferAddToQueueSetRead(RingbufHandle_t xRingbuffer, QueueSetHandle_t xQueueSet);
BaseType_t xRingbufferRemoveFromQueueSetRead(RingbufHandle_t xRingbuffer,
                                             QueueSetHandle_t xQueueSet);
static inline BaseType_t xRingbufferCanRead(RingbufHandle_t xRingbuffer,
                                            QueueSetMemberHandle_t xMember) {
  return xMember == (QueueSetMemberHandle_t)xRingbuffer ? pdTRUE : pdFALSE;
}
/// Offsets into the storage, and the number of waiting items or bytes; each pointer may be NULL.
void vRingbufferGetInfo(RingbufHandle_t xRingbuffer, UBaseType_t* uxFree, UBaseType_t* uxRead,
                        UBaseType_t* uxWrite, UBaseType_t* uxAcquire, UBaseType_t* uxItemsWaiting);
void xRingbufferPrintInfo(RingbufHandle_t xRingbuffer);
/// Returns pdFALSE for a buffer whose memory was not provided by the caller.
BaseType_t xRingbufferGetStaticBuffer(RingbufHandle_t xRingbuffer, uint8_t** ppucRingbufferStorage,
                                      StaticRingbuffer_t** ppxStaticRingbuffer);

#ifdef __cplusplus
}
#endif
