// esp_heap_caps.h, and the heap functions of Esp.h, esp_system.h and esp32-hal-psram.h.
#include <cassert>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "../Runtime/Heap.h"
#include "../Runtime/HeapPool.h"
#include "Esp.h"
#include "esp32-hal-psram.h"
#include "esp_heap_caps.h"
#include "esp_rom_sys.h"
#include "esp_system.h"

namespace {

constexpr uint32_t kCapabilities =
    MALLOC_CAP_8BIT | MALLOC_CAP_32BIT | MALLOC_CAP_DMA | MALLOC_CAP_INTERNAL | MALLOC_CAP_DEFAULT;

bool isOffered(uint32_t caps) { return (caps & ~kCapabilities) == 0; }

/// ESP-IDF rounds the sizes of memory that is accessible only by words.
size_t rounded(size_t size, uint32_t caps) {
  return (caps & MALLOC_CAP_32BIT) != 0 && size <= SIZE_MAX - 3 ? (size + 3) & ~size_t{3} : size;
}

void* allocate(size_t size, size_t alignment, uint32_t caps, const char* function) {
  if (!isOffered(caps)) return nullptr;
  return espbench::allocateBlock(rounded(size, caps), alignment, function);
}

void* cleared(void* data, size_t size) { return data == nullptr ? nullptr : memset(data, 0, size); }

}  // namespace

extern "C" {

esp_err_t heap_caps_register_failed_alloc_callback(esp_alloc_failed_hook_t callback) {
  if (callback == nullptr) return ESP_ERR_INVALID_ARG;
  espbench::setAllocationFailed(callback);
  return ESP_OK;
}

void* heap_caps_malloc(size_t size, uint32_t caps) { return allocate(size, 1, caps, __func__); }

void* heap_caps_calloc(size_t n, size_t size, uint32_t caps) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) return nullptr;
  return cleared(allocate(bytes, 1, caps, __func__), bytes);
}

void* heap_caps_realloc(void* ptr, size_t size, uint32_t caps) {
  if (!isOffered(caps) && size > 0) return nullptr;
  return espbench::resizeBlock(ptr, rounded(size, caps), __builtin_return_address(0));
}

void heap_caps_free(void* ptr) { espbench::freeBlock(ptr, __builtin_return_address(0)); }
void heap_caps_aligned_free(void* ptr) { espbench::freeBlock(ptr, __builtin_return_address(0)); }

void* heap_caps_aligned_alloc(size_t alignment, size_t size, uint32_t caps) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) return nullptr;
  return allocate(size, alignment, caps, __func__);
}

void* heap_caps_aligned_calloc(size_t alignment, size_t n, size_t size, uint32_t caps) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) return nullptr;
  return cleared(heap_caps_aligned_alloc(alignment, bytes, caps), bytes);
}

void* heap_caps_malloc_prefer(size_t size, size_t num, ...) {
  va_list arguments;
  va_start(arguments, num);
  void* data = nullptr;
  for (; num > 0 && data == nullptr; num--) {
    data = allocate(size, 1, va_arg(arguments, uint32_t), __func__);
  }
  va_end(arguments);
  return data;
}

void* heap_caps_calloc_prefer(size_t n, size_t size, size_t num, ...) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) return nullptr;
  va_list arguments;
  va_start(arguments, num);
  void* data = nullptr;
  for (; num > 0 && data == nullptr; num--) {
    data = cleared(allocate(bytes, 1, va_arg(arguments, uint32_t), __func__), bytes);
  }
  va_end(arguments);
  return data;
}

void* heap_caps_realloc_prefer(void* ptr, size_t size, size_t num, ...) {
  va_list arguments;
  va_start(arguments, num);
  void* data = nullptr;
  for (; num > 0 && data == nullptr; num--) {
    data = heap_caps_realloc(ptr, size, va_arg(arguments, uint32_t));
    if (size == 0) break;
  }
  va_end(arguments);
  return data;
}

size_t heap_caps_get_total_size(uint32_t caps) {
  return isOffered(caps) ? espbench::heapState().total : 0;
}
size_t heap_caps_get_free_size(uint32_t caps) { return isOffered(caps) ? espbench::freeHeap() : 0; }
size_t heap_caps_get_minimum_free_size(uint32_t caps) {
  return isOffered(caps) ? espbench::minimumFreeHeap() : 0;
}
size_t heap_caps_get_largest_free_block(uint32_t caps) {
  return isOffered(caps) ? espbench::heapState().largestBlock : 0;
}

void heap_caps_get_info(multi_heap_info_t* info, uint32_t caps) {
  *info = {};
  if (!isOffered(caps)) return;
  espbench::HeapState state = espbench::heapState();
  *info = {state.free,
           state.allocated,
           state.largestBlock,
           state.minimumFree,
           state.blocks,
           state.freeBlocks,
           state.blocks + state.freeBlocks};
}

