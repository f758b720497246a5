// The thread functions that the C++ library uses, for tasks: all of them run on one thread of this
// machine, so the machine's locks would either admit every task or wait forever.
#include <errno.h>
#include <pthread.h>

#include <cstdint>

#include "Cores.h"
#include "Fault.h"
#include "Heap.h"
#include "Runtime.h"

using namespace espbench;

namespace {

/// Waits until another task has run; if no task can run, the firmware hangs, as on the chip.
void waitForOthers() { sleepUntil(instantOfTick(tickAt(now()) + 1)); }

// The variables being initialised, with the task that does it.
struct {
  const uint64_t* guard;
  Task* task;
} initialising[16];

auto* entryOf(const uint64_t* guard) {
  for (auto& entry : initialising) {
    if (entry.guard == guard) return &entry;
  }
  return static_cast<decltype(&initialising[0])>(nullptr);
}

uint8_t& isInitialised(uint64_t* guard) { return *reinterpret_cast<uint8_t*>(guard); }

}  // namespace

// The initialisation of a `static` variable of a function (Itanium C++ ABI 3.3.3): a second task
// waits for the first.
extern "C" int __cxa_guard_acquire(uint64_t* guard) {
  while (isInitialised(guard) == 0) {
    auto* entry = entryOf(guard);
    if (entry == nullptr) {
      entry = entryOf(nullptr);
      if (entry == nullptr)
        endFirmware(CFC_FAULT_ABORT, "too many static variables being initialised");
      *entry = {guard, currentTask()};
      return 1;
    }
    if (entry->task == currentTask() || !isSchedulerRunning()) {
      endFirmware(CFC_FAULT_ABORT, "a static variable's initialisation uses that variable");
    }
    waitForOthers();
  }
  return 0;
}

extern "C" void __cxa_guard_release(uint64_t* guard) {
  isInitialised(guard) = 1;
  if (auto* entry = entryOf(guard)) *entry = {};
}

extern "C" void __cxa_guard_abort(uint64_t* guard) {
  if (auto* entry = entryOf(guard)) *entry = {};
}

// std::mutex, and std::lock_guard with it.
extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  for (;;) {
    const int status = pthread_mutex_trylock(mutex);
    if (status != EBUSY || !isSchedulerRunning()) return status;
    waitForOthers();
  }
}

// std::thread throws std::system_error with this. A thread of this machine would run outside the
// board's time.
extern "C" int pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) noexcept {
  return EAGAIN;
}
