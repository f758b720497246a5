#include <sys/mman.h>

#include "../Runtime/Mapping.h"

namespace espbench {

void* mapMemory(uintptr_t address, size_t bytes) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (address != 0) flags |= MAP_FIXED_NOREPLACE;
  void* wanted = reinterpret_cast<void*>(address);
  void* mapping = mmap(wanted, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (mapping == MAP_FAILED) return nullptr;
  if (address == 0 || mapping == wanted) return mapping;
  // A kernel before 4.17 treats the address as a hint.
  munmap(mapping, bytes);
  return nullptr;
}

}  // namespace espbench
