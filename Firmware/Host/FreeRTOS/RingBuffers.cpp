// ESP-IDF's ring buffers: waiting for room and for items. Ring.cpp has the storage.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "Ring.h"
#include "esp_heap_caps.h"

using namespace espbench;

namespace {

constexpr char kFile[] = "ringbuf.c";
constexpr char kRing[] = "pxRingbuffer";
constexpr char kRingAndSize[] = "pxRingbuffer && pxItemSize";
constexpr char kRingAndSet[] = "pxRingbuffer && xQueueSet";
constexpr char kAllSplit[] =
    "pxRingbuffer && ppvHeadItem && ppvTailItem && pxHeadItemSize && pxTailItemSize";
constexpr char kHasItem[] = "pvItem != ((void *)0) || xItemSize == 0";
constexpr char kNeverSplits[] =
    "(pxRingbuffer->uxRingbufferFlags & (( ( UBaseType_t ) 2 ) | ( ( UBaseType_t ) 1 ))) == 0";
constexpr char kMayNotSplit[] = "(pxRingbuffer->uxRingbufferFlags & ( ( UBaseType_t ) 1 )) == 0";
constexpr char kMaySplit[] = "pxRingbuffer->uxRingbufferFlags & ( ( UBaseType_t ) 1 )";
constexpr char kIsBytes[] = "pxRingbuffer->uxRingbufferFlags & ( ( UBaseType_t ) 2 )";

/// The ring of a handle, which is not NULL.
Ring* ringOf(RingbufHandle_t handle, const char* function, unsigned line) {
  require(handle != nullptr, {function, kFile, line, kRing});
  return static_cast<Ring*>(handle);
}

size_t rounded(size_t size, RingbufferType_t type) {
  return type == RINGBUF_TYPE_BYTEBUF ? size : (size + 3) & ~size_t{3};
}

/// Items can be read: notifies the queue set or the waiting task. Returns that task.
Task* noteReadable(Ring* ring) {
  if (ring->set == nullptr) return wakeFirst(ring->receivers);
  xQueueSend(ring->set, &ring, 0);
  return nullptr;
}

BaseType_t send(Ring* ring, const void* item, void** reserved, size_t size, TickType_t ticks) {
  const auto length = static_cast<uint32_t>(size);
  if (ticks == 0) poll();
  for (Waiting waiting(ticks);;) {
    if (ring->fits(length)) {
      if (reserved != nullptr) {
        *reserved = ring->reserve(length);
      } else {
        ring->put(item, length);
        if (noteReadable(ring) != nullptr) reschedule();
      }
      return pdTRUE;
    }
    if (!waiting.block(ring->senders)) return pdFALSE;
  }
}

/// The readable bytes, in one part or two.
struct Parts {
  void* data[2] = {};
  size_t size[2] = {};
};

bool take(Ring* ring, Parts& parts, size_t limit) {
  if (!ring->canRead()) return false;
  if (ring->isBytes()) {
    parts.data[0] = ring->takeBytes(parts.size[0], limit);
    return true;
  }
  bool isSplit;
  parts.data[0] = ring->takeItem(parts.size[0], isSplit);
  if (isSplit) parts.data[1] = ring->takeItem(parts.size[1], isSplit);
  return true;
}

bool receive(Ring* ring, Parts& parts, size_t limit, TickType_t ticks) {
  if (ticks == 0) poll();
  for (Waiting waiting(ticks);;) {
    if (take(ring, parts, limit)) return true;
    if (!waiting.block(ring->receivers)) return false;
  }
}

/// Returns the first part, for the functions that return a single part.
void* single(bool hasPart, const Parts& parts, size_t* size) {
  if (!hasPart) return nullptr;
  *size = parts.size[0];
  return parts.data[0];
}

BaseType_t both(bool hasParts, const Parts& parts, void** head, void** tail, size_t* headSize,
                size_t* tailSize) {
  if (!hasParts) return pdFALSE;
  *head = parts.data[0];
  *headSize = parts.size[0];
  *tail = parts.data[1];
  if (parts.data[1] != nullptr) *tailSize = parts.size[1];
  return pdTRUE;
}

RingbufHandle_t opened(void* ring, void* storage, size_t size, RingbufferType_t type,
                       bool isStatic) {
  static_cast<Ring*>(ring)->open(static_cast<uint8_t*>(storage), static_cast<uint32_t>(size), type,
                                 isStatic);
  return ring;
}

}  // namespace

