// The regions of memory of which the heap consists, per chip.
#ifndef ESPBENCH_HEAP_REGIONS_H
#define ESPBENCH_HEAP_REGIONS_H

#include <cstddef>
#include <cstdint>

namespace espbench {

struct HeapRegion {
  uint32_t address;
  uint32_t bytes;
  const char* name;  ///< memory type, as printed by ESP-IDF
};

/// The heap of a sketch with NimBLE at the start of setup().
struct HeapLayout {
  const char* chip;           ///< prefix of cfc_start.chip_model
  const HeapRegion* regions;  ///< in the order in which malloc() searches them
  size_t count;
  size_t behindData;  ///< index of the region that begins at the end of the static data
  uint32_t used;  ///< bytes that ESP-IDF and the core have allocated before setup(), without the
                  ///< stack of the loop's task
};

/// The layout of the chip that cfc_start.chip_model names.
const HeapLayout& heapLayout(const char* chipModel);
/// A region without the part that the static data of the sketch and its libraries occupy.
HeapRegion heapRegion(const HeapLayout& layout, size_t index);

}  // namespace espbench

#endif
