// ESP-IDF's messages about a corrupt heap, which end the firmware.
#ifndef ESPBENCH_HEAP_ERRORS_H
#define ESPBENCH_HEAP_ERRORS_H

#include <cstdint>

namespace espbench {

/// Prints "CORRUPT HEAP: `what` at `address`. Expected `expected` got `found`".
void printHeapError(const char* what, uint32_t address, uint32_t expected, uint32_t found);

/// Ends the firmware with a failed assertion of ESP-IDF v5.5.1's heap. `place` is the function, the
/// file and the line, `expression` the failed condition. The backtrace starts with the call that
/// returns to `caller`.
[[noreturn]] void failHeapAssertion(const char* place, const char* expression, const void* caller);

}  // namespace espbench

#endif
