// Memory of the machine, which Platform/ gives.
#ifndef ESPBENCH_MAPPING_H
#define ESPBENCH_MAPPING_H

#include <cstddef>
#include <cstdint>

namespace espbench {

/// Maps `bytes` bytes of zeroed memory, at `address` where that is not 0; nullptr when that fails.
void* mapMemory(uintptr_t address, size_t bytes);

}  // namespace espbench

#endif
