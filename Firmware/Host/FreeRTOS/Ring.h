// The storage of a ring buffer: items are put, read and returned, without waiting.
//
// The four positions follow each other in this order: `free` (the oldest item that has not been
// returned), `read` (the next item to read), `write` (behind the last readable item), `acquire`
// (the place of the next new item). If `acquire` equals `free`, the buffer is empty, or full:
// isFull.
#ifndef ESPBENCH_FREERTOS_RING_H
#define ESPBENCH_FREERTOS_RING_H

#include "Support.h"
#include "freertos/ringbuf.h"

namespace espbench {

class Ring {
 public:
  void open(uint8_t* storage, uint32_t size, RingbufferType_t type, bool isStatic);

  bool fits(uint32_t size) const;
  /// Puts an item that fits.
  void put(const void* item, uint32_t size);
  /// Room for an item that fits, which complete() makes readable.
  void* reserve(uint32_t size);
  void complete(void* item);

  bool canRead() const;
  /// The next item, or the first part of it; `isSplit`: a second part exists.
  void* takeItem(size_t& size, bool& isSplit);
  /// Contiguous bytes, at most `limit`; 0: all.
  void* takeBytes(size_t& size, size_t limit);
  void giveBack(void* item);

  uint32_t room() const;       ///< the longest item that can be written now
  uint32_t freeBytes() const;  ///< for items and their headers
  bool isBytes() const { return type == RINGBUF_TYPE_BYTEBUF; }
  bool maySplit() const { return type == RINGBUF_TYPE_ALLOWSPLIT; }

  uint8_t* storage;
  uint32_t size, longestItem;
  uint32_t acquire, write, read, free;
  uint32_t waiting;  ///< items, or bytes, that can be read
  WaitList senders, receivers;
  QueueSetHandle_t set;
  RingbufferType_t type;
  bool isFull, isStatic;

 private:
  /// The header of an item.
  struct Head {
    uint32_t length, flags;
  };
  Head& head(uint32_t place) const { return *reinterpret_cast<Head*>(storage + place); }
  void putSplit(const uint8_t* item, uint32_t size);
  void putBytes(const uint8_t* bytes, uint32_t size);
  void giveBackItem(uint8_t* item);
  /// The position behind an item; the start of the storage if no other head fits before the end.
  uint32_t behind(uint32_t place, uint32_t length) const;
  void noteAcquired();
};
static_assert(sizeof(Ring) <= sizeof(StaticRingbuffer_t));

}  // namespace espbench

#endif
