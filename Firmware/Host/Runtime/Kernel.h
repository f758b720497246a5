// The tasks of the chip, on one thread of the host.
//
// Each task has a stack of its own and is switched cooperatively, so that a run is deterministic.
// Each core has a clock of its own: the next to run is the ready task of highest priority on the
// core whose clock is behind. A clock advances by the cost of calls (Runtime.h, spend) and of
// computing (Computing.cpp counts the basic blocks of the sketch's code), and by waiting. A task
// that computes or polls until its core's clock passes that of the other core, or the board's
// horizon, lets these run, at any place in its code.
#ifndef ESPBENCH_KERNEL_H
#define ESPBENCH_KERNEL_H

#include <cstddef>
#include <cstdint>

namespace espbench {

constexpr int kCores = 2;
/// The affinity of a task that may run on either core (tskNO_AFFINITY).
constexpr int kAnyCore = 0x7fffffff;
constexpr unsigned kPriorities = 25;  ///< configMAX_PRIORITIES: 0 (idle) to 24
constexpr size_t kTaskNameSize = 16;  ///< configMAX_TASK_NAME_LEN, with its NUL
constexpr int kNotifications = 1;     ///< configTASK_NOTIFICATION_ARRAY_ENTRIES
constexpr int kLocalPointers = 1;     ///< CONFIG_FREERTOS_THREAD_LOCAL_STORAGE_POINTERS
/// "For ever" as an instant.
constexpr uint64_t kForEver = 0xffffffffffffffffull;

struct Task;

/// Tasks that wait for an event: highest priority first, equal priorities in order of arrival.
struct WaitList {
  Task* first = nullptr;
};

enum class TaskState : uint8_t { ready, blocked, suspended, deleted };

// Members of 64 bits are aligned to 8 here: files with and without -malign-double share these
// structures.

/// One task. Plain data: the FreeRTOS functions (FreeRTOS/) keep theirs in it.
struct Task {
  char name[kTaskNameSize] = {};
  unsigned priority = {};      ///< effective: includes the priority inherited through a mutex
  unsigned basePriority = {};  ///< without inherited priority
  int affinity = {};           ///< core, or kAnyCore
  int core = {};               ///< the core that runs it or ran it last
  TaskState state = {};
  uint32_t number = {};               ///< counted from 1, in order of creation
  size_t stackSize = {};              ///< bytes, as requested by the sketch
  bool timedOut = {};                 ///< the last wait ended by time-out
  bool isDelayAborted = {};           ///< FreeRTOS/: xTaskAbortDelay ended the last wait
  alignas(8) uint64_t deadline = {};  ///< of the current wait
  WaitList* waitsIn = {};
  Task* nextWaiting = {};  ///< in the list waitsIn
  Task* next = {};         ///< in the list of all tasks
  Task* nextReady = {};    ///< in the list of ready tasks

  // For FreeRTOS/
  uint32_t notifyValue[kNotifications] = {};
  uint8_t notifyState[kNotifications] = {};
  void* localPointers[kLocalPointers] = {};
  void (*localDeleters[kLocalPointers])(int, void*) = {};
  uint32_t mutexesHeld = {};
  void* blockedOn = {};     ///< the mutex that it waits for, or nullptr
  uint32_t eventBits = {};  ///< event group: the bits waited for, then the result
  uint32_t eventFlags = {};
  bool isWatched = {};               ///< subscribed to the task watchdog
  alignas(8) uint64_t runTime = {};  ///< ns that its core's clock advanced while it ran
  void (*deleted)(void*) = {};       ///< called with the task when it ends

