// Contexts: the stacks on which tasks and interrupts run.
#ifndef ESPBENCH_CONTEXT_H
#define ESPBENCH_CONTEXT_H

#include <cstddef>
#include <cstdint>

namespace espbench {

/// The bytes that the frames of the host's C library and compiler may need beyond those of the
/// chip, added to each stack. Firmware/Host/README.md describes the measurement
/// (Scripts/bench-frames, Tests/FramesTest.cpp).
#if defined(__SANITIZE_ADDRESS__)
constexpr size_t kFrameAllowance = 256 * 1024;
#elif __SIZEOF_POINTER__ == 4
constexpr size_t kFrameAllowance = 1280;
#else
constexpr size_t kFrameAllowance = 8192;
#endif

/// Prepares a stack, whose first use calls `entry`; returns the context for
/// espbench_switch_context().
void* makeContext(uint8_t* stackHigh, void (*entry)());

extern "C" {
/// Saves the current context to *saved and restores another one.
void espbench_switch_context(void** saved, void* restored);
/// Calls function(argument) on another stack.
void espbench_call_on_stack(void* stackHigh, void (*function)(void*), void* argument);

/// An endless loop that counts as the sketch's. It is entered by a jump, with an address of the
/// sketch's loop as the return address. Not on AArch64.
void espbench_count_for_ever();
}

/// A frame of a function that keeps a frame pointer: the frame of its caller, and where it returns
/// to.
struct FrameRecord {
  const FrameRecord* caller;
  uintptr_t returnAddress;
};
/// The frame in which espbench_switch_context() saved a context.
const FrameRecord* frameOf(const void* context);

/// A mapped stack with an inaccessible range below it.
struct Stack {
  uint8_t* low;
  uint8_t* high;
  void* mapping;
  size_t mappingSize;
};

/// Maps a stack of `size` bytes, filled with kStackFill; `low` is nullptr when that fails.
Stack mapStack(size_t size);
void unmapStack(void* mapping, size_t mappingSize);

/// The byte that FreeRTOS fills stacks with (tskSTACK_FILL_BYTE).
constexpr uint8_t kStackFill = 0xa5;
/// The inaccessible bytes below a stack: more than the largest buffer that a function may put on a
/// stack.
constexpr size_t kStackGuard = 256 * 1024;

}  // namespace espbench

#endif
