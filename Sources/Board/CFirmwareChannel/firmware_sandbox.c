// The sandbox of a firmware process. A table in Sources/Board/README.md lists its guarantees.
#if defined(__linux__)

#define _GNU_SOURCE
#include "firmware_sandbox.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// The program

int cfc_read_program(int program, struct cfc_sandbox* sandbox) {
  Elf64_Ehdr header;
  sandbox->loader[0] = 0;
  sandbox->is_32_bit = false;
  if (pread(program, &header, sizeof header, 0) != (ssize_t)sizeof header ||
      memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    return ENOEXEC;
  }
  const bool is_32_bit = header.e_ident[EI_CLASS] == ELFCLASS32;
  Elf32_Ehdr small;
  memcpy(&small, &header, sizeof small);
  const off_t table = is_32_bit ? (off_t)small.e_phoff : (off_t)header.e_phoff;
  const int count = is_32_bit ? small.e_phnum : header.e_phnum;
  sandbox->is_32_bit = is_32_bit;
  for (int i = 0; i < count; i++) {
    Elf64_Phdr segment;
    Elf32_Phdr small_segment;
    off_t offset = 0;
    size_t size = 0;
    if (is_32_bit) {
      if (pread(program, &small_segment, sizeof small_segment,
                table + i * (off_t)sizeof small_segment) != (ssize_t)sizeof small_segment) {
        return ENOEXEC;
      }
      if (small_segment.p_type != PT_INTERP) continue;
      offset = (off_t)small_segment.p_offset;
      size = small_segment.p_filesz;
    } else {
      if (pread(program, &segment, sizeof segment, table + i * (off_t)sizeof segment) !=
          (ssize_t)sizeof segment) {
        return ENOEXEC;
      }
      if (segment.p_type != PT_INTERP) continue;
      offset = (off_t)segment.p_offset;
      size = (size_t)segment.p_filesz;
    }
    if (size == 0 || size > sizeof sandbox->loader ||
        pread(program, sandbox->loader, size, offset) != (ssize_t)size ||
        sandbox->loader[size - 1] != 0) {
      return ENOEXEC;
    }
    return 0;
  }
  return 0;
}

// Limits

static int set_limit(int resource, rlim_t value) {
  struct rlimit limits;
  if (getrlimit(resource, &limits) != 0) return errno;
  if (limits.rlim_max != RLIM_INFINITY && value > limits.rlim_max) value = limits.rlim_max;
  limits.rlim_cur = limits.rlim_max = value;
  return setrlimit(resource, &limits) == 0 ? 0 : errno;
}

static int set_limits(bool is_sanitized) {
  int error = set_limit(RLIMIT_CORE, 0);
  if (error == 0) error = set_limit(RLIMIT_FSIZE, 0);
  if (error == 0) error = set_limit(RLIMIT_NPROC, 0);
  // The loader opens one library at a time.
  if (error == 0) error = set_limit(RLIMIT_NOFILE, 8);
  if (error == 0) error = set_limit(RLIMIT_MEMLOCK, 0);
  if (error == 0) error = set_limit(RLIMIT_MSGQUEUE, 0);
  // AddressSanitizer's shadow memory exceeds the limits below.
  if (is_sanitized) return error;
  if (error == 0) error = set_limit(RLIMIT_DATA, 64u << 20);
  if (error == 0) error = set_limit(RLIMIT_AS, 512u << 20);
  return error;
}

// Files: Landlock (Linux 5.13). Defines the kernel's interface, which older headers lack.

#define LANDLOCK_CREATE 444
#define LANDLOCK_ADD 445
#define LANDLOCK_RESTRICT 446
enum { LANDLOCK_VERSION_FLAG = 1, LANDLOCK_PATH_BENEATH = 1 };

struct landlock_ruleset {
  uint64_t files, network, scopes;
};

struct landlock_path {
  uint64_t access;
  int32_t parent;
} __attribute__((packed));

static const uint64_t kExecute = 1 << 0, kReadFile = 1 << 2;

static void allow_path(int rules, const char* path, uint64_t access) {
  int file = open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return;
  struct landlock_path rule = {access, file};
  syscall(LANDLOCK_ADD, rules, LANDLOCK_PATH_BENEATH, &rule, 0);
  close(file);
}

