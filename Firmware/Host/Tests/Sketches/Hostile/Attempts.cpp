// Tries to leave the sandbox: before anything else runs, and when a line is read. Each attempt is a
// line of output: its name, and "refused" or what came of it.
#include "Attempts.h"

#include <Arduino.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

long library = -1;

namespace {

struct Attempt {
  const char* name;
  long (*run)();
};

volatile sig_atomic_t wasTrapped;
void onTrap(int) { wasTrapped = 1; }

long parentFile(const char* name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", getppid(), name);
  return syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
}

/// More open descriptors than standard input, output and error, and the channel's.
long strayDescriptors() {
  for (int descriptor = 4; descriptor < 1024; descriptor++) {
    struct stat status;
    if (fstat(descriptor, &status) == 0) return descriptor;
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

long raiseLimit() {
  const rlimit limit = {1000, 1000};
  return setrlimit(RLIMIT_NOFILE, &limit);
}

const Attempt kAttempts[] = {
    {"read a file", [] { return syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY); }},
    {"list a folder", [] { return syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY); }},
    {"write a file",
     [] { return syscall(SYS_openat, AT_FDCWD, "/tmp/hostile", O_WRONLY | O_CREAT, 0600); }},
    {"make a file", [] { return syscall(SYS_creat, "/tmp/hostile", 0600); }},
    {"make a folder", [] { return syscall(SYS_mkdir, "/tmp/hostile", 0700); }},
    {"rename", [] { return syscall(SYS_rename, "/tmp/hostile-victim", "/tmp/hostile"); }},
    {"delete", [] { return syscall(SYS_unlink, "/tmp/hostile-victim"); }},
    {"change permissions", [] { return syscall(SYS_chmod, "/tmp/hostile-victim", 0777); }},
    {"read the parent's environment", [] { return parentFile("environ"); }},
    {"read the parent's memory", [] { return parentFile("mem"); }},
    {"attach to the parent", [] { return syscall(SYS_ptrace, 16, getppid(), 0, 0); }},
    {"read the parent by system call",
     [] { return syscall(SYS_process_vm_readv, getppid(), nullptr, 0, nullptr, 0, 0); }},
    {"signal the parent", [] { return syscall(SYS_kill, getppid(), 0); }},
    {"signal the parent's thread", [] { return syscall(SYS_tgkill, getppid(), getppid(), 0); }},
    {"stop itself", [] { return syscall(SYS_tgkill, getpid(), gettid(), SIGSTOP); }},
    {"fork", [] { return syscall(SYS_fork); }},
    {"clone", [] { return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }},
    {"execute a shell", execute},
    {"execute the loader", executeLoader},
    {"open an internet socket", [] { return syscall(SYS_socket, 2, 1, 0); }},
    {"open a local socket", [] { return syscall(SYS_socket, 1, 1, 0); }},
    {"make a file in memory", [] { return syscall(SYS_memfd_create, "x", 0); }},
    {"duplicate a descriptor", [] { return syscall(SYS_dup, 0); }},
    {"use a stray descriptor", strayDescriptors},
    {"raise a limit", raiseLimit},
    {"outlive the parent", [] { return syscall(SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0); }},
    {"use io_uring", [] { return syscall(425, 8, nullptr); }},
    {"see an environment",
     [] { return getenv("PATH") != nullptr || getenv("HOME") != nullptr ? 0L : -1L; }},
};
constexpr int kCount = sizeof kAttempts / sizeof *kAttempts;

/// Of the first tries; true: refused.
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

/// Before the constructors of libraries.
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
