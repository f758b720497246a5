// Ends of the firmware that the chip reports as a panic.
#ifndef ESPBENCH_FAULT_H
#define ESPBENCH_FAULT_H

#include <cstdint>

namespace espbench {

/// Ends the firmware with a fault of the current task, with its backtrace. `kind`: CFC_FAULT_...
/// With `caller` the backtrace starts at the call that returns there.
[[noreturn]] void endFirmware(uint32_t kind, const char* message, const void* caller = nullptr);

/// An address in the program in the form that addr2line expects; 0: outside the program.
uint64_t codeAddress(uintptr_t address);

}  // namespace espbench

#endif
