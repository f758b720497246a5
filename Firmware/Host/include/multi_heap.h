// ESP-IDF 5 multi_heap.h: statistics of a heap.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
  size_t total_free_bytes;
  size_t total_allocated_bytes;  ///< without block headers
  size_t largest_free_block;     ///< the longest block that can be allocated
  size_t minimum_free_bytes;     ///< since the start
  size_t allocated_blocks;
  size_t free_blocks;
  size_t total_blocks;
} multi_heap_info_t;
