// The task watchdog and the interrupt watchdog, as arduino-esp32 3.x configures them for an ESP32:
// 5 s, a panic, the idle task of core 0 only (lib-builder: CONFIG_ESP_TASK_WDT_PANIC=y,
// CONFIG_ESP_TASK_WDT_CHECK_IDLE_TASK_CPU1 is not set); 300 ms (CONFIG_ESP_INT_WDT_TIMEOUT_MS).
#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "Cores.h"
#include "Fault.h"
#include "Runtime.h"

namespace espbench {
namespace {

constexpr uint64_t kMillisecond = 1000000;
constexpr uint64_t kInterruptTimeout = 300 * kMillisecond;

uint64_t taskTimeout = 5000 * kMillisecond;
uint32_t watchedIdle = 1;
bool taskWatchdogPanics = true;
unsigned watchedTasks;
WatchedUser* users;  ///< linked list, newest first

uint64_t fedAt(int core) {
  // The idle task resets the watchdog continuously while it runs.
  return cores[core].busySince == kForEver ? kForEver : cores[core].busySince;
}

/// The link to a user in the list; nullptr: the user is not in the list.
WatchedUser** linkOf(const WatchedUser* user) {
  WatchedUser** link = &users;
  while (*link != nullptr && *link != user) link = &(*link)->next;
  return *link != nullptr ? link : nullptr;
}

bool isLate(uint64_t fed, uint64_t now) { return fed != kForEver && fed + taskTimeout <= now; }

}  // namespace

void watchTask(Task* task, bool isWatched) {
  if (task->isWatched == isWatched) return;
  task->isWatched = isWatched;
  task->fedAt = now();
  watchedTasks += isWatched ? 1u : -1u;
  limit = 0;
}

void feedWatchdog(Task* task) { task->fedAt = now(); }

void watchUser(WatchedUser* user) {
  user->fedAt = now();
  user->next = users;
  users = user;
  limit = 0;
}

bool feedUser(WatchedUser* user) {
  if (linkOf(user) == nullptr) return false;
  user->fedAt = now();
  return true;
}

bool unwatchUser(WatchedUser* user) {
  WatchedUser** link = linkOf(user);
  if (link == nullptr) return false;
  *link = user->next;
  return true;
}

bool hasWatchedUsers() { return users != nullptr; }

void configureWatchdog(uint64_t timeout, uint32_t idleCores, bool panics) {
  taskTimeout = timeout;
  watchedIdle = idleCores;
  taskWatchdogPanics = panics;
  for (Task* task = taskList; task != nullptr; task = task->next) task->fedAt = now();
  for (WatchedUser* user = users; user != nullptr; user = user->next) user->fedAt = now();
  limit = 0;
}

uint64_t watchdogDeadline() {
  if (taskTimeout == 0) return kForEver;
  uint64_t oldest = kForEver;
  for (const WatchedUser* user = users; user != nullptr; user = user->next) {
    oldest = std::min(oldest, user->fedAt);
  }
  for (int i = 0; i < kCores; i++) {
    if (watchedIdle & 1u << i) oldest = std::min(oldest, fedAt(i));
  }
  if (watchedTasks > 0) {
    for (Task* task = taskList; task != nullptr; task = task->next) {
      if (task->isWatched) oldest = std::min(oldest, task->fedAt);
    }
  }
  return oldest == kForEver ? kForEver : oldest + taskTimeout;
}

void biteTaskWatchdog() {
  const uint64_t at = watchdogDeadline();
  // On the chip an interrupt writes this output; here this must not need much of a task's stack.
  static char message[CFC_FAULT_MESSAGE_SIZE];
  message[0] = 0;
  auto add = [](const char* name, const char* where) {
    for (const char* part : {name, " (", where, ")\n"}) {
      strncat(message, part, sizeof message - 1 - strlen(message));
    }
  };
  Task* culprit = nullptr;
  for (Task* task = taskList; task != nullptr; task = task->next) {
    if (!task->isWatched || !isLate(task->fedAt, at)) continue;
    add(task->name, task->affinity == kAnyCore ? "CPU 0/1"
                    : task->affinity == 0      ? "CPU 0"
                                               : "CPU 1");
    if (culprit == nullptr) culprit = task;
  }
  for (const WatchedUser* user = users; user != nullptr; user = user->next) {
    if (!isLate(user->fedAt, at)) continue;
    add(user->name, "CPU 0/1");
    // The task that should have reset the watchdog is unknown: the panic shows the other core, core
    // 1.
    if (culprit == nullptr) culprit = cores[1].running;
  }
  for (int i = 0; i < kCores; i++) {
    if ((watchedIdle & 1u << i) == 0 || !isLate(fedAt(i), at)) continue;
    add(i == 0 ? "IDLE0" : "IDLE1", i == 0 ? "CPU 0" : "CPU 1");
    culprit = cores[i].running;
  }
  if (!taskWatchdogPanics) {
    for (Task* task = taskList; task != nullptr; task = task->next) task->fedAt = now();
    for (WatchedUser* user = users; user != nullptr; user = user->next) user->fedAt = now();
    for (Core& core : cores) {
      if (core.busySince != kForEver) core.busySince = now();
    }
    return;
  }
  endIn(culprit, CFC_FAULT_TASK_WATCHDOG, message);
}

void checkInterruptWatchdog() {
  if (!inCritical() && !inInterrupt()) return;
  const uint64_t since = inInterrupt() ? here->interruptSince : here->criticalSince;
  if (here->clock - since <= kInterruptTimeout) return;
  endIn(currentTask(), CFC_FAULT_INTERRUPT_WATCHDOG, "");
}

}  // namespace espbench