  // For the kernel
  void (*function)(void*) = {};
  void* argument = {};
  uint8_t* stackLow = {};  ///< lowest address of its stack
  uint8_t* stackHigh = {};
  void* stackMapping = {};  ///< including the guard below; nullptr: the process's own stack
  size_t stackMappingSize = {};
  void* heapBlocks[2] = {};   ///< stack and control block in the chip's heap
  void* givenBlocks[2] = {};  ///< FreeRTOS/: the same, to be freed by vTaskDeleteWithCaps()
  void* context = {};         ///< saved stack pointer
  uint32_t criticalNesting = {};
  void* exceptions[2] = {};        ///< the C++ runtime's state (__cxa_eh_globals)
  void* fiber = {};                ///< AddressSanitizer's state
  unsigned hostScopes = {};        ///< saved value of hostScopes (Heap.h)
  int error = {};                  ///< the task's errno, saved while another task runs
  alignas(8) uint64_t fedAt = {};  ///< when the task last reset the task watchdog
};

/// The task whose code runs; in an interrupt, the interrupted task. Before the scheduler starts,
/// the current task is "main".
Task* currentTask();
/// The core on which the current task runs.
int currentCore();
/// True if a core runs the task.
bool hasCore(const Task* task);
/// All tasks that are not deleted, linked by `next`, oldest first.
Task* allTasks();
/// True if an interrupt's handler runs: nothing may block then.
bool inInterrupt();
/// An interrupt of `core` occurred at `time`; 0: when the board gave the turn. Its handler runs
/// when the board's messages are received, or when that core permits interrupts again.
void runInterrupt(int core, void (*handler)(void*), void* argument, uint64_t time = 0);
/// Like runInterrupt(), now, for an interrupt that the running code causes.
void raiseInterrupt(int core, void (*handler)(void*), void* argument);
/// For an interrupt's handler that takes long: gives the board its turns up to this core's clock.
void giveTurnsInInterrupt();

/// The alarm of a hardware timer: an interrupt at an instant, also while the core's tasks compute.
struct Alarm {
  int core = 0;
  void (*handler)(void*) = nullptr;
  void* argument = nullptr;
  alignas(8) uint64_t time = 0;  ///< when it is due
  bool isSet = false;            ///< cleared before the handler runs, which may set it again
  /// An event outside the chip: the handler is no interrupt, runs also in critical sections, and a
  /// busy core stops at the very instant. It must not wait or send messages.
  bool isOutside = false;
  Alarm* next = nullptr;  ///< in the list of set alarms, earliest first
};
/// Sets an alarm, or moves it, to `time`; a time that has passed is due at once.
void setAlarm(Alarm& alarm, uint64_t time);
void clearAlarm(Alarm& alarm);

/// Creates a task, ready to run. Its stack and control block come from the chip's heap; nullptr
/// when that has no room. `name` is cut to 15 characters.
Task* createTask(void (*function)(void*), const char* name, size_t stackBytes, void* argument,
                 unsigned priority, int affinity, bool takesHeap = true);
/// Deletes a task; its memory is freed. Does not return if `task` is the current one.
void deleteTask(Task* task);
/// Sets the effective priority, and moves the task within its wait list accordingly.
void setPriority(Task* task, unsigned priority);
void suspendTask(Task* task);
/// Resumes a task; false when it was not suspended.
bool resumeTask(Task* task);

/// Blocks the current task in `list` until it is woken or `deadline` has passed. Returns false at
/// the deadline. A deadline that has passed returns at once. Not in interrupts or critical
/// sections.
bool waitIn(WaitList& list, uint64_t deadline);
/// Wakes the first task of `list`; nullptr when no task waits. The caller calls reschedule() when
/// its own data are consistent.
Task* wakeFirst(WaitList& list);
/// Wakes a waiting task, whether it is in a list or not.
void wake(Task* task);
/// Lets a ready task of higher priority run, now or at the end of the critical section or
/// interrupt.
void reschedule();
/// Lets other ready tasks of the same priority run (taskYIELD).
void yieldTask();

/// Critical sections nest; interrupts and other tasks of the core wait meanwhile. ESP-IDF's
/// interrupt watchdog ends a section of more than 300 ms.
void enterCritical();
void exitCritical();
bool inCritical();

/// Suspends and resumes the scheduler (vTaskSuspendAll); nests.
void suspendScheduler();
/// Resumes the scheduler; true when another task has run.
bool resumeScheduler();
bool isSchedulerSuspended();
/// false before main() has created the loop's task.
bool isSchedulerRunning();

/// Starts scheduling the ready tasks and ends the current context.
[[noreturn]] void startScheduler();

/// The bytes of a stack that have never been used (uxTaskGetStackHighWaterMark), less the
/// additional need of the host's frames.
size_t unusedStack(const Task* task);

// The task watchdog (esp_task_wdt.h)

/// Starts or stops watching a task.
void watchTask(Task* task, bool isWatched);
/// The current task has reset the watchdog.
void feedWatchdog(Task* task);
/// A part of the program that the watchdog watches like a task.
struct WatchedUser {
  const char* name = nullptr;
  WatchedUser* next = nullptr;
  alignas(8) uint64_t fedAt = 0;
};
void watchUser(WatchedUser* user);
/// false: it is not watched.
bool feedUser(WatchedUser* user);
bool unwatchUser(WatchedUser* user);
bool hasWatchedUsers();
/// Sets the time-out in ns (0: off), the cores whose idle tasks are watched (bits), and whether a
/// time-out panics.
void configureWatchdog(uint64_t timeout, uint32_t idleCores, bool panics);

}  // namespace espbench

#endif
