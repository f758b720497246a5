// ESP-IDF 5 esp_heap_caps.h: memory with capabilities. The whole heap of the virtual board has the
// capabilities of internal DRAM; external memory and memory for code do not exist.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "esp_err.h"
#include "multi_heap.h"

#define MALLOC_CAP_EXEC (1 << 0)
#define MALLOC_CAP_32BIT (1 << 1)
#define MALLOC_CAP_8BIT (1 << 2)
#define MALLOC_CAP_DMA (1 << 3)
#define MALLOC_CAP_PID2 (1 << 4)
#define MALLOC_CAP_PID3 (1 << 5)
#define MALLOC_CAP_PID4 (1 << 6)
#define MALLOC_CAP_PID5 (1 << 7)
#define MALLOC_CAP_PID6 (1 << 8)
#define MALLOC_CAP_PID7 (1 << 9)
#define MALLOC_CAP_SPIRAM (1 << 10)
#define MALLOC_CAP_INTERNAL (1 << 11)
#define MALLOC_CAP_DEFAULT (1 << 12)
#define MALLOC_CAP_IRAM_8BIT (1 << 13)
#define MALLOC_CAP_RETENTION (1 << 14)
#define MALLOC_CAP_RTCRAM (1 << 15)
#define MALLOC_CAP_TCM (1 << 16)
#define MALLOC_CAP_DMA_DESC_AHB (1 << 17)
#define MALLOC_CAP_DMA_DESC_AXI (1 << 18)
#define MALLOC_CAP_CACHE_ALIGNED (1 << 19)
#define MALLOC_CAP_SIMD (1 << 20)
#define MALLOC_CAP_INVALID (1u << 31)

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*esp_alloc_failed_hook_t)(size_t size, uint32_t caps, const char* function_name);
/// `callback` is called for each failed allocation. Returns ESP_ERR_INVALID_ARG if it is NULL.
esp_err_t heap_caps_register_failed_alloc_callback(esp_alloc_failed_hook_t callback);

void* heap_caps_malloc(size_t size, uint32_t caps);
void* heap_caps_calloc(size_t n, size_t size, uint32_t caps);
void* heap_caps_realloc(void* ptr, size_t size, uint32_t caps);
void heap_caps_free(void* ptr);
void* heap_caps_aligned_alloc(size_t alignment, size_t size, uint32_t caps);
void* heap_caps_aligned_calloc(size_t alignment, size_t n, size_t size, uint32_t caps);
void heap_caps_aligned_free(void* ptr);
/// Takes `num` capabilities, the preferred ones first.
void* heap_caps_malloc_prefer(size_t size, size_t num, ...);
void* heap_caps_calloc_prefer(size_t n, size_t size, size_t num, ...);
void* heap_caps_realloc_prefer(void* ptr, size_t size, size_t num, ...);

size_t heap_caps_get_total_size(uint32_t caps);
size_t heap_caps_get_free_size(uint32_t caps);
size_t heap_caps_get_minimum_free_size(uint32_t caps);
size_t heap_caps_get_largest_free_block(uint32_t caps);
void heap_caps_get_info(multi_heap_info_t* info, uint32_t caps);
void heap_caps_print_heap_info(uint32_t caps);
/// The capacity of a block in bytes: at least its requested size.
size_t heap_caps_get_allocated_size(void* ptr);

/// Prints each block of the heaps: its address (the content begins 8 bytes behind it) and size.
void heap_caps_dump(uint32_t caps);
void heap_caps_dump_all(void);

typedef struct walker_heap_info {
  intptr_t start;
  intptr_t end;
} walker_heap_into_t;
typedef struct walker_block_info {
  void* ptr;    ///< used block: 8 bytes before the pointer returned by malloc()
  size_t size;  ///< including the bytes that detect overruns
  bool used;
} walker_block_info_t;
/// Returning false continues with the next heap.
typedef bool (*heap_caps_walker_cb_t)(walker_heap_into_t heap_info, walker_block_info_t block_info,
                                      void* user_data);
/// Calls `walker_func` for each block. `walker_func` must not allocate or free memory.
void heap_caps_walk(uint32_t caps, heap_caps_walker_cb_t walker_func, void* user_data);
void heap_caps_walk_all(heap_caps_walker_cb_t walker_func, void* user_data);

/// True if all blocks are intact; with `print_errors` the console shows the damaged ones.
bool heap_caps_check_integrity(uint32_t caps, bool print_errors);
bool heap_caps_check_integrity_all(bool print_errors);
bool heap_caps_check_integrity_addr(intptr_t addr, bool print_errors);

#ifdef __cplusplus
}
#endif
