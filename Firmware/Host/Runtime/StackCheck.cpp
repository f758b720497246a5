// -fstack-protector, with which arduino-esp32 compiles everything (CONFIG_COMPILER_STACK_CHECK_MODE
// _NORM): a function with an array has found that its return address may be overwritten.
#include "Fault.h"
#include "firmware_channel.h"

namespace {

[[noreturn]] void failStackCheck(const void* caller) {
  espbench::endFirmware(CFC_FAULT_PANIC, "Stack smashing protect failure!", caller);
}

}  // namespace

extern "C" [[noreturn]] void __stack_chk_fail() { failStackCheck(__builtin_return_address(0)); }

#ifdef __i386__
// Position-independent code calls this on i386.
extern "C" [[noreturn]] __attribute__((visibility("hidden"))) void __stack_chk_fail_local() {
  failStackCheck(__builtin_return_address(0));
}
#endif
