// malloc(), new and the like of the whole process, on the chip's heap (Heap.h). As in ESP-IDF,
// malloc(0) is NULL and errno is not set.
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "Heap.h"

#ifndef __SANITIZE_ADDRESS__

using espbench::allocateBlock;
using espbench::freeBlock;

namespace {

constexpr const char* kMalloc = "heap_caps_malloc";
constexpr const char* kAligned = "heap_caps_aligned_alloc";

bool isPowerOfTwo(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

/// Allocates as `operator new` does: calls the new-handler, if one is set, until room is found;
/// otherwise throws.
void* allocateObject(size_t size, size_t alignment) {
  for (;;) {
    void* data = allocateBlock(size == 0 ? 1 : size, alignment, kMalloc);
    if (data != nullptr) return data;
    std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void* tryObject(size_t size, size_t alignment) noexcept {
  try {
    return allocateObject(size, alignment);
  } catch (...) {
    return nullptr;
  }
}

}  // namespace

// The return address of a call: in the sketch, unless a system library made the call.
#define CALLER __builtin_return_address(0)

extern "C" {

void* malloc(size_t size) { return allocateBlock(size, 1, kMalloc); }

void free(void* data) { freeBlock(data, CALLER); }

void* calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
  void* data = allocateBlock(bytes, 1, kMalloc);
  return data == nullptr ? nullptr : memset(data, 0, bytes);
}

void* realloc(void* data, size_t size) { return espbench::resizeBlock(data, size, CALLER); }

void* memalign(size_t alignment, size_t size) {
  return isPowerOfTwo(alignment) ? allocateBlock(size, alignment, kAligned) : nullptr;
}

void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void** result, size_t alignment, size_t size) {
  if (size == 0) {
    *result = nullptr;
    return 0;
  }
  void* data = memalign(alignment, size);
  if (data == nullptr) return ENOMEM;
  *result = data;
  return 0;
}

size_t malloc_usable_size(void* data) { return espbench::blockSize(data); }

// Functions of the host's C library that the chip's lacks.

void* valloc(size_t size) { return memalign(4096, size); }
void* pvalloc(size_t size) { return memalign(4096, (size + 4095) & ~size_t{4095}); }
void* reallocarray(void* data, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
  return espbench::resizeBlock(data, bytes, CALLER);
}

}  // extern "C"

void* operator new(size_t size) { return allocateObject(size, 1); }
void* operator new[](size_t size) { return allocateObject(size, 1); }
void* operator new(size_t size, std::align_val_t alignment) {
  return allocateObject(size, static_cast<size_t>(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment) {
  return allocateObject(size, static_cast<size_t>(alignment));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept { return tryObject(size, 1); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return tryObject(size, 1); }
void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return tryObject(size, static_cast<size_t>(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return tryObject(size, static_cast<size_t>(alignment));
}

void operator delete(void* data) noexcept { freeBlock(data, CALLER); }
void operator delete[](void* data) noexcept { freeBlock(data, CALLER); }
void operator delete(void* data, size_t) noexcept { freeBlock(data, CALLER); }
void operator delete[](void* data, size_t) noexcept { freeBlock(data, CALLER); }
void operator delete(void* data, std::align_val_t) noexcept { freeBlock(data, CALLER); }
void operator delete[](void* data, std::align_val_t) noexcept { freeBlock(data, CALLER); }
void operator delete(void* data, size_t, std::align_val_t) noexcept { freeBlock(data, CALLER); }
void operator delete[](void* data, size_t, std::align_val_t) noexcept { freeBlock(data, CALLER); }
void operator delete(void* data, const std::nothrow_t&) noexcept { freeBlock(data, CALLER); }
void operator delete[](void* data, const std::nothrow_t&) noexcept { freeBlock(data, CALLER); }
void operator delete(void* data, std::align_val_t, const std::nothrow_t&) noexcept {
  freeBlock(data, CALLER);
}
void operator delete[](void* data, std::align_val_t, const std::nothrow_t&) noexcept {
  freeBlock(data, CALLER);
}

#endif
