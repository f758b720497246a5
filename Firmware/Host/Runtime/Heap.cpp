#include "Heap.h"

#include <cstring>

#include "Fault.h"
#include "HeapErrors.h"
#include "HeapPool.h"
#include "HeapRegions.h"
#include "Mapping.h"
#include "esp_heap_caps.h"
#include "firmware_channel.h"

namespace espbench {

unsigned hostScopes;

// Under AddressSanitizer the sanitizer allocates the blocks (SanitizedHeap.cpp).
#ifndef __SANITIZE_ADDRESS__
namespace {

constexpr size_t kMaximumPools = 5;
/// More than the host core ever keeps; unused memory costs nothing.
constexpr uint32_t kHostBytes = 16 << 20;
constexpr size_t kHostAlignment = 16;
/// A block that ESP-IDF has allocated before setup(), on average.
constexpr size_t kSystemBlock = 1000;

// Plain data: used before constructors have run.
HeapPool pools[kMaximumPools];
size_t poolCount;
HeapPool hostPool;
bool isHostOpen;
AllocationFailed failed;

HeapPool* poolOf(const void* data) {
  for (size_t i = 0; i < poolCount; i++) {
    if (pools[i].contains(data)) return &pools[i];
  }
  return isHostOpen && hostPool.contains(data) ? &hostPool : nullptr;
}

void* allocateHostBlock(size_t size, size_t alignment) {
  if (!isHostOpen) {
    auto* start = static_cast<uint8_t*>(mapMemory(0, kHostBytes));
    if (start == nullptr) return nullptr;
    hostPool.open(start, static_cast<uint32_t>(reinterpret_cast<uintptr_t>(start)), kHostBytes);
    isHostOpen = true;
  }
  return hostPool.allocate(size, alignment < kHostAlignment ? kHostAlignment : alignment);
}

void* allocateChipBlock(size_t size, size_t alignment) {
  for (size_t i = 0; i < poolCount; i++) {
    if (void* data = pools[i].allocate(size, alignment)) return data;
  }
  return nullptr;
}

/// The pool of a block that is intact and allocated; otherwise the firmware ends as on the chip.
HeapPool* checkedPoolOf(const void* data, const char* outside, const char* why, const char* broken,
                        const void* caller) {
  HeapPool* pool = poolOf(data);
  if (pool == nullptr) failHeapAssertion(outside, why, caller);
  if (!pool->isIntact(data, true)) failHeapAssertion(broken, "head != NULL", caller);
  if (pool->isFreed(data)) {
    failHeapAssertion("tlsf_free tlsf.c:629",
                      "!block_is_free(block) && \"block already marked as free\"", caller);
  }
  return pool;
}

}  // namespace

void openHeap(const char* chipModel) {
  const HeapLayout& layout = heapLayout(chipModel);
  constexpr uint32_t kPage = 4096;
  uint32_t low = layout.regions[0].address & ~(kPage - 1);
  const HeapRegion& last = layout.regions[layout.count - 1];
  uint32_t bytes = last.address + last.bytes - low;
  // If addresses are shorter than pointers, the memory may have any address.
  auto* start = static_cast<uint8_t*>(mapMemory(sizeof(void*) == 4 ? low : 0, bytes));
  if (start == nullptr) endFirmware(CFC_FAULT_PANIC, "espbench: no memory for the heap");
  for (size_t i = 0; i < layout.count; i++) {
    const HeapRegion region = heapRegion(layout, i);
    pools[i].open(start + (region.address - low), region.address, region.bytes);
  }
  poolCount = layout.count;
  for (uint32_t used = 0; used < layout.used; used += kSystemBlock) {
    allocateChipBlock(kSystemBlock, 1);
  }
}

void* allocateBlock(size_t size, size_t alignment, const char* function) {
  if (size == 0) return nullptr;
  if (hostScopes > 0 || poolCount == 0) return allocateHostBlock(size, alignment);
  void* data = allocateChipBlock(size, alignment);
  if (data == nullptr && failed != nullptr) {
    failed(size, MALLOC_CAP_DEFAULT | MALLOC_CAP_INTERNAL, function);
  }
  return data;
}

void freeBlock(void* data, const void* caller) {
  if (data == nullptr) return;
  checkedPoolOf(data, "heap_caps_free heap_caps_base.c:80",
                "heap != NULL && \"free() target pointer is outside heap areas\"",
                "multi_heap_free multi_heap_poisoning.c:279", caller)
      ->free(data);
}

void* resizeBlock(void* data, size_t size, const void* caller) {
  if (data == nullptr) return allocateBlock(size, 1, "heap_caps_realloc");
  if (size == 0) {
    freeBlock(data, caller);
    return nullptr;
  }
  HeapPool* pool = checkedPoolOf(data, "heap_caps_realloc_base heap_caps_base.c:251",
                                 "heap != NULL && \"realloc() pointer is outside heap areas\"",
                                 "multi_heap_realloc multi_heap_poisoning.c:315", caller);
  void* resized = nullptr;
  // A block that grows in the host core's heap must keep the alignment of that heap's blocks.
  if (pool != &hostPool) resized = pool->resize(data, size);
  if (resized != nullptr) return resized;
  // A block remains in its heap: the host core's or the sketch's.
  resized =
      pool == &hostPool ? allocateHostBlock(size, 1) : allocateBlock(size, 1, "heap_caps_realloc");
  if (resized == nullptr) return nullptr;
  size_t before = pool->roomOf(data);
  memcpy(resized, data, before < size ? before : size);
  pool->free(data);
  return resized;
}

size_t blockSize(const void* data) {
  const HeapPool* pool = poolOf(data);
  return pool != nullptr && pool->isIntact(data, false) ? pool->roomOf(data) : 0;
}

void setAllocationFailed(AllocationFailed callback) { failed = callback; }

size_t heapPoolCount() { return poolCount; }
const HeapPool& heapPool(size_t index) { return pools[index]; }

size_t heapSize() {
  size_t bytes = 0;
  for (size_t i = 0; i < poolCount; i++) bytes += pools[i].size();
  return bytes;
}

size_t freeHeap() {
  size_t bytes = 0;
  for (size_t i = 0; i < poolCount; i++) bytes += pools[i].freeBytes();
  return bytes;
}

size_t minimumFreeHeap() {
  size_t bytes = 0;
  for (size_t i = 0; i < poolCount; i++) bytes += pools[i].minimumFree();
  return bytes;
}

HeapState heapState() {
  HeapState state = {};
  state.total = heapSize();
  state.free = freeHeap();
  state.minimumFree = minimumFreeHeap();
  for (size_t i = 0; i < poolCount; i++) {
    HeapPool::Info info = pools[i].info();
    if (info.largestFree > state.largestBlock) state.largestBlock = info.largestFree;
    state.blocks += info.allocatedBlocks;
    state.freeBlocks += info.freeBlocks;
    state.allocated += info.allocatedBytes;
  }
  return state;
}

bool checkHeap(bool prints) {
  bool isValid = true;
  for (size_t i = 0; i < poolCount; i++) isValid &= pools[i].check(prints);
  return isValid;
}

#endif

}  // namespace espbench
