// Memory of stacks.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "../Runtime/Context.h"

espbench::Stack espbench::mapStack(size_t size) {
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t used = (size + page - 1) / page * page;
  size_t total = kStackGuard + used;
  void* mapping =
      mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return {};
  auto* low = static_cast<uint8_t*>(mapping) + kStackGuard;
  if (mprotect(low, used, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping, total);
    return {};
  }
  // The bytes added by rounding are above the stack: the guard begins at the stack's end.
  memset(low, kStackFill, size);
  return {low, low + size, mapping, total};
}

void espbench::unmapStack(void* mapping, size_t mappingSize) {
  if (mapping != nullptr) munmap(mapping, mappingSize);
}
