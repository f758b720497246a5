// The kernel's internals, shared by its files.
#ifndef ESPBENCH_CORES_H
#define ESPBENCH_CORES_H

#include "Kernel.h"

namespace espbench {

/// A core of the chip.
struct Core {
  alignas(8) uint64_t clock = 0;
  Task* running = nullptr;
  /// The time since which the core is continuously busy; kForEver while it is idle.
  alignas(8) uint64_t busySince = kForEver;
  /// The time at which its running task entered the present critical section.
  alignas(8) uint64_t criticalSince = 0;
  /// The time at which its running interrupt began.
  uint64_t interruptSince = 0;
  /// The number of times that the running task has suspended the scheduler.
  uint32_t schedulerSuspended = 0;
};

/// Plain data: used before constructors run.
extern Core cores[kCores];
/// The core whose code is executed.
extern Core* here;
/// `here` may advance its clock up to this instant without a check for other due work.
extern uint64_t limit;
extern Task* taskList;

/// Runs all due work; returns when the current task continues.
void dispatch();
/// Wakes the first task of `list`, at the time at which the board gave the turn.
void wakeByBoard(WaitList& list);
/// Puts a task at the end of the ready ones of its priority.
void makeReady(Task* task, uint64_t at);
void removeReady(Task* task);
void removeWaiting(Task* task);

/// Frees the memory of a deleted task.
void releaseTask(Task* task);
/// The function of the current task has returned, which ends the firmware.
[[noreturn]] void taskReturned();
/// Ends the firmware with a fault of `task`, whose stack is then the current one.
[[noreturn]] void endIn(Task* task, uint32_t kind, const char* message);
/// Starts a new stretch of free computing.
void refillComputing();
/// The number of times that tasks have waited, by delayMicroseconds() too, or yielded the core.
extern uint64_t waits;

// The board's side (Runtime.cpp)

/// The time up to which the firmware may advance its clocks before the board must have a turn.
uint64_t horizon();
/// True if messages wait for the board.
bool hasSent();
/// The time at which the board gave the turn.
uint64_t boardTime();
/// Gives the turn to the board and waits for it.
void handOver(uint32_t status, uint64_t deadline);
/// Writes the tasks and their places for the board.
void answerInquiry();
/// The bytes printed to Serial while it was not begun.
uint32_t lostOutput();
/// The time of the next alarm; kForEver: no alarm is set.
uint64_t nextAlarm();
/// Runs the handler of that alarm.
void ringAlarm();
/// The time of the next alarm that is outside the chip; kForEver: none is set.
uint64_t nextOutsideAlarm();
/// Runs the handlers of those up to `time`.
void ringOutsideAlarms(uint64_t time);
/// Runs the handlers of pending interrupts that are permitted.
void deliverInterrupts();

/// The next instant at which the task watchdog expires; kForEver: never.
uint64_t watchdogDeadline();
/// Ends the firmware with the watchdog's panic.
void biteTaskWatchdog();
/// Ends the firmware if interrupts have been off on `here` for too long.
void checkInterruptWatchdog();

}  // namespace espbench

#endif
