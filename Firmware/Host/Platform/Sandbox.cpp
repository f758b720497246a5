#include "Sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <initializer_list>

#include "../Runtime/Runtime.h"
#include "firmware_channel_turns.h"

namespace espbench {

namespace {

/// Calls that access files by name: as on a chip without a file system, no file exists.
constexpr uint16_t kFiles[] = {
#ifdef __NR_open
    __NR_open,      __NR_stat,    __NR_lstat,     __NR_access,     __NR_readlink,
#endif
#ifdef __NR_stat64
    __NR_stat64,    __NR_lstat64,
#endif
#ifdef __NR_fstatat64
    __NR_fstatat64,
#else
    __NR_newfstatat,
#endif
    __NR_openat,    __NR_statx,   __NR_faccessat, __NR_readlinkat, 439,
};

constexpr uint16_t kWaits[] = {
    __NR_futex,
#ifdef __NR_futex_time64
    __NR_futex_time64,
#endif
};

constexpr uint32_t kEnds[] = {__NR_exit_group, __NR_exit};
/// Marks the status of the host core's own exit; the kernel uses only the lowest 8 bits.
constexpr uint32_t kOwnExit = 0x45500000, kExitMark = 0xFFFFFF00;

#if defined(__i386__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_I386;
#elif defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

/// The first argument of the system call that `context` has interrupted.
int firstArgument(const ucontext_t& context) {
#if defined(__i386__)
  return static_cast<int>(context.uc_mcontext.gregs[REG_EBX]);
#elif defined(__x86_64__)
  return static_cast<int>(context.uc_mcontext.gregs[REG_RDI]);
#else
  return static_cast<int>(context.uc_mcontext.regs[0]);
#endif
}

/// Calls with names, for messages.
struct {
  int number;
  const char* name;
} const kNames[] = {
#ifdef __NR_pause
    {__NR_pause, "pause()"},
#endif
#ifdef __NR_socketcall
    {__NR_socketcall, "socket()"},
#endif
#ifdef __NR_futex_time64
    {__NR_futex_time64, "a wait for another thread"},
#endif
#ifdef __NR_poll
    {__NR_poll, "poll()"},
#endif
    {__NR_futex, "a wait for another thread"},
    {__NR_clock_nanosleep, "clock_nanosleep()"},
    {__NR_wait4, "wait()"},
    {__NR_socket, "socket()"},
    {__NR_execve, "execve()"},
    {__NR_kill, "kill()"},
    {__NR_tgkill, "a signal to another process"},
    {__NR_ptrace, "ptrace()"},
};

}  // namespace

void describeSystemCall(const siginfo_t& information, const ucontext_t& context, char* text,
                        size_t size) {
  const int number = information.si_syscall;
  if (information.si_arch != kArchitecture) {
    snprintf(text, size, "system call %d of a program with %s", number,
             sizeof(void*) == 4 ? "64 bits" : "32 bits");
    return;
  }
  for (uint32_t end : kEnds) {
    if (static_cast<uint32_t>(number) != end) continue;
    snprintf(text, size, "exit(%d) (system call %d)", firstArgument(context), number);
    return;
  }
  const char* name = "";
  for (const auto& known : kNames) {
    if (known.number == number) name = known.name;
  }
  snprintf(text, size, "%s%ssystem call %d%s", name, *name != 0 ? " (" : "", number,
           *name != 0 ? ")" : "");
}

void exitProcess(int status) {
  for (;;) syscall(__NR_exit_group, kOwnExit | static_cast<uint32_t>(status));
}

void closeSandbox() {
#ifndef __SANITIZE_ADDRESS__
  // Files opened before the start would stay readable. The launcher's limit is 8 descriptors.
  for (int file = CFC_CHANNEL_FD; file < 8; file++) close(file);
  // AddressSanitizer reads /proc/self/maps for its reports.
  sock_filter code[128];
  unsigned short length = 0;
  auto add = [&](unsigned operation, uint32_t value, unsigned yes, unsigned no) {
    code[length++] = {static_cast<uint16_t>(operation), static_cast<uint8_t>(yes),
                      static_cast<uint8_t>(no), value};
  };
  auto load = [&](size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset), 0, 0);
  };
  auto rule = [&](uint32_t number, uint32_t action) {
    add(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
    add(BPF_RET | BPF_K, action, 0, 0);
  };
  // Keeps Linux from evaluating the filter for each system call number (firmware_sandbox.c).
  add(BPF_MISC | BPF_TAX, 0, 0, 0);
  // The filter before this one refuses calls of another architecture.
  load(offsetof(seccomp_data, nr));
  // The only permitted wait is the one for the turn.
  const auto turn = reinterpret_cast<uintptr_t>(&channel()->turn);
  constexpr size_t kAddress = offsetof(seccomp_data, args), kOperation = kAddress + 8;
  for (uint32_t number : kWaits) {
    add(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 8);
    load(kOperation);
    add(BPF_JMP | BPF_JEQ | BPF_K, FUTEX_WAIT, 0, 4);
    load(kAddress);
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(turn), 0, 3);
    load(kAddress + 4);
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(static_cast<uint64_t>(turn) >> 32), 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_TRAP, 0, 0);
  }
  for (uint32_t number : kFiles) rule(number, SECCOMP_RET_ERRNO | ENOENT);
  // A program that ends itself must report the place.
  for (uint32_t number : kEnds) {
    add(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 5);
    load(offsetof(seccomp_data, args));
    add(BPF_ALU | BPF_AND | BPF_K, kExitMark, 0, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, kOwnExit, 1, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_TRAP, 0, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  }
  for (uint32_t number : {__NR_execveat, __NR_setitimer}) rule(number, SECCOMP_RET_TRAP);
  rule(__NR_prctl, SECCOMP_RET_ERRNO | EPERM);
  add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  sock_fprog program = {length, code};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#endif
}

}  // namespace espbench
