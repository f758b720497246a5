// Interrupts: their handlers run between two steps of a task, on a stack of their own.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "Context.h"
#include "Cores.h"
#include "Heap.h"
#include "Runtime.h"

namespace espbench {
namespace {

/// CONFIG_FREERTOS_ISR_STACKSIZE, plus room for the host's frames.
constexpr size_t kInterruptStack = 2096;

struct Pending {
  int core;
  void (*handler)(void*);
  void* argument;
  uint64_t time;
};

Pending* pending;
size_t pendingCount, pendingCapacity;
bool isRunning;
Stack stack;

void call(void* argument) {
  auto* interrupt = static_cast<Pending*>(argument);
  interrupt->handler(interrupt->argument);
}

Alarm* alarms;

/// True if interrupts may run: not while this core or the other one is in a critical section. A
/// handler runs to its end before any other code, so it would wait for a spinlock forever.
bool areInterruptsPermitted() {
  for (const Core& core : cores) {
    if (core.running != nullptr && core.running->criticalNesting > 0) return false;
  }
  return true;
}

/// Runs the handler of an interrupt that occurred at `time`.
void run(Pending interrupt) {
  if (stack.high == nullptr) stack = mapStack(kInterruptStack + kFrameAllowance + 4096);
  Core* before = here;
  here = &cores[interrupt.core];
  if (here->running == nullptr) here->clock = std::max(here->clock, interrupt.time);
  here->interruptSince = here->clock;
  isRunning = true;
  espbench_call_on_stack(stack.high, call, &interrupt);
  isRunning = false;
  here = before;
  limit = 0;
}

}  // namespace

bool inInterrupt() { return isRunning; }

static void queue(const Pending& interrupt) {
  if (pendingCount == pendingCapacity) {
    HostScope own;
    pendingCapacity = pendingCapacity * 2 + 8;
    pending = static_cast<Pending*>(realloc(pending, pendingCapacity * sizeof *pending));
    if (pending == nullptr) abort();
  }
  pending[pendingCount++] = interrupt;
}

void runInterrupt(int core, void (*handler)(void*), void* argument, uint64_t time) {
  queue({core, handler, argument, time != 0 ? time : boardTime()});
}

void raiseInterrupt(int core, void (*handler)(void*), void* argument) {
  queue({core, handler, argument, here->clock});
  deliverInterrupts();
}

void giveTurnsInInterrupt() {
  while (here->clock > horizon()) {
    handOver(CFC_SLEEPING, here->clock);
    for (Core& core : cores) core.clock = std::max(core.clock, boardTime());
  }
}

void setAlarm(Alarm& alarm, uint64_t time) {
  clearAlarm(alarm);
  alarm.time = time;
  alarm.isSet = true;
  Alarm** place = &alarms;
  while (*place != nullptr && (*place)->time <= time) place = &(*place)->next;
  alarm.next = *place;
  *place = &alarm;
  limit = 0;
}

void clearAlarm(Alarm& alarm) {
  alarm.isSet = false;
  for (Alarm** place = &alarms; *place != nullptr; place = &(*place)->next) {
    if (*place != &alarm) continue;
    *place = alarm.next;
    return;
  }
}

uint64_t nextAlarm() { return alarms != nullptr ? alarms->time : kForEver; }

void ringAlarm() {
  Alarm& alarm = *alarms;
  clearAlarm(alarm);
  if (alarm.isOutside) {
    alarm.handler(alarm.argument);
  } else {
    queue({alarm.core, alarm.handler, alarm.argument, alarm.time});
  }
  deliverInterrupts();
}

static Alarm* firstOutsideAlarm() {
  Alarm* alarm = alarms;
  while (alarm != nullptr && !alarm->isOutside) alarm = alarm->next;
  return alarm;
}

uint64_t nextOutsideAlarm() {
  const Alarm* alarm = firstOutsideAlarm();
  return alarm != nullptr ? alarm->time : kForEver;
}

void ringOutsideAlarms(uint64_t time) {
  for (Alarm* alarm; (alarm = firstOutsideAlarm()) != nullptr && alarm->time <= time;) {
    clearAlarm(*alarm);
    alarm->handler(alarm->argument);
  }
}

void deliverInterrupts() {
  while (!isRunning && pendingCount > 0 && areInterruptsPermitted()) {
    // More interrupts may become pending while the handler runs.
    const Pending first = pending[0];
    pendingCount--;
    memmove(pending, pending + 1, pendingCount * sizeof *pending);
    run(first);
  }
}

}  // namespace espbench
