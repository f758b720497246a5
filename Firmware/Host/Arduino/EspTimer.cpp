// ESP-IDF's esp_timer: a list of timers, and the task that calls them.
#include <algorithm>
#include <cinttypes>
#include <cstdlib>

#include "../Runtime/Kernel.h"
#include "../Runtime/Runtime.h"
#include "esp_task.h"
#include "esp_timer.h"

using namespace espbench;

struct esp_timer {
  uint64_t alarm;   ///< us since boot; 0: the timer does not run
  uint64_t period;  ///< us, 0: one shot
  esp_timer_cb_t callback;
  void* arg;
  esp_timer_handle_t next;  ///< in the list `running`
  bool skipsUnhandled;
};

namespace {

constexpr uint64_t kNanosecondsPerMicrosecond = 1000;
constexpr uint64_t kMinimumPeriod = 50;              // esp_timer_impl_get_min_period_us()
constexpr unsigned kPriority = ESP_TASK_TIMER_PRIO;  // 22
constexpr size_t kStack = ESP_TASK_TIMER_STACK;

esp_timer_handle_t running;  ///< linked list, earliest alarm first
Task* timerTask;
WaitList idle;  ///< timerTask waits in this list for the next alarm

uint64_t microseconds() {
  return (now() - startInformation().timer_zero_ns) / kNanosecondsPerMicrosecond;
}

uint64_t instantOf(uint64_t microsecond) {
  return startInformation().timer_zero_ns + microsecond * kNanosecondsPerMicrosecond;
}

void insert(esp_timer_handle_t timer, uint64_t alarm) {
  timer->alarm = alarm;
  esp_timer_handle_t* place = &running;
  while (*place != nullptr && (*place)->alarm <= alarm) place = &(*place)->next;
  timer->next = *place;
  *place = timer;
}

void remove(esp_timer_handle_t timer) {
  esp_timer_handle_t* place = &running;
  while (*place != timer) place = &(*place)->next;
  *place = timer->next;
  timer->alarm = 0;
}

void call(esp_timer_handle_t timer, uint64_t present) {
  const uint64_t due = timer->alarm;
  remove(timer);
  if (timer->period > 0) {
    const bool skips = timer->skipsUnhandled && (present - due) / timer->period > 1;
    insert(timer, (skips ? present : due) + timer->period);
  }
  // The callback may delete the timer.
  timer->callback(timer->arg);
}

void run(void*) {
  for (;;) {
    if (running != nullptr && running->alarm <= microseconds()) {
      call(running, microseconds());
    } else {
      waitIn(idle, running != nullptr ? instantOf(running->alarm) : kForEver);
    }
  }
}

/// Starts a timer: adds it to the list of the timer task.
esp_err_t start(esp_timer_handle_t timer, uint64_t delay, uint64_t period) {
  if (timer == nullptr) return ESP_ERR_INVALID_ARG;
  if (timer->alarm != 0) return ESP_ERR_INVALID_STATE;
  // On the chip, the task exists from the start: it takes no memory from the sketch's heap.
  if (timerTask == nullptr) {
    timerTask = createTask(run, "esp_timer", kStack, nullptr, kPriority, 0, false);
  }
  timer->period = period;
  insert(timer, microseconds() + delay);
  if (running == timer && wakeFirst(idle) != nullptr) reschedule();
  return ESP_OK;
}

}  // namespace