/// The folders in which the loader finds libraries.
static const char* const kLibraries[] = {
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libx32",
    "/usr/local/lib",
    "/nix/store",
    "/gnu",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
};

/// Lets the program read libraries and execute its loader, and reach no other
/// files.
static void restrict_files(const struct cfc_sandbox* sandbox) {
  const long version = syscall(LANDLOCK_CREATE, NULL, 0, LANDLOCK_VERSION_FLAG);
  if (version < 1) return;
  // Bits 13 (rename to other folders), 14 (truncate), 15 (ioctl of devices) were added one by one.
  struct landlock_ruleset all = {(1 << 13) - 1, 0, 0};
  if (version >= 2) all.files |= 1 << 13;
  if (version >= 3) all.files |= 1 << 14;
  if (version >= 5) all.files |= 1 << 15;
  if (version >= 4) all.network = 3;  // to bind and to connect TCP sockets
  if (version >= 6) all.scopes = 3;   // abstract UNIX sockets, signals
  const size_t size = version >= 6   ? sizeof all
                      : version >= 4 ? offsetof(struct landlock_ruleset, scopes)
                                     : sizeof all.files;
  const int rules = (int)syscall(LANDLOCK_CREATE, &all, size, 0);
  if (rules < 0) return;
  for (size_t i = 0; i < sizeof kLibraries / sizeof *kLibraries; i++) {
    allow_path(rules, kLibraries[i], kReadFile);
  }
  if (sandbox->loader[0] != 0) allow_path(rules, sandbox->loader, kReadFile | kExecute);
  if (sandbox->is_sanitized) allow_path(rules, "/proc/self", kReadFile);
  syscall(LANDLOCK_RESTRICT, rules, 0);
  close(rules);
}

// System calls: seccomp

enum { FILTER_CAPACITY = 512 };

struct filter {
  struct sock_filter code[FILTER_CAPACITY];
  unsigned short length;
};

#define RET_ERROR(number) (SECCOMP_RET_ERRNO | (number))

static void add(struct filter* filter, unsigned code, uint32_t value, unsigned yes, unsigned no) {
  if (filter->length == FILTER_CAPACITY) return;
  filter->code[filter->length++] =
      (struct sock_filter){(unsigned short)code, (unsigned char)yes, (unsigned char)no, value};
}

