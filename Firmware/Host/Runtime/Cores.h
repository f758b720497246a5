// The kernel's insides, which its own files share.
#ifndef ESPBENCH_CORES_H
#define ESPBENCH_CORES_H

#include "Kernel.h"

namespace espbench {

/// A core of the chip.
struct Core {
  alignas(8) uint64_t clock = 0;
  Task* running = nullptr;
  /// When it began to be busy without a pause; kForEver while it is idle.
  alignas(8) uint64_t busySince = kForEver;
  /// When its running task entered the critical section that it is in.
  alignas(8) uint64_t criticalSince = 0;
  /// When the interrupt that it runs began.
  uint64_t interruptSince = 0;
  /// How often the running task has suspended the scheduler.
  uint32_t schedulerSuspended = 0;
};

/// Plain data: used before constructors run.
extern Core cores[kCores];
/// The core whose code is executed.
extern Core* here;
/// `here` may advance its clock up to this instant without looking what else is due.
extern uint64_t limit;
extern Task* taskList;

/// Runs what is due; returns when the current task continues.
void dispatch();
/// Wakes the first task of `list`, as of when the board gave the turn.
void wakeByBoard(WaitList& list);
/// Puts a task at the end of the ready ones of its priority.
void makeReady(Task* task, uint64_t at);
void removeReady(Task* task);
void removeWaiting(Task* task);

/// Frees what a deleted task has.
void releaseTask(Task* task);
/// The function of the current task has returned, which ends the firmware.
[[noreturn]] void taskReturned();
/// Ends the firmware with a fault of `task`, whose stack is then the current one.
[[noreturn]] void endIn(Task* task, uint32_t kind, const char* message);
/// Starts a new stretch of free computing.
void refillComputing();
/// How often tasks have waited or passed the core on.
extern uint64_t waits;

// The board's side (Runtime.cpp)

/// How far the firmware may move its clocks before the board must have had a turn.
uint64_t horizon();
/// True if messages wait for the board.
bool hasSent();
/// When the board gave the turn.
uint64_t boardTime();
/// Gives the turn to the board and waits for it.
void handOver(uint32_t status, uint64_t deadline);
/// When the next alarm is due, kForEver: none is set.
uint64_t nextAlarm();
/// Runs the handler of that alarm.
void ringAlarm();
/// Runs the handlers of interrupts that have come and are permitted.
void deliverInterrupts();

/// The next instant at which the task watchdog bites, kForEver: never.
uint64_t watchdogDeadline();
/// Ends the firmware with the watchdog's panic.
void biteTaskWatchdog();
/// Ends the firmware if interrupts have been off on `here` for too long.
void checkInterruptWatchdog();

}  // namespace espbench

#endif
