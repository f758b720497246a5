// Faults that end a firmware: crashes, abort(), assert(), uncaught exceptions, endless loops. Each
// is reported over the channel to the board, which prints it as the chip's panic handler does.
#include "../Runtime/Fault.h"

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

#include "../Runtime/Context.h"
#include "../Runtime/Cores.h"
#include "../Runtime/Heap.h"
#include "../Runtime/Runtime.h"
#include "Sandbox.h"
#include "firmware_channel_turns.h"

namespace espbench {
namespace {

/// The period of the watchdog's checks, in CPU time.
constexpr int kWatchdogPeriodMicroseconds = 250000;
constexpr int kLooksUntilHang = CFC_HANG_CPU_SECONDS * 1000000 / kWatchdogPeriodMicroseconds;

alignas(16) uint8_t signalStack[65536];
/// True if a fault is being reported; `reported` then describes it.
bool faulted;
cfc_fault reported;

/// True if an access to `address` failed because the current task's stack is full.
bool isBeyondStack(const void* address) {
  const Task* task = currentTask();
  auto* at = static_cast<const uint8_t*>(address);
  return task->stackMapping != nullptr && at >= task->stackLow - kStackGuard && at < task->stackLow;
}

/// A fault that was not caused by a signal, and its presentation. It is reported from a signal
/// handler, too: a report may need more stack than the task has left.
struct {
  cfc_fault fault;
  const void* caller;
} requested;
constexpr int kReportSignal = SIGUSR1;

/// The frames of requestReport() and of the function that calls it.
constexpr uint32_t kRequestFrames = 2;

struct Trace {
  cfc_fault* fault;
  /// Skips the frames of this file, which precede the sketch's; the frames of a signal handler end
  /// at the interrupted instruction.
  uint32_t framesOfOurs;
  /// Skips the frames before the one with this return address; 0: none.
  uintptr_t caller;
  /// The host core raised the signal: the next frame is the sketch's call.
  bool isRequested;
};

_Unwind_Reason_Code addFrame(_Unwind_Context* context, void* argument) {
  auto* trace = static_cast<Trace*>(argument);
  cfc_fault* fault = trace->fault;
  int beforeInstruction = 0;
  uintptr_t address = _Unwind_GetIPInfo(context, &beforeInstruction);
  if (beforeInstruction != 0) {
    // The interrupted frame: frames before it belong to the signal handler, regardless of inlining.
    fault->frame_count = 0;
    if (!trace->isRequested) trace->framesOfOurs = trace->caller = 0;
    trace->isRequested = false;
  } else {
    if (trace->isRequested) return _URC_NO_REASON;
    if (trace->caller != 0 && trace->caller != address) return _URC_NO_REASON;
    trace->caller = 0;
    // A return address follows its call, which may be the last instruction of its function.
    address -= 1;
  }
  const uint64_t code = codeAddress(address);
  if (code == 0) return _URC_NO_REASON;
  if (trace->framesOfOurs > 0) {
    trace->framesOfOurs--;
    return _URC_NO_REASON;
  }
  fault->stack_pointers[fault->frame_count] = static_cast<uint32_t>(_Unwind_GetCFA(context));
  fault->frames[fault->frame_count++] = code;
  return fault->frame_count < CFC_FAULT_FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

[[noreturn]] void sendReport() {
  cfc_fault& fault = reported;
  fault.pc = fault.frame_count > 0 ? fault.frames[0] : 0;
  channel()->fault = fault;
  endTurnAndExit(fault.kind == CFC_FAULT_HANG ? CFC_HUNG : CFC_CRASHED);
}

[[noreturn]] __attribute__((noinline)) void report(const cfc_fault& found, const char* message,
                                                   uint32_t framesOfOurs,
                                                   const void* caller = nullptr,
                                                   bool isRequested = false) {
  // A second fault during a report: the backtrace ends where the stack is destroyed.
  if (faulted) sendReport();
  faulted = true;
  cfc_fault& fault = reported;
  fault = found;
  if (message != nullptr) {
    strncpy(fault.message, message, sizeof fault.message - 1);
  }
  fault.core = static_cast<uint32_t>(currentCore());
  fault.in_interrupt = inInterrupt();
  for (int core = 0; core < kCores; core++) {
    const Task* running = cores[core].running;
    const char* name = running != nullptr ? running->name : core == 0 ? "IDLE0" : "IDLE1";
    strncpy(fault.running[core], name, sizeof fault.running[core] - 1);
  }
  // An interrupt may use the stack of a task of the other core.
  const char* task = inInterrupt() ? fault.running[fault.core] : currentTask()->name;
  strncpy(fault.task, task, sizeof fault.task - 1);
  Trace trace = {&fault, framesOfOurs, reinterpret_cast<uintptr_t>(caller), isRequested};
  _Unwind_Backtrace(addFrame, &trace);
  sendReport();
}

/// The kind of access at which a SIGSEGV or SIGBUS occurred (CFC_ACCESS_...), known on x86 only.
/// After a failed fetch `context` is moved to the call.
uint32_t failedAccess([[maybe_unused]] void* context) {
#if (defined(__x86_64__) || defined(__i386__)) && defined(__linux__)
#if defined(__x86_64__)
  constexpr int kInstruction = REG_RIP, kStack = REG_RSP;
#else
  constexpr int kInstruction = REG_EIP, kStack = REG_ESP;
#endif
  // The page fault's error code (Intel SDM, Volume 3, 5.7 Page-Fault Exceptions).
  constexpr greg_t kPageFault = 14;
  constexpr greg_t kWrite = 1 << 1;
  constexpr greg_t kFetch = 1 << 4;
  greg_t* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (registers[REG_TRAPNO] != kPageFault) return CFC_ACCESS_UNKNOWN;
  if ((registers[REG_ERR] & kFetch) != 0) {
    // There is no code to unwind from: the backtrace starts at the call, before its return address.
    registers[kInstruction] = *reinterpret_cast<const greg_t*>(registers[kStack]) - 1;
    registers[kStack] += sizeof(greg_t);
    return CFC_ACCESS_FETCH;
  }
  return (registers[REG_ERR] & kWrite) != 0 ? CFC_ACCESS_STORE : CFC_ACCESS_LOAD;
#else
  return CFC_ACCESS_UNKNOWN;
#endif
}

/// The peripherals on the ESP32's data bus: DPORT, UART, SPI, GPIO and the others (Technical
/// Reference Manual, "Peripheral Address Mapping").
constexpr uintptr_t kPeripherals = 0x3FF00000;
constexpr uintptr_t kPeripheralsEnd = 0x3FF80000;

/// A message for an access to a register of the chip through a pointer, which the chip would have
/// carried out; nullptr: another address.
const char* registerMessage(uintptr_t address, uint32_t access) {
  static char message[160];
  if (address < kPeripherals || address >= kPeripheralsEnd || access == CFC_ACCESS_FETCH) {
    return nullptr;
  }
  snprintf(message, sizeof message,
           "Access through a pointer to register 0x%08lx, which is not in espbench's host core: "
           "those of pins are by REG_READ() and REG_WRITE()",
           static_cast<unsigned long>(address));
  return message;
}

/// True if a SIGFPE was caused by INT_MIN / -1, which raises no exception on the chip: the quotient
/// is INT_MIN (Xtensa ISA, QUOS). In that case the quotient is set, and `context` moved past the
/// division.
bool overflowedDivision([[maybe_unused]] void* context) {
#if defined(__i386__) && defined(__linux__)
  greg_t* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (registers[REG_EAX] != INT32_MIN || registers[REG_EDX] != -1) return false;
  // IDIV r/m32 is F7 /7 (Intel SDM, Volume 2, IDIV and 2.1.5).
  auto* code = reinterpret_cast<const uint8_t*>(registers[REG_EIP]);
  if (code[0] != 0xF7 || (code[1] >> 3 & 7) != 7) return false;
  constexpr int kRegisters[] = {REG_EAX, REG_ECX, REG_EDX, REG_EBX,
                                REG_ESP, REG_EBP, REG_ESI, REG_EDI};
  const uint8_t mode = code[1] >> 6;
  const uint8_t base = code[1] & 7;
  const uint8_t* next = code + 2;
  greg_t divisor = 0;
  if (mode == 3) {
    divisor = registers[kRegisters[base]];
  } else {
    greg_t address = 0;
    bool hasWord = mode == 2;
    if (base == 4) {
      const uint8_t scaled = *next++;
      if ((scaled >> 3 & 7) != 4) address = registers[kRegisters[scaled >> 3 & 7]] << (scaled >> 6);
      if ((scaled & 7) == 5 && mode == 0) {
        hasWord = true;
      } else {
        address += registers[kRegisters[scaled & 7]];
      }
    } else if (base == 5 && mode == 0) {
      hasWord = true;
    } else {
      address = registers[kRegisters[base]];
    }
    int32_t word = 0;
    if (hasWord) {
      memcpy(&word, next, sizeof word);
      next += sizeof word;
    } else if (mode == 1) {
      word = static_cast<int8_t>(*next++);
    }
    divisor = *reinterpret_cast<const greg_t*>(address + word);
  }
  if (divisor != -1) return false;
  registers[REG_EDX] = 0;
  registers[REG_EIP] = reinterpret_cast<greg_t>(next);
  return true;
#else
  return false;
#endif
}

void onSignal(int number, siginfo_t* information, void* context) {
  if (number == SIGFPE && overflowedDivision(context)) return;
  cfc_fault fault = {};
  fault.kind = number == SIGABRT ? CFC_FAULT_ABORT : CFC_FAULT_SIGNAL;
  fault.signal = static_cast<uint32_t>(number);
  if (number != SIGABRT) {
    // Avoids sign extension of 32-bit pointers.
    fault.fault_address = reinterpret_cast<uintptr_t>(information->si_addr);
  }
  if (number == SIGSEGV || number == SIGBUS) fault.access = failedAccess(context);
  if (number == SIGSEGV && isBeyondStack(information->si_addr)) fault.kind = CFC_FAULT_STACK;
  const char* message = nullptr;
  if (number == SIGSEGV) {
    message = registerMessage(static_cast<uintptr_t>(fault.fault_address), fault.access);
  }
  if (message != nullptr) fault.kind = CFC_FAULT_PANIC;
  report(fault, message, 2);
}

void onReport(int, siginfo_t* information, void*) {
  if (information->si_code == SI_USER) {
    // The board requests the place of the firmware.
    cfc_fault fault = {};
    fault.kind = CFC_FAULT_HANG;
    report(fault, nullptr, 2);
  }
  report(requested.fault, nullptr, requested.caller == nullptr ? kRequestFrames : 0,
         requested.caller, true);
}

void onRefusedCall(int number, siginfo_t* information, void* context) {
  char message[128];
  describeSystemCall(*information, *static_cast<ucontext_t*>(context), message, sizeof message);
  cfc_fault fault = {};
  fault.kind = CFC_FAULT_SYSTEM_CALL;
  fault.signal = static_cast<uint32_t>(number);
  report(fault, message, 2);
}

bool isOnSignalStack() {
  auto* here = static_cast<const uint8_t*>(__builtin_frame_address(0));
  return here >= signalStack && here < signalStack + sizeof signalStack;
}

/// Reports a fault of the current task. `caller`: the start of the backtrace; nullptr: the caller
/// of the function that calls this one. `message` may be requested.fault.message.
[[noreturn]] __attribute__((noinline)) void requestReport(uint32_t kind, const char* message,
                                                          const void* caller = nullptr) {
  if (faulted) sendReport();
  requested.fault.kind = kind;
  requested.caller = caller;
  if (message != requested.fault.message) {
    strncpy(requested.fault.message, message, sizeof requested.fault.message - 1);
  }
  if (!isOnSignalStack()) raise(kReportSignal);
  report(requested.fault, nullptr, kRequestFrames, caller);
}

/// Replaces `while (true) {}`, which the compiler turns into an uncounted jump to itself, by a
/// counted loop. The two differ only in this, since neither ends. Then time passes, and the
/// watchdogs detect the loop.
void countEmptyLoop([[maybe_unused]] void* context) {
#if defined(__linux__) && (defined(__i386__) || defined(__x86_64__))
#if defined(__x86_64__)
  constexpr int kInstruction = REG_RIP, kStack = REG_RSP;
#else
  constexpr int kInstruction = REG_EIP, kStack = REG_ESP;
#endif
  greg_t* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto address = static_cast<uintptr_t>(registers[kInstruction]);
  if (codeAddress(address) == 0) return;
  // JMP rel8, -2.
  auto* code = reinterpret_cast<const uint8_t*>(address);
  if (code[0] != 0xEB || code[1] != 0xFE) return;
  // Looks like a call from the loop: a return address is assumed to follow its call.
  registers[kStack] -= static_cast<greg_t>(sizeof(greg_t));
  *reinterpret_cast<greg_t*>(registers[kStack]) = registers[kInstruction] + 1;
  registers[kInstruction] = reinterpret_cast<greg_t>(espbench_count_for_ever);
#endif
}

/// Every kWatchdogPeriodMicroseconds of CPU time: checks whether the turn is still the same.
void onLook(int, siginfo_t*, void* context) {
  static uint64_t turn;
  static int looks;
  countEmptyLoop(context);
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
  HostScope own;
  char(&message)[CFC_FAULT_MESSAGE_SIZE] = requested.fault.message;
  strcpy(message, "terminate called");
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
  requestReport(CFC_FAULT_EXCEPTION, message);
}

void onExit() { requestReport(CFC_FAULT_ABORT, "exit() was called"); }

void handle(int number, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | flags;
  sigfillset(&action.sa_mask);
  // The handler itself may fail, at a stack that is destroyed.
  for (int fault : {SIGSEGV, SIGBUS}) sigdelset(&action.sa_mask, fault);
  if (number != SIGSEGV && number != SIGBUS) sigaddset(&action.sa_mask, number);
  sigaction(number, &action, nullptr);
}

}  // namespace

void installFaultHandlers() {
  stack_t stack = {};
  stack.ss_sp = signalStack;
  stack.ss_size = sizeof signalStack;
  sigaltstack(&stack, nullptr);
  for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) handle(number, onSignal, 0);
  handle(kReportSignal, onReport, 0);
  handle(SIGSYS, onRefusedCall, 0);
  handle(SIGPROF, onLook, SA_RESTART);
  struct itimerval look = {{0, kWatchdogPeriodMicroseconds}, {0, kWatchdogPeriodMicroseconds}};
  setitimer(ITIMER_PROF, &look, nullptr);
  std::set_terminate(onTerminate);
  atexit(onExit);
}

void endFirmware(uint32_t kind, const char* message, const void* caller) {
  requestReport(kind, message, caller);
}

}  // namespace espbench

/// Called by assert(); the text is ESP-IDF's.
extern "C" void __assert_fail(const char* expression, const char* file, unsigned int line,
                              const char* function) noexcept {
  const char* slash = strrchr(file, '/');
  char(&message)[CFC_FAULT_MESSAGE_SIZE] = espbench::requested.fault.message;
  snprintf(message, sizeof message, "assert failed: %s %s:%u (%s)", function,
           slash != nullptr ? slash + 1 : file, line, expression);
  espbench::requestReport(CFC_FAULT_ASSERT, message);
}

/// As in ESP-IDF's C library, which calls abort().
extern "C" void _exit(int) { espbench::requestReport(CFC_FAULT_ABORT, "_exit() was called"); }
extern "C" void _Exit(int) noexcept {
  espbench::requestReport(CFC_FAULT_ABORT, "_Exit() was called");
}