static void load(struct filter* filter, size_t offset) {
  add(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/// Loads the lower half of an argument: all compared arguments have type int.
static void load_argument(struct filter* filter, int index) {
  load(filter, offsetof(struct seccomp_data, args) + 8u * (unsigned)index);
}

static void end_with(struct filter* filter, uint32_t action) {
  add(filter, BPF_RET | BPF_K, action, 0, 0);
}

/// Adds a rule: if the loaded value is `value`, take `action`.
static void rule(struct filter* filter, uint32_t value, uint32_t action) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
  end_with(filter, action);
}

/// The numbers of the calls whose arguments are checked; -1: no such call.
struct numbers {
  int open, openat, futex, futex_time64, prctl, prlimit, tgkill, exit_group, clone, clone3;
};

enum { LONGEST_LIST = 80 };

/// The calls of one kind of program.
struct calls {
  struct numbers numbers;
  /// Allowed with any arguments; -1 ends them.
  int16_t allowed[LONGEST_LIST];
  /// Calls that wait outside the board's time, start programs, or reach other processes or
  /// machines: they end the program with SIGSYS, which reports the place.
  int16_t trapped[LONGEST_LIST];
};

/// asm/unistd_32.h
static const struct calls kCallsI386 = {
    {5, 295, 240, 422, 172, 340, 270, 252, 120, 435},
    {265, 403, 3,   4,   146, 6,   91,  192, 90,  125, 163, 219, 45,  108, 197, 195,
     196, 300, 383, 33,  307, 439, 19,  140, 180, 174, 175, 173, 119, 186, 224, 20,
     64,  1,   243, 258, 311, 386, 384, 355, 78,  13,  266, 406, 104, 105, 76,  191,
     158, 242, 122, 116, 24,  49,  47,  50,  199, 201, 200, 202, 85,  305, 0,   -1},
    {11,  358, 26,  347, 348, 37,  238, 29,  162, 267, 407, 168, 309, 414, 82,  142, 308,
     413, 72,  179, 177, 421, 114, 7,   284, 359, 102, 360, 75,  356, 425, 117, 438, -1},
};

#if defined(NATIVE_ARCHITECTURE)
static const struct calls kCallsNative = {
    {
#ifdef __NR_open
        __NR_open,
#else
        -1,
#endif
        __NR_openat, __NR_futex, -1, __NR_prctl, __NR_prlimit64, __NR_tgkill, __NR_exit_group,
        __NR_clone, 435},
    {__NR_clock_gettime,
     __NR_read,
     __NR_write,
     __NR_writev,
     __NR_close,
     __NR_munmap,
     __NR_mmap,
     __NR_mprotect,
     __NR_mremap,
     __NR_madvise,
     __NR_brk,
     __NR_fstat,
     __NR_newfstatat,
     __NR_statx,
     __NR_faccessat,
     439,
     __NR_lseek,
     __NR_pread64,
     __NR_rt_sigaction,
     __NR_rt_sigprocmask,
     __NR_rt_sigreturn,
     __NR_sigaltstack,
     __NR_gettid,
     __NR_getpid,
     __NR_getppid,
     __NR_exit,
     __NR_set_tid_address,
     __NR_set_robust_list,
#ifdef __NR_rseq
     __NR_rseq,
#endif
     __NR_getrandom,
     __NR_gettimeofday,
     __NR_clock_getres,
     __NR_setitimer,
     __NR_getitimer,
     __NR_getrlimit,
     __NR_sched_yield,
     __NR_sched_getaffinity,
     __NR_uname,
     __NR_sysinfo,
     __NR_getuid,
     __NR_geteuid,
     __NR_getgid,
     __NR_getegid,
     __NR_readlinkat,
#if defined(__x86_64__)
     __NR_stat,
     __NR_lstat,
     __NR_access,
     __NR_arch_prctl,
     __NR_time,
     __NR_readlink,
#endif
     -1},
    {__NR_execve,
     __NR_ptrace,
     __NR_process_vm_readv,
     __NR_process_vm_writev,
     __NR_kill,
     __NR_tkill,
     __NR_nanosleep,
     __NR_clock_nanosleep,
     __NR_ppoll,
     __NR_pselect6,
     __NR_rt_sigsuspend,
     __NR_rt_sigtimedwait,
     __NR_wait4,
     __NR_waitid,
     __NR_socket,
     __NR_socketpair,
     __NR_setrlimit,
     __NR_memfd_create,
     425,
     438,
#if defined(__x86_64__)
     __NR_pause,
     __NR_poll,
     __NR_select,
#endif
     -1},
};
#endif

static void rules_of(struct filter* filter, const struct calls* calls) {
  const struct numbers numbers = calls->numbers;
  // The system calls that a turn needs come first.
  const int waits[] = {numbers.futex_time64, numbers.futex};
  for (int i = 0; i < 2; i++) {
    if (waits[i] < 0) continue;
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)waits[i], 0, 8);
    load_argument(filter, 1);
    rule(filter, FUTEX_WAIT, SECCOMP_RET_ALLOW);
    rule(filter, FUTEX_WAKE, SECCOMP_RET_ALLOW);
    rule(filter, FUTEX_WAKE_PRIVATE, SECCOMP_RET_ALLOW);
    // This process has one thread: nothing in it could end such a wait.
    end_with(filter, SECCOMP_RET_TRAP);
  }
  for (int i = 0; calls->allowed[i] >= 0; i++) {
    rule(filter, (uint32_t)calls->allowed[i], SECCOMP_RET_ALLOW);
  }
  rule(filter, (uint32_t)numbers.exit_group, SECCOMP_RET_ALLOW);
  const int opens[] = {numbers.open, numbers.openat};
  for (int i = 0; i < 2; i++) {
    if (opens[i] < 0) continue;
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)opens[i], 0, 5);
    load_argument(filter, i + 1);
    add(filter, BPF_ALU | BPF_AND | BPF_K, O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND, 0, 0);
    rule(filter, O_RDONLY, SECCOMP_RET_ALLOW);
    end_with(filter, RET_ERROR(EACCES));
  }
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)numbers.prctl, 0, 8);
  load_argument(filter, 0);
  rule(filter, PR_SET_NO_NEW_PRIVS, SECCOMP_RET_ALLOW);
  rule(filter, PR_SET_SECCOMP, SECCOMP_RET_ALLOW);
  rule(filter, 0x53564d41, SECCOMP_RET_ALLOW);  // PR_SET_VMA: names of mappings
  end_with(filter, RET_ERROR(EPERM));
  // The process may read its own limits.
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)numbers.prlimit, 0, 8);
  load_argument(filter, 0);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 5);
  load_argument(filter, 2);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
  load(filter, offsetof(struct seccomp_data, args) + 8 * 2 + 4);
  rule(filter, 0, SECCOMP_RET_ALLOW);
  end_with(filter, SECCOMP_RET_TRAP);
  // The process may send signals to itself, as abort() and raise() do, but not stop itself.
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)numbers.tgkill, 0, 6);
  load_argument(filter, 0);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 0, 3);
  load_argument(filter, 2);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, SIGSTOP, 1, 0);
  end_with(filter, SECCOMP_RET_ALLOW);
  end_with(filter, SECCOMP_RET_TRAP);
  rule(filter, (uint32_t)numbers.clone, RET_ERROR(EAGAIN));
  rule(filter, (uint32_t)numbers.clone3, RET_ERROR(EAGAIN));
  for (int i = 0; calls->trapped[i] >= 0; i++) {
    rule(filter, (uint32_t)calls->trapped[i], SECCOMP_RET_TRAP);
  }
}

