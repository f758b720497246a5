// The chip's heap, for malloc() and new of the sketch and of its libraries.
//
// The regions have the sizes that a sketch with NimBLE has on the chip. Blocks are checked as
// ESP-IDF's light poisoning does. The host core's own blocks come from another heap, and so do
// blocks allocated before openHeap().
#ifndef ESPBENCH_HEAP_H
#define ESPBENCH_HEAP_H

#include <cstddef>
#include <cstdint>

namespace espbench {

class HeapPool;

/// The number of existing HostScopes of the current task. The kernel keeps it for each task, and
/// sets it to 0 for an interrupt.
extern unsigned hostScopes;

/// While one of these exists, allocations of the current task are the host core's own: they take no
/// memory from the chip's heap, and do not fail when that is full. Such blocks may be freed at any
/// time.
class HostScope {
 public:
  HostScope() {
    hostScopes++;
    barrier();
  }
  ~HostScope() {
    barrier();
    hostScopes--;
  }
  HostScope(const HostScope&) = delete;
  HostScope& operator=(const HostScope&) = delete;

 private:
  /// Compilers assume that malloc() reads no variable of the program.
  static void barrier() { asm volatile("" ::: "memory"); }
};

/// Sets up the heap of the chip that cfc_start.chip_model names, before the first allocation of the
/// sketch.
void openHeap(const char* chipModel);

struct HeapState {
  size_t total;  ///< bytes for blocks of any size, including headers
  size_t free;
  size_t minimumFree;   ///< since the start
  size_t largestBlock;  ///< the longest block that can be allocated
  size_t blocks;        ///< number of allocated blocks
  size_t freeBlocks;
  size_t allocated;  ///< bytes in allocated blocks
};
HeapState heapState();
/// HeapState's `total`, `free` and `minimumFree`.
size_t heapSize();
size_t freeHeap();
size_t minimumFreeHeap();

/// True if all blocks are intact; prints the damaged ones, as ESP-IDF does.
bool checkHeap(bool prints);

// The functions below implement malloc(), free() and so on; `caller` is the address to which the
// sketch's call returns, where a failure is reported.

/// A block of `size` bytes; nullptr when no room is left or `size` is 0. `function` is the name of
/// the ESP-IDF function that is passed to the callback for failed allocations.
void* allocateBlock(size_t size, size_t alignment, const char* function);
void freeBlock(void* data, const void* caller);
/// Resizes a block; if no room is left, returns nullptr and keeps the block.
void* resizeBlock(void* data, size_t size, const void* caller);
/// The capacity of a block in bytes; 0 for a pointer that is not a block.
size_t blockSize(const void* data);

/// Under AddressSanitizer: the return address of the current call of free() or realloc().
extern const void* heapCaller;

/// Called when an allocation of the sketch fails.
using AllocationFailed = void (*)(size_t size, uint32_t caps, const char* function);
void setAllocationFailed(AllocationFailed callback);

/// The regions of the chip's heap.
size_t heapPoolCount();
const HeapPool& heapPool(size_t index);

}  // namespace espbench

#endif
