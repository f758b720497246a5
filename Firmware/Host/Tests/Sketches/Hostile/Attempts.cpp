// Tries to leave the sandbox: before any other code runs, and when a line is read. Each attempt is
// a line of output: its name, and "refused" or its result.
#include "Attempts.h"

#include <Arduino.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

long library = -1;

namespace {

struct Attempt {
  const char* name;
  long (*run)();
};

volatile sig_atomic_t wasTrapped;
void onTrap(int) { wasTrapped = 1; }

const char kVictim[] = "/tmp/hostile-victim", kOwn[] = "/tmp/hostile";
const char kLibraries[] = "/etc/ld.so.cache";

long openFile(const char* path, int flags) {
  const long file = syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
  if (file >= 0) close(static_cast<int>(file));
  return file;
}

long parentFile(const char* name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", getppid(), name);
  return openFile(path, O_RDONLY);
}

long openByNewCall() {
  const uint64_t how[3] = {O_RDONLY, 0, 0};
  return syscall(437, AT_FDCWD, "/etc/passwd", how, sizeof how);
}

long cloneByNewCall() {
  uint64_t arguments[8] = {};
  arguments[4] = SIGCHLD;
  return syscall(435, arguments, sizeof arguments);
}

/// The number of open descriptors beyond standard input, output, error and the channel.
long strayDescriptors() {
  for (int descriptor = 4; descriptor < 1024; descriptor++) {
    struct stat status;
    if (fstat(descriptor, &status) == 0) return descriptor;
  }
  return -1;
}

/// Environment variables of the bench; TZ is set by the host core.
long seeEnvironment() {
  for (char** variable = environ; variable != nullptr && *variable != nullptr; variable++) {
    if (strncmp(*variable, "TZ=", 3) != 0) return 0;
  }
  return -1;
}

long execute() {
  char* const arguments[] = {const_cast<char*>("sh"), nullptr};
  return syscall(SYS_execve, "/bin/sh", arguments, arguments + 1);
}

long executeLoader() {
  const long file = syscall(SYS_openat, AT_FDCWD, "/lib/ld-linux.so.2", O_RDONLY);
  char* const arguments[] = {const_cast<char*>("ld.so"), const_cast<char*>("/bin/sh"), nullptr};
  const long result =
      syscall(SYS_execveat, file < 0 ? 200 : file, "", arguments, arguments + 2, AT_EMPTY_PATH);
  close(static_cast<int>(file));
  return result;
}

long ring() {
  char parameters[120] = {};
  return syscall(425, 8, parameters);
}

long raiseLimit() {
  const rlimit limit = {1000, 1000};
  return setrlimit(RLIMIT_NOFILE, &limit);
}

long raiseLimitByNewCall() {
  const uint64_t limit[2] = {1000, 1000};
  return syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, limit, nullptr);
}

