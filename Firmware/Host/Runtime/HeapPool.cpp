#include "HeapPool.h"

#include <cstring>

#include "HeapErrors.h"

// Each allocation of a sketch uses this code: it is twice as fast as with the host core's -Os.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O2")
#endif

namespace espbench {
namespace {

constexpr uint32_t kHead = 0xABBA1234;
constexpr uint32_t kTail = 0xBAAD5678;
constexpr uint32_t kHeadSize = 8;  // canary and size
constexpr uint32_t kFree = 1, kPreviousFree = 2, kFlags = 3;
constexpr uint32_t kOverhead = 4;       // of a block: its size
constexpr uint32_t kMinimumBlock = 12;  // links, and the address at the end
constexpr uint32_t kHeader = 16;        // of a free block
/// The offsets of a block's fields: while the previous block is not free, the first field belongs
/// to it.
constexpr uint32_t kPrevious = 0, kSize = 4, kNextFree = 8, kPreviousFreeLink = 12, kContent = 8;
constexpr uint32_t kAlignmentBits = 2;
/// As on the chip, where pointers have 4 bytes; other machines need more.
constexpr uint32_t kAlignment = sizeof(void*) == 4 ? 4 : 16;

uint32_t bitsOf(uint32_t value) { return 31 - static_cast<uint32_t>(__builtin_clz(value)); }

}  // namespace

// The overhead of ESP-IDF v5.5.1 in a region: 20 bytes for multi_heap and 36 for TLSF, one map for
// each class, and one list for each subclass, whose number follows from the region's size.
void HeapPool::open(uint8_t* start, uint32_t address, uint32_t bytes) {
  constexpr uint32_t kMultiHeap = 20, kControl = 36;
  start_ = start;
  address_ = address;
  bytes_ = bytes;
  uint32_t pool = bytes - kMultiHeap;
  maximumBits_ = bitsOf(pool) + 1;
  subclassBits_ = pool <= 16 * 1024 ? 3 : pool <= 256 * 1024 ? 4 : 5;
  subclasses_ = 1u << subclassBits_;
  classShift_ = subclassBits_ + kAlignmentBits;
  classCount_ = maximumBits_ - classShift_ + 1;
  none_ = address + kMultiHeap;
  uint32_t control = kControl + 4 * classCount_ + 4 * classCount_ * subclasses_;
  classMap_ = 0;
  memset(subclassMaps_, 0, sizeof subclassMaps_);
  for (auto& lists : lists_) {
    for (uint32_t& list : lists) list = none_;
  }
  // The content of the first block begins where the control structure ends; its bytes for the user,
  // behind the head, are aligned.
  first_ = address + kMultiHeap + control - kSize;
  uint32_t misaligned = (first_ + kContent + kHeadSize) % kAlignment;
  uint32_t skipped = misaligned == 0 ? 0 : kAlignment - misaligned;
  first_ += skipped;
  uint32_t size = (address + bytes - (first_ + kContent) - kOverhead) & ~(kAlignment - 1);
  if (kAlignment > 4) size -= kOverhead;  // So that the next block's content is aligned, too.
  free_ = minimumFree_ = pool - control - skipped;
  word(first_ + kSize) = size;
  end_ = nextOf(first_);
  word(end_ + kSize) = 0;
  markFree(first_);
  insert(first_);
}

uint32_t HeapPool::addressOf(const void* pointer) const {
  return address_ + static_cast<uint32_t>(static_cast<const uint8_t*>(pointer) - start_);
}
uint32_t HeapPool::blockOf(const void* data) const {
  return addressOf(data) - kHeadSize - kContent;
}
void* HeapPool::dataOf(uint32_t block) const {
  return start_ + (block + kContent + kHeadSize - address_);
}
uint32_t HeapPool::sizeOf(uint32_t block) const { return word(block + kSize) & ~kFlags; }
uint32_t HeapPool::nextOf(uint32_t block) const { return block + kOverhead + sizeOf(block); }
bool HeapPool::isFree(uint32_t block) const { return (word(block + kSize) & kFree) != 0; }
bool HeapPool::isPreviousFree(uint32_t block) const {
  return (word(block + kSize) & kPreviousFree) != 0;
}

void HeapPool::markFree(uint32_t block) {
  uint32_t next = nextOf(block);
  word(next + kPrevious) = block;
  word(next + kSize) |= kPreviousFree;
  word(block + kSize) |= kFree;
}

void HeapPool::markUsed(uint32_t block) {
  word(nextOf(block) + kSize) &= ~kPreviousFree;
  word(block + kSize) &= ~kFree;
}

void HeapPool::classOf(uint32_t size, unsigned& first, unsigned& second) const {
  if (size < 1u << classShift_) {
    first = 0;
    second = size >> kAlignmentBits;
    return;
  }
  unsigned bits = bitsOf(size);
  first = bits - (classShift_ - 1);
  second = (size >> (bits - subclassBits_)) ^ subclasses_;
}

void HeapPool::insert(uint32_t block) {
  unsigned first, second;
  classOf(sizeOf(block), first, second);
  uint32_t& list = lists_[first][second];
  word(block + kNextFree) = list;
  word(block + kPreviousFreeLink) = none_;
  if (list != none_) word(list + kPreviousFreeLink) = block;
  list = block;
  classMap_ |= 1u << first;
  subclassMaps_[first] |= 1u << second;
}

void HeapPool::remove(uint32_t block) {
  unsigned first, second;
  classOf(sizeOf(block), first, second);
  uint32_t next = word(block + kNextFree), previous = word(block + kPreviousFreeLink);
  if (next != none_) word(next + kPreviousFreeLink) = previous;
  if (previous != none_) word(previous + kNextFree) = next;
  uint32_t& list = lists_[first][second];
  if (list != block) return;
  list = next;
  if (next != none_) return;
  subclassMaps_[first] &= ~(1u << second);
  if (subclassMaps_[first] == 0) classMap_ &= ~(1u << first);
}

/// Takes the first block of the first list that has only blocks of at least `size` bytes: a good
/// fit in constant time. A block of the class that contains `size` may be long enough, but is not
/// found.
uint32_t HeapPool::find(uint32_t size) {
  if (size >= 1u << classShift_) size += (1u << (bitsOf(size) - subclassBits_)) - 1;
  unsigned first, second;
  classOf(size, first, second);
  if (first >= classCount_) return 0;
  uint32_t map = subclassMaps_[first] & (~0u << second);
  if (map == 0) {
    uint32_t classes = classMap_ & (~0u << (first + 1));
    if (classes == 0) return 0;
    first = static_cast<unsigned>(__builtin_ctz(classes));
    map = subclassMaps_[first];
  }
  uint32_t block = lists_[first][__builtin_ctz(map)];
  remove(block);
  return block;
}

bool HeapPool::canSplit(uint32_t block, uint32_t size) const {
  return sizeOf(block) >= size + kHeader;
}

/// Shortens a block to `size`; returns the rest, which is in no list.
uint32_t HeapPool::split(uint32_t block, uint32_t size) {
  uint32_t rest = block + kOverhead + size;
  word(rest + kSize) = sizeOf(block) - size - kOverhead;
  word(block + kSize) = size | (word(block + kSize) & kFlags);
  markFree(rest);
  return rest;
}

uint32_t HeapPool::mergeNext(uint32_t block) {
  uint32_t next = nextOf(block);
  if (!isFree(next)) return block;
  remove(next);
  word(block + kSize) += sizeOf(next) + kOverhead;
  word(nextOf(block) + kPrevious) = block;
  return block;
}

/// The size of a block for `size` bytes, 0 when that is more than the region has.
uint32_t HeapPool::adjusted(size_t size) const {
  if (size >= size_t{1} << maximumBits_) return 0;
  uint32_t rounded = static_cast<uint32_t>(size) + kAlignment - 1;
  if (kAlignment > 4) rounded += kOverhead;
  rounded &= ~(kAlignment - 1);
  if (kAlignment > 4) rounded -= kOverhead;
  if (rounded >= 1u << maximumBits_) return 0;
  return rounded < kMinimumBlock ? kMinimumBlock : rounded;
}

uint32_t HeapPool::take(uint32_t size) {
  uint32_t block = find(size);
  if (block == 0) return 0;
  if (canSplit(block, size)) {
    uint32_t rest = split(block, size);
    word(rest + kPrevious) = block;
    insert(rest);
  }
  markUsed(block);
  return block;
}

uint32_t HeapPool::takeAligned(uint32_t size, size_t alignment) {
  uint32_t block = find(adjusted(size + alignment + kHeader));
  if (block == 0) return 0;
  uint32_t data = block + kContent + kHeadSize;
  uint32_t mask = static_cast<uint32_t>(alignment) - 1;
  uint32_t gap = ((data + mask) & ~mask) - data;
  // The gap before the aligned block must be large enough for a block.
  while (gap != 0 && gap < kHeader) gap += static_cast<uint32_t>(alignment);
  if (gap != 0) {
    uint32_t rest = split(block, gap - kOverhead);
    markFree(block);
    insert(block);
    block = rest;
  }
  if (canSplit(block, size)) insert(split(block, size));
  markUsed(block);
  return block;
}

void HeapPool::give(uint32_t block) {
  markFree(block);
  if (isPreviousFree(block)) {
    uint32_t previous = word(block + kPrevious);
    remove(previous);
    word(previous + kSize) += sizeOf(block) + kOverhead;
    block = previous;
    word(nextOf(block) + kPrevious) = block;
  }
  insert(mergeNext(block));
}

void HeapPool::countTaken(uint32_t bytes) {
  free_ -= bytes;
  if (free_ < minimumFree_) minimumFree_ = free_;
}

void* HeapPool::poisoned(uint32_t block, size_t size) {
  auto* data = static_cast<uint8_t*>(dataOf(block));
  word(block + kContent) = kHead;
  word(block + kContent + 4) = static_cast<uint32_t>(size);
  memcpy(data + size, &kTail, sizeof kTail);
  return data;
}

void* HeapPool::allocate(size_t size, size_t alignment) {
  if (size >= bytes_ || alignment >= bytes_) return nullptr;
  uint32_t needed = adjusted(size + kPoison);
  if (needed == 0) return nullptr;
  uint32_t block = alignment <= kAlignment ? take(needed) : takeAligned(needed, alignment);
  if (block == 0) return nullptr;
  countTaken(sizeOf(block) + kOverhead);
  return poisoned(block, size);
}

void HeapPool::free(void* data) {
  uint32_t block = blockOf(data);
  free_ += sizeOf(block) + kOverhead;
  give(block);
}

void* HeapPool::resize(void* data, size_t size) {
  if (size >= bytes_) return nullptr;
  uint32_t block = blockOf(data), before = sizeOf(block), needed = adjusted(size + kPoison);
  if (needed == 0) return nullptr;
  uint32_t next = nextOf(block);
  if (needed > before && (!isFree(next) || needed > before + sizeOf(next) + kOverhead)) {
    uint32_t moved = take(needed);
    if (moved == 0) return nullptr;
    memcpy(dataOf(moved), data, before - kHeadSize);
    give(block);
    block = moved;
  } else {
    if (needed > before) markUsed(mergeNext(block));
    if (canSplit(block, needed)) insert(mergeNext(split(block, needed)));
  }
  free_ += before;
  countTaken(sizeOf(block));
  return poisoned(block, size);
}

bool HeapPool::isIntact(const void* data, bool prints) const {
  uint32_t head = addressOf(data) - kHeadSize;
  if (word(head) != kHead) {
    if (prints) printHeapError("Bad head", head, kHead, word(head));
    return false;
  }
  uint32_t size = word(head + 4), tail = 0;
  uint64_t address = uint64_t{head} + kHeadSize + size;
  if (address + sizeof tail > uint64_t{address_} + bytes_) {
    // The size is overwritten: the chip reads a tail at the resulting address.
    if (prints) printHeapError("Bad tail", static_cast<uint32_t>(address), kTail, 0);
    return false;
  }
  memcpy(&tail, static_cast<const uint8_t*>(data) + size, sizeof tail);
  if (tail == kTail) return true;
  if (prints) printHeapError("Bad tail", static_cast<uint32_t>(address), kTail, tail);
  return false;
}

bool HeapPool::isFreed(const void* data) const { return isFree(blockOf(data)); }

size_t HeapPool::roomOf(const void* data) const { return sizeOf(blockOf(data)) - kPoison; }

bool HeapPool::check(bool prints) const {
  bool isValid = true, wasFree = false;
  uint32_t block = first_;
  while (block < end_) {
    uint32_t next = nextOf(block);
    if (next <= block || next > end_) return false;
    isValid &= isPreviousFree(block) == wasFree;
    wasFree = isFree(block);
    if (!wasFree) isValid &= isIntact(dataOf(block), prints);
    block = next;
  }
  return isValid;
}

void HeapPool::walk(bool (*visit)(void*, size_t, bool, void*), void* argument) const {
  for (uint32_t block = first_; block < end_;) {
    // The callback may change the block's content, but not its size.
    const uint32_t next = nextOf(block);
    if (!visit(start_ + (block + kContent - address_), sizeOf(block), !isFree(block), argument)) {
      return;
    }
    block = next;
  }
}

HeapPool::Info HeapPool::info() const {
  Info info = {};
  uint32_t largest = 0, used = 0;
  for (uint32_t block = first_; block < end_; block = nextOf(block)) {
    if (isFree(block)) {
      info.freeBlocks++;
      if (sizeOf(block) > largest) largest = sizeOf(block);
    } else {
      info.allocatedBlocks++;
      used += sizeOf(block);
    }
  }
  info.allocatedBytes = used - static_cast<uint32_t>(info.allocatedBlocks) * kPoison;
  // The size that find() finds in a block of that class.
  if (largest != 0) largest &= ~((1u << bitsOf(largest)) / subclasses_ - 1);
  info.largestFree = lessPoison(largest);
  return info;
}

}  // namespace espbench
