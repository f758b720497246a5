#include "HeapErrors.h"

#include <sys/types.h>

#include <cstdio>

#include "Fault.h"
#include "firmware_channel.h"

namespace espbench {

ssize_t writeConsole(void*, const char* text, size_t length);

void printHeapError(const char* what, uint32_t address, uint32_t expected, uint32_t found) {
  char line[128];
  int length =
      snprintf(line, sizeof line, "CORRUPT HEAP: %s at 0x%08x. Expected 0x%08x got 0x%08x\n", what,
               address, expected, found);
  writeConsole(nullptr, line, static_cast<size_t>(length));
}

void failHeapAssertion(const char* place, const char* expression, const void* caller) {
  char message[CFC_FAULT_MESSAGE_SIZE];
  snprintf(message, sizeof message, "assert failed: %s (%s)", place, expression);
  endFirmware(CFC_FAULT_ASSERT, message, caller);
}

}  // namespace espbench
