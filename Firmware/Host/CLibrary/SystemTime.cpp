// The system time of the C library and the functions that sleep by it: the time of the chip's RTC,
// never of the machine.
//
// As in ESP-IDF the time starts at 1970 at power-on, continues in deep sleep and across resets, and
// settimeofday() changes it. The monotonic clock is esp_timer's, which begins with each start.
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "../Runtime/RTCMemory.h"
#include "../Runtime/Runtime.h"
#include "Arduino.h"
#include "esp_attr.h"
#include "esp_random.h"
#include "esp_timer.h"

// These functions check for a null pointer, which the C library's declarations exclude.
#pragma GCC diagnostic ignored "-Wnonnull-compare"

using namespace espbench;

extern char** environ;

namespace {

constexpr int64_t kMicroseconds = 1000000;
constexpr int64_t kNanosecondsPerMicrosecond = 1000;
/// A value that uninitialised RTC memory does not have by chance.
constexpr uint64_t kIsSet = 0x656d697420435452;

/// On the chip, the RTC counts, and these are registers that only power-on clears. Aligned like the
/// sketch's words, so that no gap separates them.
struct __attribute__((packed, aligned(4))) RTC {
  uint64_t isSet;
  uint64_t zero;     ///< virtual time of micros() == 0 in the first start after power-on
  int64_t bootTime;  ///< us: offset set by settimeofday()
};
static_assert(sizeof(RTC) == kSystemTimeMemory);
RTC_NOINIT_ATTR RTC rtc;

/// Runs before the constructors of the sketch's globals, which may read the time.
__attribute__((constructor(102))) void openSystemTime() {
  const cfc_start& start = startInformation();
  if (start.reset_reason == CFC_RESET_POWER_ON || rtc.isSet != kIsSet) {
    rtc = {kIsSet, start.timer_zero_ns, 0};
  }
}

/// us since the first start after power-on; reading it takes time, like reading esp_timer.
int64_t sincePowerOn() {
  const auto sinceStart = static_cast<int64_t>(esp_timer_get_time());
  const uint64_t before = startInformation().timer_zero_ns - rtc.zero;
  return sinceStart + static_cast<int64_t>(before) / kNanosecondsPerMicrosecond;
}

int64_t systemTime() { return rtc.bootTime + sincePowerOn(); }

int refuse(int error) {
  errno = error;
  return -1;
}

/// us of a clock that the chip has; negative for any other clock.
int64_t read(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
      return systemTime();
    case CLOCK_MONOTONIC:
      return static_cast<int64_t>(esp_timer_get_time());
    default:
      return -1;
  }
}

/// The chip has no time zone before setenv("TZ", …); the machine's time zone must not replace it.
char utc[] = "TZ=UTC0";
char* firstEnvironment[] = {utc, nullptr};
__attribute__((constructor(102))) void setTimeZone() { environ = firstEnvironment; }

}  // namespace

extern "C" {

int gettimeofday(struct timeval* time, void*) noexcept {
  if (time == nullptr) return 0;
  const int64_t present = systemTime();
  time->tv_sec = static_cast<time_t>(present / kMicroseconds);
  time->tv_usec = static_cast<suseconds_t>(present % kMicroseconds);
  return 0;
}

int settimeofday(const struct timeval* time, const struct timezone*) noexcept {
  if (time == nullptr) return 0;
  const int64_t wanted = int64_t{time->tv_sec} * kMicroseconds + time->tv_usec;
  rtc.bootTime = wanted - sincePowerOn();
  return 0;
}

time_t time(time_t* result) noexcept {
  const auto seconds = static_cast<time_t>(systemTime() / kMicroseconds);
  if (result != nullptr) *result = seconds;
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec* time) noexcept {
  const int64_t present = time == nullptr ? -1 : read(clock);
  if (present < 0) return refuse(EINVAL);
  time->tv_sec = static_cast<time_t>(present / kMicroseconds);
  time->tv_nsec = static_cast<long>(present % kMicroseconds * kNanosecondsPerMicrosecond);
  return 0;
}

int clock_settime(clockid_t clock, const struct timespec* time) noexcept {
  if (time == nullptr || clock != CLOCK_REALTIME) return refuse(EINVAL);
  const struct timeval wanted = {time->tv_sec, time->tv_nsec / kNanosecondsPerMicrosecond};
  return settimeofday(&wanted, nullptr);
}

int clock_getres(clockid_t, struct timespec* resolution) noexcept {
  if (resolution == nullptr) return refuse(EINVAL);
  *resolution = {0, kNanosecondsPerMicrosecond};
  return 0;
}

/// The chip's ticks of 1 ms, converted to the machine's CLOCKS_PER_SEC.
clock_t clock() noexcept { return static_cast<clock_t>(millis() * (CLOCKS_PER_SEC / 1000)); }

int usleep(useconds_t us) {
  constexpr uint64_t kTick = kTickNanoseconds / kNanosecondsPerMicrosecond;
  if (us < kTick) {
    spend(uint64_t{us} * kNanosecondsPerMicrosecond);
    return 0;
  }
  // A delay may end up to a tick early; a sleep must not.
  uint64_t present = static_cast<uint64_t>(esp_timer_get_time());
  const uint64_t end = present + us;
  while (present < end) {
    vTaskDelay(static_cast<TickType_t>((end - present + kTick - 1) / kTick));
    present = static_cast<uint64_t>(esp_timer_get_time());
  }
  return 0;
}

unsigned sleep(unsigned seconds) {
  usleep(seconds * static_cast<useconds_t>(kMicroseconds));
  return 0;
}

/// Called by std::this_thread::sleep_for(), which on the chip calls usleep().
int nanosleep(const struct timespec* time, struct timespec*) {
  if (time == nullptr || time->tv_sec < 0 || time->tv_nsec < 0) return refuse(EINVAL);
  sleep(static_cast<unsigned>(time->tv_sec));
  return usleep(static_cast<useconds_t>(time->tv_nsec / kNanosecondsPerMicrosecond));
}

#ifdef __i386__
// The C++ library is compiled with 32-bit times, for which the C library has separate functions.
struct ShortTime {
  int32_t seconds, fraction;
};
int shortClock(clockid_t clock, ShortTime* time) asm("clock_gettime");
int shortClock(clockid_t clock, ShortTime* time) {
  const int64_t present = read(clock);
  if (present < 0) return refuse(EINVAL);
  *time = {static_cast<int32_t>(present / kMicroseconds),
           static_cast<int32_t>(present % kMicroseconds * kNanosecondsPerMicrosecond)};
  return 0;
}
int shortDay(ShortTime* time, void*) asm("gettimeofday");
int shortDay(ShortTime* time, void*) {
  const int64_t present = systemTime();
  *time = {static_cast<int32_t>(present / kMicroseconds),
           static_cast<int32_t>(present % kMicroseconds)};
  return 0;
}
int shortSleep(const ShortTime* time, ShortTime*) asm("nanosleep");
int shortSleep(const ShortTime* time, ShortTime*) {
  const struct timespec wanted = {time->seconds, time->fraction};
  return nanosleep(&wanted, nullptr);
}
#endif

}  // extern "C"
