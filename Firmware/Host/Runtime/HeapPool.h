// One region of a heap, managed as ESP-IDF's multi_heap does: TLSF (two-level segregated fit, with
// lists of free blocks per size class), and light poisoning around each block.
//
// A block is a word with its size and flags, then its content. While it is free, the content begins
// with the links of its list and ends with its own address. Addresses are the chip's: in a 32-bit
// process those of the memory itself.
#ifndef ESPBENCH_HEAP_POOL_H
#define ESPBENCH_HEAP_POOL_H

#include <cstddef>
#include <cstdint>

namespace espbench {

class HeapPool {
 public:
  /// The overhead of a block in addition to its bytes: the head before them and the tail behind
  /// them.
  static constexpr uint32_t kPoison = 12;

  /// `start` is the memory of `bytes` bytes that the chip has at `address`.
  void open(uint8_t* start, uint32_t address, uint32_t bytes);

  bool contains(const void* pointer) const {
    return reinterpret_cast<uintptr_t>(pointer) - reinterpret_cast<uintptr_t>(start_) < bytes_;
  }

  /// A block of `size` bytes (not 0), aligned to `alignment` (a power of two); nullptr when no free
  /// block is long enough.
  void* allocate(size_t size, size_t alignment);
  /// Frees an intact block.
  void free(void* data);
  /// Changes the size (not 0) of an intact block, in place or by moving it within this region;
  /// nullptr when neither is possible.
  void* resize(void* data, size_t size);

  /// True if head and tail of an allocated block are intact; prints the damage.
  bool isIntact(const void* data, bool prints) const;
  /// True if a block that looks intact has been freed already.
  bool isFreed(const void* data) const;
  /// The capacity of a block in bytes.
  size_t roomOf(const void* data) const;

  /// Checks all blocks.
  bool check(bool prints) const;

  /// Calls `visit` for each block, with the start of its content, until `visit` returns false.
  void walk(bool (*visit)(void* content, size_t size, bool isUsed, void* argument),
            void* argument) const;

  struct Info {
    size_t allocatedBytes, largestFree, allocatedBlocks, freeBlocks;
  };
  Info info() const;
  uint32_t address() const { return address_; }
  uint32_t size() const { return bytes_; }
  /// As ESP-IDF reports them: without the poison of one block.
  size_t freeBytes() const { return lessPoison(free_); }
  size_t minimumFree() const { return lessPoison(minimumFree_); }

 private:
  using Word = uint32_t __attribute__((may_alias));
  static constexpr unsigned kClasses = 27, kMaximumSubclasses = 32;

  static size_t lessPoison(size_t bytes) { return bytes > kPoison ? bytes - kPoison : 0; }
  Word& word(uint32_t address) const {
    return *reinterpret_cast<Word*>(start_ + (address - address_));
  }
  uint32_t blockOf(const void* data) const;
  void* dataOf(uint32_t block) const;
  uint32_t addressOf(const void* pointer) const;
  uint32_t sizeOf(uint32_t block) const;
  uint32_t nextOf(uint32_t block) const;
  bool isFree(uint32_t block) const;
  bool isPreviousFree(uint32_t block) const;
  void markFree(uint32_t block);
  void markUsed(uint32_t block);
  void classOf(uint32_t size, unsigned& first, unsigned& second) const;
  void insert(uint32_t block);
  void remove(uint32_t block);
  uint32_t find(uint32_t size);
  bool canSplit(uint32_t block, uint32_t size) const;
  uint32_t split(uint32_t block, uint32_t size);
  uint32_t mergeNext(uint32_t block);
  uint32_t take(uint32_t size);
  uint32_t takeAligned(uint32_t size, size_t alignment);
  void give(uint32_t block);
  uint32_t adjusted(size_t size) const;
  void* poisoned(uint32_t block, size_t size);
  void countTaken(uint32_t bytes);

  uint8_t* start_;
  uint32_t address_, bytes_;
  uint32_t first_, end_;  ///< the first block; the block of size 0 after the last one
  uint32_t none_;         ///< marks the end of a list
  uint32_t free_, minimumFree_;
  unsigned subclassBits_, subclasses_, classShift_, classCount_, maximumBits_;
  uint32_t classMap_;
  uint32_t subclassMaps_[kClasses];
  uint32_t lists_[kClasses][kMaximumSubclasses];
};

}  // namespace espbench

#endif
