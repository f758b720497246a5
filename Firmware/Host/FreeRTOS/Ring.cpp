#include "Ring.h"

#include <algorithm>
#include <cstring>

namespace espbench {
namespace {

constexpr uint32_t kHead = 8;
// Flags of an item.
constexpr uint32_t kReturned = 1;
constexpr uint32_t kDummy = 2;  ///< unused from here to the end of the storage
constexpr uint32_t kSplit = 4;
constexpr uint32_t kWritten = 8;

constexpr uint32_t aligned(uint32_t size) { return (size + 3) & ~3u; }

constexpr char kIsAligned[] = "( ( ( UBaseType_t ) ( pucItem ) & (0x03) ) == 0 )";
constexpr char kHasHead[] = "xRemLen >= sizeof(ItemHeader_t)";

}  // namespace

void Ring::open(uint8_t* memory, uint32_t bytes, RingbufferType_t kind, bool hasGivenMemory) {
  *this = {};
  storage = memory;
  size = bytes;
  type = kind;
  isStatic = hasGivenMemory;
  // An item that is not split fits in the worst case, when all positions are in the middle.
  longestItem = isBytes() ? bytes : maySplit() ? bytes - 2 * kHead : aligned(bytes / 2) - kHead;
}

bool Ring::fits(uint32_t length) const {
  if (acquire == free) return !isFull;
  const uint32_t needed = isBytes() ? length : aligned(length) + kHead;
  if (free > acquire) return needed <= free - acquire;
  if (isBytes()) return needed <= size - (acquire - free);
  if (needed <= size - acquire) return true;
  return maySplit() ? needed + kHead <= size - (acquire - free) : needed <= free;
}

uint32_t Ring::behind(uint32_t place, uint32_t length) const {
  place += kHead + aligned(length);
  return size - place < kHead ? 0 : place;
}

void Ring::noteAcquired() {
  if (acquire == free) isFull = true;
}

void Ring::put(const void* item, uint32_t length) {
  const auto* bytes = static_cast<const uint8_t*>(item);
  if (isBytes()) {
    putBytes(bytes, length);
  } else if (maySplit()) {
    putSplit(bytes, length);
  } else {
    void* place = reserve(length);
    if (length > 0) memcpy(place, item, length);
    complete(place);
  }
}

void* Ring::reserve(uint32_t length) {
  require(size - acquire >= kHead, {"prvAcquireItemNoSplit", "ringbuf.c", 331, kHasHead});
  if (size - acquire < aligned(length) + kHead) {
    head(acquire) = {0, kDummy};
    acquire = 0;
  }
  head(acquire) = {length, 0};
  void* item = storage + acquire + kHead;
  acquire = behind(acquire, length);
  noteAcquired();
  return item;
}

void Ring::complete(void* place) {
  constexpr char kFunction[] = "prvSendItemDoneNoSplit";
  auto* item = static_cast<uint8_t*>(place);
  require((reinterpret_cast<uintptr_t>(item) & 3) == 0, {kFunction, "ringbuf.c", 366, kIsAligned});
  require(item >= storage + kHead,
          {kFunction, "ringbuf.c", 367, "pucItem >= pxRingbuffer->pucHead"});
  require(item <= storage + size,
          {kFunction, "ringbuf.c", 368, "pucItem <= pxRingbuffer->pucTail"});
  Head& own = head(static_cast<uint32_t>(item - storage) - kHead);
  require(own.length <= longestItem,
          {kFunction, "ringbuf.c", 372, "pxCurHeader->xItemLen <= pxRingbuffer->xMaxItemSize"});
  require((own.flags & kWritten) == 0,
          {kFunction, "ringbuf.c", 374, "(pxCurHeader->uxItemFlags & ( ( UBaseType_t ) 8 )) == 0"});
  own.flags |= kWritten;
  waiting++;
  // Items are completed in any order, and read in the order in which they were acquired.
  while ((head(write).flags & (kWritten | kDummy)) != 0) {
    Head& next = head(write);
    const bool isDummy = (next.flags & kDummy) != 0;
    next.flags |= kWritten;
    write = isDummy ? 0 : behind(write, next.length);
    if (write == acquire) break;
  }
}

void Ring::putSplit(const uint8_t* item, uint32_t length) {
  const uint32_t left = size - acquire;
  require(left >= kHead, {"prvCopyItemAllowSplit", "ringbuf.c", 428, kHasHead});
  if (left < aligned(length) + kHead) {
    const uint32_t part = left - kHead;
    head(acquire) = {part, part > 0 ? kSplit : kDummy};
    if (part > 0) {
      memcpy(storage + acquire + kHead, item, part);
      waiting++;
    }
    item += part;
    length -= part;
    acquire = 0;
  }
  head(acquire) = {length, 0};
  if (length > 0) memcpy(storage + acquire + kHead, item, length);
  waiting++;
  acquire = behind(acquire, length);
  noteAcquired();
  write = acquire;
}

void Ring::putBytes(const uint8_t* bytes, uint32_t length) {
  const uint32_t first = std::min(length, size - acquire);
  memcpy(storage + acquire, bytes, first);
  memcpy(storage, bytes + first, length - first);
  waiting += length;
  acquire += length;
  if (acquire >= size) acquire -= size;
  noteAcquired();
  write = acquire;
}

bool Ring::canRead() const {
  // Bytes must be returned before the next read.
  if (isBytes() && read != free) return false;
  if (waiting == 0 || (read == write && !isFull)) return false;
  return isBytes() || maySplit() || (head(read).flags & kWritten) != 0;
}

void* Ring::takeItem(size_t& length, bool& isSplit) {
  if ((head(read).flags & kDummy) != 0) read = 0;
  const Head& item = head(read);
  void* data = storage + read + kHead;
  length = item.length;
  isSplit = (item.flags & kSplit) != 0;
  waiting--;
  read = behind(read, item.length);
  return data;
}

void* Ring::takeBytes(size_t& length, size_t limit) {
  void* data = storage + read;
  uint32_t count = read > write || isFull ? size - read : write - read;
  if (limit != 0) count = static_cast<uint32_t>(std::min<size_t>(count, limit));
  waiting -= count;
  read += count;
  if (read == size) read = 0;
  length = count;
  return data;
}

void Ring::giveBack(void* place) {
  auto* item = static_cast<uint8_t*>(place);
  if (!isBytes()) {
    giveBackItem(item);
    return;
  }
  constexpr char kFunction[] = "prvReturnItemByteBuf";
  require(item >= storage,
          {kFunction, "ringbuf.c", 665, "(uint8_t *)pucItem >= pxRingbuffer->pucHead"});
  require(item < storage + size,
          {kFunction, "ringbuf.c", 666, "(uint8_t *)pucItem < pxRingbuffer->pucTail"});
  free = read;
  isFull = false;
}

void Ring::giveBackItem(uint8_t* item) {
  constexpr char kFunction[] = "prvReturnItemDefault";
  require((reinterpret_cast<uintptr_t>(item) & 3) == 0, {kFunction, "ringbuf.c", 613, kIsAligned});
  require(item >= storage + kHead,
          {kFunction, "ringbuf.c", 614, "pucItem >= pxRingbuffer->pucHead"});
  require(item <= storage + size,
          {kFunction, "ringbuf.c", 615, "pucItem <= pxRingbuffer->pucTail"});
  Head& own = head(static_cast<uint32_t>(item - storage) - kHead);
  require(own.length <= longestItem,
          {kFunction, "ringbuf.c", 619, "pxCurHeader->xItemLen <= pxRingbuffer->xMaxItemSize"});
  require((own.flags & kDummy) == 0,
          {kFunction, "ringbuf.c", 620, "(pxCurHeader->uxItemFlags & ( ( UBaseType_t ) 2 )) == 0"});
  require((own.flags & kReturned) == 0,
          {kFunction, "ringbuf.c", 621, "(pxCurHeader->uxItemFlags & ( ( UBaseType_t ) 1 )) == 0"});
  own.flags = (own.flags & ~kSplit) | kReturned;
  // Items are returned in any order; their room becomes free in the order of their positions.
  while ((head(free).flags & (kReturned | kDummy)) != 0 && free != read) {
    Head& next = head(free);
    const bool isDummy = (next.flags & kDummy) != 0;
    next.flags |= kReturned;
    free = isDummy ? 0 : behind(free, next.length);
  }
  if (free != acquire || free == read) isFull = false;
}

uint32_t Ring::freeBytes() const {
  if (isFull) return 0;
  return free > acquire ? free - acquire : size - (acquire - free);
}

uint32_t Ring::room() const {
  if (isFull) return 0;
  if (isBytes()) return freeBytes();
  int64_t bytes;
  if (maySplit()) {
    const bool isAtStart = acquire == 0 && free == 0;
    bytes = isAtStart || acquire < free ? int64_t{freeBytes()} - kHead
                                        : int64_t{freeBytes()} - 2 * kHead;
  } else {
    bytes = int64_t{acquire < free ? free - acquire : std::max(size - acquire, free)} - kHead;
  }
  return static_cast<uint32_t>(std::clamp<int64_t>(bytes, 0, longestItem));
}

}  // namespace espbench
