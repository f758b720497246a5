// The heap under AddressSanitizer: AddressSanitizer allocates the blocks, and finds errors in their
// use. Counters enforce the chip's limit.
#ifdef __SANITIZE_ADDRESS__

#include <dlfcn.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "Heap.h"
#include "HeapPool.h"
#include "HeapRegions.h"
#include "esp_heap_caps.h"

// AddressSanitizer's own functions, which the functions of this file replace and call.
extern "C" {
void* __interceptor_malloc(size_t size);
void* __interceptor_calloc(size_t count, size_t size);
void* __interceptor_realloc(void* data, size_t size);
void* __interceptor_memalign(size_t alignment, size_t size);
void __interceptor_free(void* data);
size_t __sanitizer_get_allocated_size(const volatile void* data);
int __sanitizer_get_ownership(const volatile void* data);
int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void*, size_t),
                                              void (*freed)(const volatile void*));
}

namespace espbench {

const void* heapCaller;

namespace {

/// The overhead of the chip's heap for a block.
constexpr size_t kBlock = HeapPool::kPoison + 4;

bool isOpen;
size_t total, used, mostUsed, blocks;
AllocationFailed failed;

void count(const volatile void*, size_t size) {
  if (!isOpen || hostScopes > 0) return;
  used += size + kBlock;
  blocks++;
  if (used > mostUsed) mostUsed = used;
}

/// Blocks of the host core are subtracted when freed, too, so the count is limited to 0.
void uncount(const volatile void* data) {
  // AddressSanitizer itself reports pointers that are not blocks.
  if (!isOpen || hostScopes > 0 || data == nullptr || __sanitizer_get_ownership(data) == 0) return;
  size_t size = __sanitizer_get_allocated_size(data) + kBlock;
  used -= size < used ? size : used;
  if (blocks > 0) blocks--;
}

/// True if the chip has room for `size` bytes more.
bool hasRoom(size_t size, const char* function) {
  if (!isOpen || hostScopes > 0) return true;
  if (size <= freeHeap() && size + kBlock <= total - used) return true;
  if (failed != nullptr) failed(size, MALLOC_CAP_DEFAULT | MALLOC_CAP_INTERNAL, function);
  return false;
}

}  // namespace

void openHeap(const char* chipModel) {
  const HeapLayout& layout = heapLayout(chipModel);
  for (size_t i = 0; i < layout.count; i++) total += heapRegion(layout, i).bytes;
  used = mostUsed = layout.used;
  __sanitizer_install_malloc_and_free_hooks(count, uncount);
  isOpen = true;
}

void* allocateBlock(size_t size, size_t alignment, const char* function) {
  if (size == 0 || alignment > total || !hasRoom(size, function)) return nullptr;
  return alignment <= alignof(std::max_align_t) ? __interceptor_malloc(size)
                                                : __interceptor_memalign(alignment, size);
}
void freeBlock(void* data, const void* caller) {
  heapCaller = caller;
  __interceptor_free(data);
  heapCaller = nullptr;
}
void* resizeBlock(void* data, size_t size, const void* caller) {
  if (data != nullptr && size == 0) {
    freeBlock(data, caller);
    return nullptr;
  }
  if (size == 0 || !hasRoom(size, "heap_caps_realloc")) return nullptr;
  heapCaller = caller;
  void* resized = __interceptor_realloc(data, size);
  heapCaller = nullptr;
  return resized;
}
size_t blockSize(const void* data) {
  return data == nullptr || __sanitizer_get_ownership(data) == 0
             ? 0
             : __sanitizer_get_allocated_size(data);
}
void setAllocationFailed(AllocationFailed callback) { failed = callback; }

size_t heapPoolCount() { return 0; }
const HeapPool& heapPool(size_t) { abort(); }
size_t heapSize() { return total; }
size_t freeHeap() { return total > used ? total - used : 0; }
size_t minimumFreeHeap() { return total > mostUsed ? total - mostUsed : 0; }
HeapState heapState() {
  size_t free = freeHeap();
  return {total, free, minimumFreeHeap(), free > kBlock ? free - kBlock : 0, blocks, 1, used};
}
bool checkHeap(bool) { return true; }

}  // namespace espbench

extern "C" {

void* malloc(size_t size) { return espbench::allocateBlock(size, 1, "heap_caps_malloc"); }
void free(void* data) { espbench::freeBlock(data, __builtin_return_address(0)); }
void* calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes == 0) return nullptr;
  return espbench::hasRoom(bytes, "heap_caps_malloc") ? __interceptor_calloc(count, size) : nullptr;
}
void* realloc(void* data, size_t size) {
  return espbench::resizeBlock(data, size, __builtin_return_address(0));
}

}  // extern "C"

namespace {

/// AddressSanitizer's function of that name, so that it knows the kind of object in a block.
template <typename Function>
Function* next(Function* function, const char* name) {
  return function != nullptr ? function : reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// size_t is `unsigned` in a 32-bit process.
constexpr bool kIs32Bit = sizeof(size_t) == 4;
constexpr const char* kNew = kIs32Bit ? "_Znwj" : "_Znwm";
constexpr const char* kNewArray = kIs32Bit ? "_Znaj" : "_Znam";

void checkRoom(size_t size) {
  while (!espbench::hasRoom(size == 0 ? 1 : size, "heap_caps_malloc")) {
    std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

}  // namespace

void* operator new(size_t size) {
  static void* (*real)(size_t);
  real = next(real, kNew);
  checkRoom(size);
  return real(size);
}
void* operator new[](size_t size) {
  static void* (*real)(size_t);
  real = next(real, kNewArray);
  checkRoom(size);
  return real(size);
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return espbench::hasRoom(size, "heap_caps_malloc") ? ::operator new(size) : nullptr;
}
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return espbench::hasRoom(size, "heap_caps_malloc") ? ::operator new[](size) : nullptr;
}

#endif