extern "C" {

esp_err_t esp_timer_create(const esp_timer_create_args_t* args, esp_timer_handle_t* handle) {
  if (args == nullptr || args->callback == nullptr || handle == nullptr ||
      args->dispatch_method != ESP_TIMER_TASK) {
    return ESP_ERR_INVALID_ARG;
  }
  auto* timer = static_cast<esp_timer_handle_t>(calloc(1, sizeof(struct esp_timer)));
  if (timer == nullptr) return ESP_ERR_NO_MEM;
  timer->callback = args->callback;
  timer->arg = args->arg;
  timer->skipsUnhandled = args->skip_unhandled_events;
  *handle = timer;
  return ESP_OK;
}

esp_err_t esp_timer_start_once(esp_timer_handle_t timer, uint64_t timeout) {
  return start(timer, timeout, 0);
}

esp_err_t esp_timer_start_periodic(esp_timer_handle_t timer, uint64_t period) {
  period = std::max(period, kMinimumPeriod);
  return start(timer, period, period);
}

esp_err_t esp_timer_restart(esp_timer_handle_t timer, uint64_t timeout) {
  if (timer == nullptr) return ESP_ERR_INVALID_ARG;
  if (timer->alarm == 0) return ESP_ERR_INVALID_STATE;
  const bool isPeriodic = timer->period > 0;
  remove(timer);
  return isPeriodic ? esp_timer_start_periodic(timer, timeout)
                    : esp_timer_start_once(timer, timeout);
}

esp_err_t esp_timer_stop(esp_timer_handle_t timer) {
  if (timer == nullptr) return ESP_ERR_INVALID_ARG;
  if (timer->alarm == 0) return ESP_ERR_INVALID_STATE;
  remove(timer);
  timer->period = 0;
  return ESP_OK;
}

esp_err_t esp_timer_delete(esp_timer_handle_t timer) {
  if (timer == nullptr) return ESP_ERR_INVALID_ARG;
  if (timer->alarm != 0) return ESP_ERR_INVALID_STATE;
  free(timer);
  return ESP_OK;
}

bool esp_timer_is_active(esp_timer_handle_t timer) { return timer != nullptr && timer->alarm != 0; }

esp_err_t esp_timer_get_period(esp_timer_handle_t timer, uint64_t* period) {
  if (timer == nullptr || period == nullptr) return ESP_ERR_INVALID_ARG;
  *period = timer->period;
  return ESP_OK;
}

esp_err_t esp_timer_get_expiry_time(esp_timer_handle_t timer, uint64_t* expiry) {
  if (timer == nullptr || expiry == nullptr) return ESP_ERR_INVALID_ARG;
  if (timer->period > 0) return ESP_ERR_NOT_SUPPORTED;
  *expiry = timer->alarm;
  return ESP_OK;
}

esp_err_t esp_timer_dump(FILE* stream) {
  constexpr size_t kLine = 46;  // as in ESP-IDF; enough with the buffer's spare lines
  size_t lines = 3;
  for (const struct esp_timer* timer = running; timer != nullptr; timer = timer->next) lines++;
  const size_t size = lines * kLine + 1;
  auto* text = static_cast<char*>(calloc(1, size));
  if (text == nullptr) return ESP_ERR_NO_MEM;
  size_t length = 0;
  for (const struct esp_timer* timer = running; timer != nullptr; timer = timer->next) {
    const int written =
        snprintf(text + length, size - length, "timer@%-14p  %-10" PRId64 "  %-12" PRId64 "\n",
                 static_cast<const void*>(timer), static_cast<int64_t>(timer->period),
                 static_cast<int64_t>(timer->alarm));
    length = std::min(size - 1, length + static_cast<size_t>(written));
  }
  if (stream != nullptr) {
    fprintf(stream, "Timer stats:\n%-20s  %-10s  %-12s\n", "Name", "Period", "Alarm");
    fputs(text, stream);
  }
  free(text);
  return ESP_OK;
}

int64_t esp_timer_get_next_alarm(void) {
  return running != nullptr ? static_cast<int64_t>(running->alarm) : INT64_MAX;
}

int64_t esp_timer_get_next_alarm_for_wake_up(void) {
  for (const struct esp_timer* timer = running; timer != nullptr; timer = timer->next) {
    if (!timer->skipsUnhandled) return static_cast<int64_t>(timer->alarm);
  }
  return INT64_MAX;
}

int64_t esp_timer_get_time(void) {
  spend(kPollNanoseconds);
  return static_cast<int64_t>(microseconds());
}

}  // extern "C"
