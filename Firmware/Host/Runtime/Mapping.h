// Memory of the machine, provided by Platform/.
#ifndef ESPBENCH_MAPPING_H
#define ESPBENCH_MAPPING_H

#include <cstddef>
#include <cstdint>

namespace espbench {

/// Maps `bytes` bytes of zeroed memory, at `address` unless that is 0; nullptr on failure.
void* mapMemory(uintptr_t address, size_t bytes);

}  // namespace espbench

#endif
