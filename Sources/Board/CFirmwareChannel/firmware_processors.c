// Processors: where a thread or process may run, how long it ran, and how long it waited to run.
#if defined(__linux__)

#define _GNU_SOURCE
#include "firmware_processors.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int cfc_allowed_processors(uint16_t* processors, int capacity) {
  cpu_set_t allowed;
  // Fails on machines with more processors than the set has bits.
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 0;
  int count = 0;
  for (int processor = 0; processor < CPU_SETSIZE && count < capacity; processor++) {
    if (CPU_ISSET(processor, &allowed)) processors[count++] = (uint16_t)processor;
  }
  return count;
}

int cfc_processor(void) { return sched_getcpu(); }

int cfc_set_processors(int32_t thread, const uint16_t* processors, int count) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = 0; i < count; i++) {
    if (processors[i] >= CPU_SETSIZE) return EINVAL;
    CPU_SET(processors[i], &set);
  }
  return sched_setaffinity(thread, sizeof set, &set) == 0 ? 0 : errno;
}

int32_t cfc_thread(void) { return (int32_t)syscall(SYS_gettid); }

int cfc_open_run_times(int32_t thread) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%" PRId32 "/task/%" PRId32 "/schedstat", thread, thread);
  return open(path, O_RDONLY | O_CLOEXEC);
}

bool cfc_read_run_times(int statistics, uint64_t* running_ns, uint64_t* waiting_ns) {
  char text[96];
  ssize_t length = pread(statistics, text, sizeof text - 1, 0);
  if (length <= 0) return false;
  text[length] = 0;
  return sscanf(text, "%" SCNu64 " %" SCNu64, running_ns, waiting_ns) == 2;
}

bool cfc_is_asleep(int32_t process) {
  char path[32], text[64];
  snprintf(path, sizeof path, "/proc/%" PRId32 "/stat", process);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return false;
  text[length] = 0;
  // "NUMBER (NAME) STATE …"
  const char* end = strrchr(text, ')');
  return end != NULL && end[1] == ' ' && end[2] != 0 && strchr("StT", end[2]) != NULL;
}

uint64_t cfc_processor_time_ns(int32_t process) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t cfc_monotonic_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif  // __linux__