extern "C" {

RingbufHandle_t xRingbufferCreate(size_t size, RingbufferType_t type) {
  require(size > 0, {"xRingbufferCreate", kFile, 936, "xBufferSize > 0"});
  require(type < RINGBUF_TYPE_MAX,
          {"xRingbufferCreate", kFile, 937, "xBufferType < RINGBUF_TYPE_MAX"});
  size = rounded(size, type);
  void* ring = calloc(1, sizeof(StaticRingbuffer_t));
  void* storage = malloc(size);
  if (ring != nullptr && storage != nullptr) return opened(ring, storage, size, type, false);
  free(ring);
  free(storage);
  return nullptr;
}

RingbufHandle_t xRingbufferCreateNoSplit(size_t itemSize, size_t items) {
  constexpr size_t kHead = 8;
  return xRingbufferCreate((rounded(itemSize, RINGBUF_TYPE_NOSPLIT) + kHead) * items,
                           RINGBUF_TYPE_NOSPLIT);
}

RingbufHandle_t xRingbufferCreateStatic(size_t size, RingbufferType_t type, uint8_t* storage,
                                        StaticRingbuffer_t* memory) {
  constexpr char kFunction[] = "xRingbufferCreateStatic";
  require(size > 0, {kFunction, kFile, 970, "xBufferSize > 0"});
  require(type < RINGBUF_TYPE_MAX, {kFunction, kFile, 971, "xBufferType < RINGBUF_TYPE_MAX"});
  require(storage != nullptr && memory != nullptr,
          {kFunction, kFile, 972,
           "pucRingbufferStorage != ((void *)0) && pxStaticRingbuffer != ((void *)0)"});
  require(size == rounded(size, type),
          {kFunction, kFile, 975, "( ( ( UBaseType_t ) ( xBufferSize ) & (0x03) ) == 0 )"});
  return opened(memory, storage, size, type, true);
}

RingbufHandle_t xRingbufferCreateWithCaps(size_t size, RingbufferType_t type, UBaseType_t caps) {
  size = rounded(size, type);
  void* memory = heap_caps_malloc(sizeof(StaticRingbuffer_t), caps);
  void* storage = heap_caps_malloc(size, caps);
  if (memory != nullptr && storage != nullptr) {
    return xRingbufferCreateStatic(size, type, static_cast<uint8_t*>(storage),
                                   static_cast<StaticRingbuffer_t*>(memory));
  }
  heap_caps_free(memory);
  heap_caps_free(storage);
  return nullptr;
}

void vRingbufferDelete(RingbufHandle_t handle) {
  Ring* ring = ringOf(handle, "vRingbufferDelete", 1250);
  if (ring->isStatic) return;
  free(ring->storage);
  free(ring);
}

void vRingbufferDeleteWithCaps(RingbufHandle_t handle) {
  uint8_t* storage = nullptr;
  StaticRingbuffer_t* memory = nullptr;
  const BaseType_t isStatic = xRingbufferGetStaticBuffer(handle, &storage, &memory);
  require(isStatic == pdTRUE,
          {"vRingbufferDeleteWithCaps", kFile, 1426, "xResult == ( ( BaseType_t ) 1 )"});
  heap_caps_free(memory);
  heap_caps_free(storage);
}

BaseType_t xRingbufferSend(RingbufHandle_t handle, const void* item, size_t size,
                           TickType_t ticks) {
  Ring* ring = ringOf(handle, "xRingbufferSend", 1041);
  require(item != nullptr || size == 0, {"xRingbufferSend", kFile, 1042, kHasItem});
  if (size > ring->longestItem) return pdFALSE;
  if (ring->isBytes() && size == 0) return pdTRUE;
  return send(ring, item, nullptr, size, ticks);
}

BaseType_t xRingbufferSendFromISR(RingbufHandle_t handle, const void* item, size_t size,
                                  BaseType_t* woken) {
  Ring* ring = ringOf(handle, "xRingbufferSendFromISR", 1063);
  require(item != nullptr || size == 0, {"xRingbufferSendFromISR", kFile, 1064, kHasItem});
  if (size > ring->longestItem) return pdFALSE;
  if (ring->isBytes() && size == 0) return pdTRUE;
  if (!ring->fits(static_cast<uint32_t>(size))) return pdFALSE;
  ring->put(item, static_cast<uint32_t>(size));
  if (ring->set != nullptr) {
    xQueueSendFromISR(ring->set, &ring, woken);
  } else {
    noteWoken(wakeFirst(ring->receivers), woken);
  }
  return pdTRUE;
}

BaseType_t xRingbufferSendAcquire(RingbufHandle_t handle, void** item, size_t size,
                                  TickType_t ticks) {
  Ring* ring = ringOf(handle, "xRingbufferSendAcquire", 989);
  require(item != nullptr, {"xRingbufferSendAcquire", kFile, 990, "ppvItem != ((void *)0)"});
  require(ring->type == RINGBUF_TYPE_NOSPLIT, {"xRingbufferSendAcquire", kFile, 991, kNeverSplits});
  *item = nullptr;
  return size > ring->longestItem ? pdFALSE : send(ring, nullptr, item, size, ticks);
}

BaseType_t xRingbufferSendComplete(RingbufHandle_t handle, void* item) {
  Ring* ring = ringOf(handle, "xRingbufferSendComplete", 1007);
  require(item != nullptr, {"xRingbufferSendComplete", kFile, 1008, "pvItem != ((void *)0)"});
  require(ring->type == RINGBUF_TYPE_NOSPLIT,
          {"xRingbufferSendComplete", kFile, 1009, kNeverSplits});
  ring->complete(item);
  if (noteReadable(ring) != nullptr) reschedule();
  return pdTRUE;
}

void* xRingbufferReceive(RingbufHandle_t handle, size_t* size, TickType_t ticks) {
  require(handle != nullptr && size != nullptr, {"xRingbufferReceive", kFile, 1106, kRingAndSize});
  auto* ring = static_cast<Ring*>(handle);
  require(!ring->maySplit(), {"xRingbufferReceive", kFile, 1107, kMayNotSplit});
  Parts parts;
  return single(receive(ring, parts, 0, ticks), parts, size);
}

void* xRingbufferReceiveFromISR(RingbufHandle_t handle, size_t* size) {
  constexpr char kFunction[] = "xRingbufferReceiveFromISR";
  require(handle != nullptr && size != nullptr, {kFunction, kFile, 1123, kRingAndSize});
  auto* ring = static_cast<Ring*>(handle);
  require(!ring->maySplit(), {kFunction, kFile, 1124, kMayNotSplit});
  Parts parts;
  return single(take(ring, parts, 0), parts, size);
}

BaseType_t xRingbufferReceiveSplit(RingbufHandle_t handle, void** head, void** tail,
                                   size_t* headSize, size_t* tailSize, TickType_t ticks) {
  constexpr char kFunction[] = "xRingbufferReceiveSplit";
  require(handle && head && tail && headSize && tailSize, {kFunction, kFile, 1145, kAllSplit});
  auto* ring = static_cast<Ring*>(handle);
  require(ring->maySplit(), {kFunction, kFile, 1146, kMaySplit});
  Parts parts;
  return both(receive(ring, parts, 0, ticks), parts, head, tail, headSize, tailSize);
}

BaseType_t xRingbufferReceiveSplitFromISR(RingbufHandle_t handle, void** head, void** tail,
                                          size_t* headSize, size_t* tailSize) {
  constexpr char kFunction[] = "xRingbufferReceiveSplitFromISR";
  require(handle && head && tail && headSize && tailSize, {kFunction, kFile, 1160, kAllSplit});
  auto* ring = static_cast<Ring*>(handle);
  require(ring->maySplit(), {kFunction, kFile, 1161, kMaySplit});
  Parts parts;
  return both(take(ring, parts, 0), parts, head, tail, headSize, tailSize);
}

void* xRingbufferReceiveUpTo(RingbufHandle_t handle, size_t* size, TickType_t ticks, size_t limit) {
  constexpr char kFunction[] = "xRingbufferReceiveUpTo";
  require(handle != nullptr && size != nullptr, {kFunction, kFile, 1174, kRingAndSize});
  auto* ring = static_cast<Ring*>(handle);
  require(ring->isBytes(), {kFunction, kFile, 1175, kIsBytes});
  Parts parts;
  return single(limit != 0 && receive(ring, parts, limit, ticks), parts, size);
}

void* xRingbufferReceiveUpToFromISR(RingbufHandle_t handle, size_t* size, size_t limit) {
  constexpr char kFunction[] = "xRingbufferReceiveUpToFromISR";
  require(handle != nullptr && size != nullptr, {kFunction, kFile, 1194, kRingAndSize});
  auto* ring = static_cast<Ring*>(handle);
  require(ring->isBytes(), {kFunction, kFile, 1195, kIsBytes});
  Parts parts;
  return single(limit != 0 && take(ring, parts, limit), parts, size);
}

void vRingbufferReturnItem(RingbufHandle_t handle, void* item) {
  Ring* ring = ringOf(handle, "vRingbufferReturnItem", 1212);
  require(item != nullptr, {"vRingbufferReturnItem", kFile, 1213, "pvItem != ((void *)0)"});
  ring->giveBack(item);
  if (wakeFirst(ring->senders) != nullptr) reschedule();
}

void vRingbufferReturnItemFromISR(RingbufHandle_t handle, void* item, BaseType_t* woken) {
  Ring* ring = ringOf(handle, "vRingbufferReturnItemFromISR", 1230);
  require(item != nullptr, {"vRingbufferReturnItemFromISR", kFile, 1231, "pvItem != ((void *)0)"});
  ring->giveBack(item);
  noteWoken(wakeFirst(ring->senders), woken);
}

size_t xRingbufferGetMaxItemSize(RingbufHandle_t handle) {
  return ringOf(handle, "xRingbufferGetMaxItemSize", 1262)->longestItem;
}

size_t xRingbufferGetCurFreeSize(RingbufHandle_t handle) {
  poll();
  return ringOf(handle, "xRingbufferGetCurFreeSize", 1269)->room();
}

BaseType_t xRingbufferAddToQueueSetRead(RingbufHandle_t handle, QueueSetHandle_t set) {
  require(handle != nullptr && set != nullptr,
          {"xRingbufferAddToQueueSetRead", kFile, 1283, kRingAndSet});
  auto* ring = static_cast<Ring*>(handle);
  if (ring->set != nullptr || ring->canRead()) return pdFALSE;
  ring->set = set;
  return pdTRUE;
}

BaseType_t xRingbufferRemoveFromQueueSetRead(RingbufHandle_t handle, QueueSetHandle_t set) {
  require(handle != nullptr && set != nullptr,
          {"xRingbufferRemoveFromQueueSetRead", kFile, 1307, kRingAndSet});
  auto* ring = static_cast<Ring*>(handle);
  if (ring->set != set || ring->canRead()) return pdFALSE;
  ring->set = nullptr;
  return pdTRUE;
}

void vRingbufferGetInfo(RingbufHandle_t handle, UBaseType_t* free, UBaseType_t* read,
                        UBaseType_t* write, UBaseType_t* acquire, UBaseType_t* waiting) {
  const Ring* ring = ringOf(handle, "vRingbufferGetInfo", 1334);
  if (free != nullptr) *free = ring->free;
  if (read != nullptr) *read = ring->read;
  if (write != nullptr) *write = ring->write;
  if (acquire != nullptr) *acquire = ring->acquire;
  if (waiting != nullptr) *waiting = ring->waiting;
}

void xRingbufferPrintInfo(RingbufHandle_t handle) {
  const Ring* ring = ringOf(handle, "xRingbufferPrintInfo", 1358);
  printf("Rb size:%" PRIu32 "\tfree: %" PRIu32 "\trptr: %" PRIu32 "\tfreeptr: %" PRIu32
         "\twptr: %" PRIu32 ", aptr: %" PRIu32 "\n",
         ring->size, ring->freeBytes(), ring->read, ring->free, ring->write, ring->acquire);
}

BaseType_t xRingbufferGetStaticBuffer(RingbufHandle_t handle, uint8_t** storage,
                                      StaticRingbuffer_t** memory) {
  require(handle && storage && memory,
          {"xRingbufferGetStaticBuffer", kFile, 1372,
           "pxRingbuffer && ppucRingbufferStorage && ppxStaticRingbuffer"});
  auto* ring = static_cast<Ring*>(handle);
  if (!ring->isStatic) return pdFALSE;
  *storage = ring->storage;
  *memory = static_cast<StaticRingbuffer_t*>(handle);
  return pdTRUE;
}

}  // extern "C"
