// Processors: where a thread or process may run, how long it ran, and how long it waited to run.
#ifndef ESPBENCH_FIRMWARE_PROCESSORS_H
#define ESPBENCH_FIRMWARE_PROCESSORS_H

#if defined(__linux__)

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The processors that the calling thread may run on, in ascending order: taskset and control
/// groups limit them. Returns their number; 0 if it is unknown.
int cfc_allowed_processors(uint16_t* processors, int capacity);

/// The processor that the calling thread runs on; -1 if unknown.
int cfc_processor(void);

/// Lets a thread (or a process of one thread) run only on these processors. Returns 0 or an errno
/// value.
int cfc_set_processors(int32_t thread, const uint16_t* processors, int count);

/// The kernel's ID of the calling thread.
int32_t cfc_thread(void);

/// Opens the scheduler's statistics of a thread or process (/proc/…/schedstat); -1 if unavailable.
/// Close the descriptor with close().
int cfc_open_run_times(int32_t thread);

/// Reads for how long the thread or process ran and waited for a processor, in nanoseconds since
/// its start.
bool cfc_read_run_times(int statistics, uint64_t* running_ns, uint64_t* waiting_ns);

/// True if a process waits for something, or is stopped: it neither runs nor waits for a processor
/// or a disk.
bool cfc_is_asleep(int32_t process);

/// The processor time of a process, in nanoseconds; 0 when it has ended.
uint64_t cfc_processor_time_ns(int32_t process);

/// The machine's monotonic clock. Only for decisions that change nothing but speed.
uint64_t cfc_monotonic_ns(void);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // __linux__
#endif  // ESPBENCH_FIRMWARE_PROCESSORS_H