#if defined(NATIVE_ARCHITECTURE)
/// Allows this process to execute the program. A program itself never has this descriptor.
static void rule_of_execution(struct filter* filter) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, __NR_execveat, 0, 6);
  load_argument(filter, 0);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, CFC_PROGRAM_FD, 0, 3);
  load_argument(filter, 4);
  rule(filter, AT_EMPTY_PATH, SECCOMP_RET_ALLOW);
  end_with(filter, SECCOMP_RET_TRAP);
}

static int restrict_calls(const struct cfc_sandbox* sandbox) {
  struct filter filter = {.length = 0};
  // To cache the answers, Linux evaluates a filter of mere comparisons once for each system call
  // number. That took longer than the rest of the sandbox; any other instruction prevents it.
  add(&filter, BPF_MISC | BPF_TAX, 0, 0, 0);
  load(&filter, offsetof(struct seccomp_data, arch));
#if defined(__x86_64__)
  if (sandbox->is_32_bit) {
    // A 32-bit program can make 64-bit calls.
    add(&filter, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_I386, 11, 0);
    add(&filter, BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, 1, 0);
    end_with(&filter, SECCOMP_RET_TRAP);
    load(&filter, offsetof(struct seccomp_data, nr));
    rule_of_execution(&filter);
    end_with(&filter, SECCOMP_RET_TRAP);
    load(&filter, offsetof(struct seccomp_data, nr));
    rules_of(&filter, &kCallsI386);
  } else
#endif
  {
    add(&filter, BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, 1, 0);
    end_with(&filter, SECCOMP_RET_TRAP);
    load(&filter, offsetof(struct seccomp_data, nr));
    rules_of(&filter, &kCallsNative);
    rule_of_execution(&filter);
  }
  // The answer of a kernel that lacks the call: the C library then does without it.
  end_with(&filter, RET_ERROR(ENOSYS));
  if (filter.length == FILTER_CAPACITY) return E2BIG;
  struct sock_fprog program = {filter.length, filter.code};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0) return 0;
  // The kernel has no seccomp, or this emulator does not support it.
  return errno == EINVAL || errno == ENOSYS ? 0 : errno;
}
#else
static int restrict_calls(const struct cfc_sandbox* sandbox) {
  (void)sandbox;
  return 0;
}
#endif

int cfc_enter_sandbox(const struct cfc_sandbox* sandbox) {
  int error = set_limits(sandbox->is_sanitized);
  if (error != 0) return error;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  restrict_files(sandbox);
  return restrict_calls(sandbox);
}

#endif  // __linux__