long map(size_t size, int protection) {
  void* memory =
      mmap(nullptr, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return -1;
  munmap(memory, size);
  return 0;
}

long openManyFiles() {
  int files[12], count = 0;
  while (count < 12 && (files[count] = static_cast<int>(
                            syscall(SYS_openat, AT_FDCWD, kLibraries, O_RDONLY))) >= 0) {
    count++;
  }
  const long result = count > 0 && files[count - 1] >= 8 ? 0 : -1;
  while (count > 0) close(files[--count]);
  return result;
}

/// For calls that would fail here even without a sandbox.
long unlessTrapped(long) { return wasTrapped ? -1 : 0; }

const timespec kMoment = {0, 1};
struct utsname machine;
timespec now;
sigset_t noSignals;

/// The rows of the table, in its order, then attempts without a guarantee.
const Attempt kAttempts[] = {
    {"read a file", [] { return openFile("/etc/passwd", O_RDONLY); }},
    {"read a file by openat2", openByNewCall},
    {"list a folder", [] { return openFile("/", O_RDONLY | O_DIRECTORY); }},
    {"read a library", [] { return openFile(kLibraries, O_RDONLY); }},

    {"write a file", [] { return openFile(kVictim, O_WRONLY); }},
    {"write and make a file", [] { return openFile(kOwn, O_WRONLY | O_CREAT); }},
    {"empty a file", [] { return openFile(kVictim, O_RDONLY | O_TRUNC); }},
    {"shorten a file", [] { return syscall(SYS_truncate, kVictim, 0); }},
    {"make a file", [] { return syscall(SYS_creat, kOwn, 0600); }},
    {"make a folder", [] { return syscall(SYS_mkdir, kOwn, 0700); }},
    {"make a link", [] { return syscall(SYS_symlink, kVictim, kOwn); }},
    {"rename", [] { return syscall(SYS_rename, kVictim, kOwn); }},
    {"delete", [] { return syscall(SYS_unlink, kVictim); }},
    {"delete by unlinkat", [] { return syscall(SYS_unlinkat, AT_FDCWD, kVictim, 0); }},
    {"change permissions", [] { return syscall(SYS_chmod, kVictim, 0777); }},
    {"change permissions by fchmodat",
     [] { return syscall(SYS_fchmodat, AT_FDCWD, kVictim, 0777); }},

    {"read the parent's environment", [] { return parentFile("environ"); }},
    {"read the parent's memory", [] { return parentFile("mem"); }},
    {"attach to the parent", [] { return syscall(SYS_ptrace, 16, getppid(), 0, 0); }},
    {"read the parent by system call",
     [] { return syscall(SYS_process_vm_readv, getppid(), nullptr, 0, nullptr, 0, 0); }},
    {"write to the parent by system call",
     [] { return syscall(SYS_process_vm_writev, getppid(), nullptr, 0, nullptr, 0, 0); }},
    {"signal the parent", [] { return syscall(SYS_kill, getppid(), 0); }},
    {"signal the parent's thread", [] { return syscall(SYS_tgkill, getppid(), getppid(), 0); }},
    {"signal the parent's thread by tkill", [] { return syscall(SYS_tkill, getppid(), 0); }},
    {"get hold of the parent", [] { return syscall(434, getppid(), 0); }},

    {"fork", [] { return syscall(SYS_fork); }},
    {"fork by vfork", [] { return syscall(SYS_vfork); }},
    {"clone", [] { return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }},
    {"clone by clone3", cloneByNewCall},
    {"make a thread",
     [] {
       return syscall(SYS_clone, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD,
                      0, 0, 0, 0);
     }},
    {"execute a shell", execute},
    {"execute the loader", executeLoader},

    {"open an internet socket", [] { return syscall(SYS_socket, 2, 1, 0); }},
    {"open a local socket", [] { return syscall(SYS_socket, 1, 1, 0); }},
    {"make a file in memory", [] { return syscall(SYS_memfd_create, "x", 0); }},
    {"use io_uring", ring},
    {"duplicate a descriptor", [] { return syscall(SYS_dup, 0); }},
    {"duplicate a descriptor by fcntl", [] { return long{fcntl(0, F_DUPFD, 0)}; }},

    {"use a stray descriptor", strayDescriptors},
    {"see an environment", seeEnvironment},
    {"use the channel's descriptor",
     [] {
       struct stat status;
       return long{fstat(3, &status)};
     }},

    {"raise a limit", raiseLimit},
    {"raise a limit by prlimit", raiseLimitByNewCall},
    {"have 64 MB of data", [] { return map(64 << 20, PROT_READ | PROT_WRITE); }},
    {"have 512 MB of addresses", [] { return map(512 << 20, PROT_NONE); }},
    {"have a ninth descriptor", openManyFiles},
    {"dump core",
     [] {
       rlimit limit;
       return getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_max == 0 ? -1L : 0L;
     }},

    {"outlive the parent", [] { return syscall(SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0); }},

    {"stop itself", [] { return syscall(SYS_tgkill, getpid(), gettid(), SIGSTOP); }},
    {"sleep", [] { return syscall(SYS_nanosleep, &kMoment, nullptr); }},
    {"sleep by a clock", [] { return syscall(SYS_clock_nanosleep, 1, 0, &kMoment, nullptr); }},
    {"poll", [] { return syscall(SYS_ppoll, nullptr, 0, &kMoment, nullptr, 8); }},
    {"select",
     [] { return syscall(SYS_pselect6, 0, nullptr, nullptr, nullptr, &kMoment, nullptr); }},
    {"wait for a child", [] { return unlessTrapped(syscall(SYS_wait4, -1, nullptr, 1, nullptr)); }},
    {"wait for a signal",
     [] { return unlessTrapped(syscall(SYS_rt_sigtimedwait, &noSignals, nullptr, &kMoment, 8)); }},

    {"see that a file exists", [] { return long{access("/etc/passwd", F_OK)}; }},
    {"see the machine's name", [] { return long{uname(&machine)}; }},
    {"see the machine's clock", [] { return syscall(SYS_clock_gettime, CLOCK_REALTIME, &now); }},
};
constexpr int kCount = sizeof kAttempts / sizeof *kAttempts;

/// The results of the first attempts; true: refused.
bool first[kCount];

bool isRefused(const Attempt& attempt) {
  wasTrapped = 0;
  const long result = attempt.run();
  return wasTrapped != 0 || result < 0;
}

void attackFirst() {
  signal(SIGSYS, onTrap);
  for (int i = 0; i < kCount; i++) first[i] = isRefused(kAttempts[i]);
  signal(SIGSYS, SIG_DFL);
  library = syscall(SYS_openat, AT_FDCWD, "/etc/ld.so.cache", O_RDONLY);
}

/// Runs before the constructors of libraries.
__attribute__((section(".preinit_array"), used)) void (*const begin)() = attackFirst;

}  // namespace

void attack() {
  struct sigaction reported;
  sigaction(SIGSYS, nullptr, &reported);
  signal(SIGSYS, onTrap);
  for (int i = 0; i < kCount; i++) {
    const bool isSecond = isRefused(kAttempts[i]);
    Serial.printf("%s: at the start %s, later %s\r\n", kAttempts[i].name,
                  first[i] ? "refused" : "DONE", isSecond ? "refused" : "DONE");
  }
  sigaction(SIGSYS, &reported, nullptr);
}