void heap_caps_print_heap_info(uint32_t caps) {
  printf("Heap summary for capabilities 0x%08X:\n", static_cast<unsigned>(caps));
  for (size_t i = 0; isOffered(caps) && i < espbench::heapPoolCount(); i++) {
    const espbench::HeapPool& pool = espbench::heapPool(i);
    espbench::HeapPool::Info info = pool.info();
    printf("  At 0x%08x len %u free %zu allocated %zu min_free %zu\n",
           static_cast<unsigned>(pool.address()), static_cast<unsigned>(pool.size()),
           pool.freeBytes(), info.allocatedBytes, pool.minimumFree());
    printf("    largest_free_block %zu alloc_blocks %zu free_blocks %zu total_blocks %zu\n",
           info.largestFree, info.allocatedBlocks, info.freeBlocks,
           info.allocatedBlocks + info.freeBlocks);
  }
  multi_heap_info_t all;
  heap_caps_get_info(&all, caps);
  printf("  Totals:\n    free %zu allocated %zu min_free %zu largest_free_block %zu\n",
         all.total_free_bytes, all.total_allocated_bytes, all.minimum_free_bytes,
         all.largest_free_block);
}

static bool printBlock(void* content, size_t size, bool isUsed, void*) {
  esp_rom_printf("Block %p data, size: %u bytes, Free: %s \n", content, static_cast<unsigned>(size),
                 isUsed ? "No" : "Yes");
  return true;
}

static bool matches(uint32_t caps) { return (caps & MALLOC_CAP_INVALID) != 0 || isOffered(caps); }

void heap_caps_dump(uint32_t caps) {
  if (!matches(caps)) return;
  for (size_t i = 0; i < espbench::heapPoolCount(); i++) {
    const espbench::HeapPool& pool = espbench::heapPool(i);
    // A heap's structure is at the start of its region.
    esp_rom_printf("Showing data for heap: 0x%x \n", static_cast<unsigned>(pool.address()));
    pool.walk(printBlock, nullptr);
  }
}
void heap_caps_dump_all(void) { heap_caps_dump(MALLOC_CAP_INVALID); }

namespace {
struct Walker {
  heap_caps_walker_cb_t callback;
  void* argument;
  walker_heap_into_t heap;
};

bool callWalker(void* content, size_t size, bool isUsed, void* argument) {
  const auto* walker = static_cast<const Walker*>(argument);
  return walker->callback(walker->heap, {content, size, isUsed}, walker->argument);
}
}  // namespace

void heap_caps_walk(uint32_t caps, heap_caps_walker_cb_t callback, void* argument) {
  if (callback == nullptr) {
    __assert_fail("walker_func != NULL", "heap_caps.c", 598, __func__);
  }
  if (!matches(caps)) return;
  for (size_t i = 0; i < espbench::heapPoolCount(); i++) {
    const espbench::HeapPool& pool = espbench::heapPool(i);
    const auto start = static_cast<intptr_t>(pool.address());
    Walker walker = {callback, argument, {start, start + static_cast<intptr_t>(pool.size())}};
    pool.walk(callWalker, &walker);
  }
}
void heap_caps_walk_all(heap_caps_walker_cb_t callback, void* argument) {
  heap_caps_walk(MALLOC_CAP_INVALID, callback, argument);
}

size_t heap_caps_get_allocated_size(void* ptr) { return espbench::blockSize(ptr); }

bool heap_caps_check_integrity(uint32_t caps, bool print_errors) {
  return matches(caps) ? espbench::checkHeap(print_errors) : true;
}
bool heap_caps_check_integrity_all(bool print_errors) {
  return heap_caps_check_integrity(MALLOC_CAP_INVALID, print_errors);
}
bool heap_caps_check_integrity_addr(intptr_t addr, bool print_errors) {
  for (size_t i = 0; i < espbench::heapPoolCount(); i++) {
    const espbench::HeapPool& pool = espbench::heapPool(i);
    if (pool.contains(reinterpret_cast<void*>(addr))) return pool.check(print_errors);
  }
  return false;
}

uint32_t esp_get_free_heap_size(void) { return heap_caps_get_free_size(MALLOC_CAP_DEFAULT); }
uint32_t esp_get_free_internal_heap_size(void) {
  return heap_caps_get_free_size(MALLOC_CAP_8BIT | MALLOC_CAP_DMA | MALLOC_CAP_INTERNAL);
}
uint32_t esp_get_minimum_free_heap_size(void) {
  return heap_caps_get_minimum_free_size(MALLOC_CAP_DEFAULT);
}

bool psramInit(void) { return false; }
bool psramFound(void) { return false; }
bool psramAddToHeap(void) { return false; }
void* ps_malloc(size_t) { return nullptr; }
void* ps_calloc(size_t, size_t) { return nullptr; }
void* ps_realloc(void*, size_t) { return nullptr; }

}  // extern "C"

uint32_t EspClass::getHeapSize() { return heap_caps_get_total_size(MALLOC_CAP_INTERNAL); }
uint32_t EspClass::getFreeHeap() { return heap_caps_get_free_size(MALLOC_CAP_INTERNAL); }
uint32_t EspClass::getMinFreeHeap() { return heap_caps_get_minimum_free_size(MALLOC_CAP_INTERNAL); }
uint32_t EspClass::getMaxAllocHeap() {
  return heap_caps_get_largest_free_block(MALLOC_CAP_INTERNAL);
}
