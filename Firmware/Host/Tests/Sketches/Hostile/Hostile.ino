// Attacks the sandbox, or waits outside the board's time, as selected by a line that it reads.
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>

#include "Attempts.h"

namespace {

__attribute__((noinline)) void waitForNobody() {
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock lock(mutex);
  condition.wait(lock);
}

__attribute__((noinline)) void pauseForEver() { syscall(SYS_pause); }

__attribute__((noinline)) void signalParent() { syscall(SYS_kill, getppid(), 0); }

__attribute__((noinline)) void executeShell() { syscall(SYS_execve, "/bin/sh", nullptr, nullptr); }

__attribute__((noinline)) void endItself() { syscall(SYS_exit_group, 3); }

#if defined(__i386__)
/// kill(getppid(), 0) as a 64-bit program calls it: with other system call numbers.
__attribute__((noinline)) void callAs64BitProgram() {
  const long parent = getppid();
  asm volatile(
      "lcall $0x33, $1f\n"
      "jmp 2f\n"
      ".code64\n"
      "1: mov $62, %%eax\n"
      "xor %%esi, %%esi\n"
      "syscall\n"
      "lret\n"
      ".code32\n"
      "2:\n"
      :
      : "D"(parent)
      : "eax", "ecx", "esi", "memory");
}
#else
void callAs64BitProgram() {}
#endif

}  // namespace

void setup() { Serial.begin(115200); }

void loop() {
  if (Serial.available() == 0) {
    delay(10);
    return;
  }
  String how = Serial.readStringUntil('\n');
  if (how == "attack") attack();
  if (how == "wait") waitForNobody();
  if (how == "pause") pauseForEver();
  if (how == "signal") signalParent();
  if (how == "execute") executeShell();
  if (how == "exit") endItself();
  if (how == "_exit") _exit(3);
  if (how == "library") {
    char byte;
    const bool isRead = syscall(SYS_read, library, &byte, 1) == 1;
    Serial.printf("opened %d, read later %d\r\n", library >= 0, isRead);
  }
  if (how == "64 bits") {
    callAs64BitProgram();
    Serial.println("called as a 64-bit program");
  }
  if (how == "wait elsewhere") {
    int word = 0;
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, nullptr);
  }
  if (how == "spin") {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    for (volatile int i = 0;; i = i + 1) {
    }
  }
}
