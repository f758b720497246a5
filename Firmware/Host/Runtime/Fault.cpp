// Faults that end a firmware: crashes, abort(), assert(), uncaught exceptions, endless loops. Each
// is reported over the channel to the board, which prints it as the chip's panic handler does.
#include <cxxabi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <exception>
#include <initializer_list>

#include "Runtime.h"
#include "firmware_channel_turns.h"

// The program's bounds, from the linker.
extern "C" const char __executable_start;
extern "C" const char etext;

namespace espbench {
namespace {

/// The period of the watchdog's checks, in CPU time.
constexpr int kWatchdogPeriodMicroseconds = 250000;
constexpr int kLooksUntilHang = CFC_HANG_CPU_SECONDS * 1000000 / kWatchdogPeriodMicroseconds;

alignas(16) uint8_t signalStack[65536];
bool faulted;

/// What the kernel leaves free below a stack, at least (stack_guard_gap).
constexpr uintptr_t kStackGuard = 256 * 4096;
/// Where the stack can be, with its guard.
uintptr_t stackEnd, stackStart;

void findStack() {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  stackStart = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  uintptr_t size = static_cast<uintptr_t>(limit.rlim_cur) + kStackGuard;
  stackEnd = stackStart > size ? stackStart - size : 0;
}

/// Whether an access to `address` failed because the stack is full: what it has is accessible.
bool isBeyondStack(const void* address) {
  uintptr_t value = reinterpret_cast<uintptr_t>(address);
  return value >= stackEnd && value < stackStart;
}

struct Trace {
  cfc_fault* fault;
  /// Skips the frames of this file, which precede the sketch's; those of a signal end at the
  /// interrupted instruction.
  uint32_t framesOfOurs;
};

_Unwind_Reason_Code addFrame(_Unwind_Context* context, void* argument) {
  auto* trace = static_cast<Trace*>(argument);
  cfc_fault* fault = trace->fault;
  int beforeInstruction = 0;
  uintptr_t address = _Unwind_GetIPInfo(context, &beforeInstruction);
  uintptr_t base = reinterpret_cast<uintptr_t>(&__executable_start);
  if (beforeInstruction != 0) {
    // The interrupted frame: frames before it belong to the signal handler, whatever the compiler
    // has inlined.
    fault->frame_count = 0;
    trace->framesOfOurs = 0;
  } else {
    // A return address follows its call, which may be the last instruction of its function.
    address -= 1;
  }
  if (address < base || address >= reinterpret_cast<uintptr_t>(&etext)) return _URC_NO_REASON;
  if (trace->framesOfOurs > 0) {
    trace->framesOfOurs--;
    return _URC_NO_REASON;
  }
  fault->frames[fault->frame_count++] = address - base;
  return fault->frame_count < CFC_FAULT_FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

[[noreturn]] __attribute__((noinline)) void report(cfc_fault fault, const char* message,
                                                   uint32_t framesOfOurs) {
  if (faulted) _exit(1);  // A fault while one is reported.
  faulted = true;
  if (message != nullptr) {
    strncpy(fault.message, message, sizeof fault.message - 1);
  }
  Trace trace = {&fault, framesOfOurs};
  _Unwind_Backtrace(addFrame, &trace);
  fault.pc = fault.frame_count > 0 ? fault.frames[0] : 0;
  channel()->fault = fault;
  endTurnAndExit(fault.kind == CFC_FAULT_HANG ? CFC_HUNG : CFC_CRASHED);
}

/// What a SIGSEGV or SIGBUS failed to do (CFC_ACCESS_...), known on x86-64 only. After a failed
/// fetch `context` is moved to the call.
uint32_t failedAccess([[maybe_unused]] void* context) {
#if defined(__x86_64__) && defined(__linux__)
  // The page fault's error code (Intel SDM, Volume 3, 5.7 Page-Fault Exceptions).
  constexpr greg_t kPageFault = 14;
  constexpr greg_t kWrite = 1 << 1;
  constexpr greg_t kFetch = 1 << 4;
  greg_t* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (registers[REG_TRAPNO] != kPageFault) return CFC_ACCESS_UNKNOWN;
  if ((registers[REG_ERR] & kFetch) != 0) {
    // There is no code to unwind from: the backtrace starts at the call, before its return address.
    registers[REG_RIP] = *reinterpret_cast<const greg_t*>(registers[REG_RSP]) - 1;
    registers[REG_RSP] += sizeof(greg_t);
    return CFC_ACCESS_FETCH;
  }
  return (registers[REG_ERR] & kWrite) != 0 ? CFC_ACCESS_STORE : CFC_ACCESS_LOAD;
#else
  return CFC_ACCESS_UNKNOWN;
#endif
}

void onSignal(int number, siginfo_t* information, void* context) {
  cfc_fault fault = {};
  fault.kind = number == SIGABRT ? CFC_FAULT_ABORT : CFC_FAULT_SIGNAL;
  fault.signal = static_cast<uint32_t>(number);
  if (number != SIGABRT) {
    fault.fault_address = reinterpret_cast<uint64_t>(information->si_addr);
  }
  if (number == SIGSEGV || number == SIGBUS) fault.access = failedAccess(context);
  if (number == SIGSEGV && isBeyondStack(information->si_addr)) fault.kind = CFC_FAULT_STACK;
  report(fault, nullptr, 2);
}

/// Every kWatchdogPeriodMicroseconds of CPU time: checks whether it is still the same turn.
void onLook(int, siginfo_t*, void*) {
  static uint64_t turn;
  static int looks;
  if (cfc_turn(channel()) != CFC_TURN_FIRMWARE || turnCount() != turn) {
    turn = turnCount();
    looks = 0;
    return;
  }
  if (++looks < kLooksUntilHang) return;
  cfc_fault fault = {};
  fault.kind = CFC_FAULT_HANG;
  report(fault, nullptr, 2);
}

[[noreturn]] void onTerminate() {
  char message[CFC_FAULT_MESSAGE_SIZE] = "terminate called";
  if (std::type_info* type = abi::__cxa_current_exception_type()) {
    int status = 0;
    char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    const char* shown = status == 0 ? name : type->name();
    try {
      std::rethrow_exception(std::current_exception());
    } catch (const std::exception& exception) {
      snprintf(message, sizeof message, "uncaught %s: %s", shown, exception.what());
    } catch (...) {
      snprintf(message, sizeof message, "uncaught %s", shown);
    }
  }
  cfc_fault fault = {};
  fault.kind = CFC_FAULT_EXCEPTION;
  report(fault, message, 2);
}

void onExit() {
  cfc_fault fault = {};
  fault.kind = CFC_FAULT_ABORT;
  report(fault, "exit() was called", 2);
}

void handle(int number, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | flags;
  sigfillset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

void installFaultHandlers() {
  findStack();
  stack_t stack = {};
  stack.ss_sp = signalStack;
  stack.ss_size = sizeof signalStack;
  sigaltstack(&stack, nullptr);
  for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) handle(number, onSignal, 0);
  handle(SIGPROF, onLook, SA_RESTART);
  struct itimerval look = {{0, kWatchdogPeriodMicroseconds}, {0, kWatchdogPeriodMicroseconds}};
  setitimer(ITIMER_PROF, &look, nullptr);
  std::set_terminate(onTerminate);
  atexit(onExit);
}

}  // namespace espbench

/// Called by assert(); the text is ESP-IDF's.
extern "C" void __assert_fail(const char* expression, const char* file, unsigned int line,
                              const char* function) noexcept {
  const char* slash = strrchr(file, '/');
  char message[CFC_FAULT_MESSAGE_SIZE];
  snprintf(message, sizeof message, "assert failed: %s %s:%u (%s)", function,
           slash != nullptr ? slash + 1 : file, line, expression);
  cfc_fault fault = {};
  fault.kind = CFC_FAULT_ASSERT;
  espbench::report(fault, message, 2);
}
