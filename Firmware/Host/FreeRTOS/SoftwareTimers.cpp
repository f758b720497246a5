// Software timers: the task "Tmr Svc" calls them, and executes commands from a queue.
#include <cstdlib>

#include "Queue.h"
#include "freertos/timers.h"

using namespace espbench;

struct tmrTimerControl {
  const char* name;
  TickType_t period;
  uint32_t expiry[2];  ///< valid while active; two words, since the memory is aligned to 4 bytes
  tmrTimerControl* next;
  void* id;
  TimerCallbackFunction_t callback;
  bool isActive;
  bool reloads;
  bool isStatic;

  uint64_t due() const { return uint64_t{expiry[1]} << 32 | expiry[0]; }
};
static_assert(sizeof(tmrTimerControl) <= sizeof(StaticTimer_t));

namespace {

struct Command {
  BaseType_t kind;
  TimerHandle_t timer;
  TickType_t value;
  PendedFunction_t function;
  void* argument1;
  uint32_t argument2;
};

TimerHandle_t active;  ///< linked list, earliest expiry first
QueueHandle_t commands;
Task* service;

void insert(TimerHandle_t timer, uint64_t expiry) {
  timer->expiry[0] = static_cast<uint32_t>(expiry);
  timer->expiry[1] = static_cast<uint32_t>(expiry >> 32);
  timer->isActive = true;
  TimerHandle_t* place = &active;
  while (*place != nullptr && (*place)->due() <= expiry) place = &(*place)->next;
  timer->next = *place;
  *place = timer;
}

void remove(TimerHandle_t timer) {
  for (TimerHandle_t* place = &active; *place != nullptr; place = &(*place)->next) {
    if (*place != timer) continue;
    *place = timer->next;
    break;
  }
  timer->isActive = false;
}

/// Starts a timer at the tick of its command; calls its callback for each expiry since then.
void start(TimerHandle_t timer, TickType_t commandTick) {
  const uint64_t tick = tickCount();
  uint64_t expiry = tick - (static_cast<TickType_t>(tick) - commandTick) + timer->period;
  while (expiry <= tick) {
    timer->callback(timer);
    if (!timer->reloads) return;
    expiry += timer->period;
  }
  insert(timer, expiry);
}

void expire(TimerHandle_t timer) {
  remove(timer);
  if (timer->reloads) insert(timer, timer->due() + timer->period);
  timer->callback(timer);
}

void obey(const Command& command) {
  if (command.kind < 0) {
    command.function(command.argument1, command.argument2);
    return;
  }
  TimerHandle_t timer = command.timer;
  if (timer->isActive) remove(timer);
  switch (command.kind) {
    case tmrCOMMAND_START:
    case tmrCOMMAND_START_FROM_ISR:
    case tmrCOMMAND_RESET:
    case tmrCOMMAND_RESET_FROM_ISR:
      start(timer, command.value);
      break;
    case tmrCOMMAND_CHANGE_PERIOD:
    case tmrCOMMAND_CHANGE_PERIOD_FROM_ISR:
      timer->period = command.value;
      require(timer->period > 0, {"prvProcessReceivedCommands", "timers.c", 951,
                                  "( pxTimer->xTimerPeriodInTicks > 0 )"});
      insert(timer, tickCount() + timer->period);
      break;
    case tmrCOMMAND_DELETE:
      if (!timer->isStatic) free(timer);
      break;
    default:
      break;
  }
}

void serve(void*) {
  for (;;) {
    if (active != nullptr && instantOfTick(active->due()) <= now()) {
      expire(active);
      continue;
    }
    if (commands->count == 0) {
      waitIn(commands->receivers, active != nullptr ? instantOfTick(active->due()) : kForEver);
      continue;
    }
    Command command;
    get(commands, &command, false);
    obey(command);
  }
}

/// On the chip, the task and its queue exist from the start: they take no memory from the sketch's
/// heap.
void createService() {
  static StaticQueue_t queue;
  static Command storage[configTIMER_QUEUE_LENGTH];
  if (service != nullptr) return;
  commands = xQueueCreateStatic(configTIMER_QUEUE_LENGTH, sizeof(Command),
                                reinterpret_cast<uint8_t*>(storage), &queue);
  service = createTask(serve, "Tmr Svc", configTIMER_TASK_STACK_DEPTH, nullptr,
                       configTIMER_TASK_PRIORITY, kAnyCore, false);
}

BaseType_t enqueue(const Command& command, TickType_t ticks) {
  createService();
  // Before the scheduler runs, no task can empty a full queue: the call does not wait.
  return xQueueSendToBack(commands, &command, isSchedulerRunning() ? ticks : 0);
}

BaseType_t enqueueFromISR(const Command& command, BaseType_t* woken) {
  createService();
  return xQueueSendToBackFromISR(commands, &command, woken);
}

TimerHandle_t initialize(TimerHandle_t timer, const char* name, TickType_t period,
                         BaseType_t reloads, void* id, TimerCallbackFunction_t callback,
                         bool isStatic) {
  require(period > 0, {"prvInitialiseNewTimer", "timers.c", 428, "( xTimerPeriodInTicks > 0 )"});
  *timer = {};
  timer->name = name;
  timer->period = period;
  timer->id = id;
  timer->callback = callback;
  timer->reloads = reloads != pdFALSE;
  timer->isStatic = isStatic;
  return timer;
}

}  // namespace

extern "C" {

TimerHandle_t xTimerCreate(const char* name, TickType_t period, BaseType_t autoReload, void* id,
                           TimerCallbackFunction_t callback) {
  auto* timer = static_cast<TimerHandle_t>(malloc(sizeof(StaticTimer_t)));
  if (timer == nullptr) return nullptr;
  return initialize(timer, name, period, autoReload, id, callback, false);
}

TimerHandle_t xTimerCreateStatic(const char* name, TickType_t period, BaseType_t autoReload,
                                 void* id, TimerCallbackFunction_t callback,
                                 StaticTimer_t* buffer) {
  require(buffer != nullptr, {"xTimerCreateStatic", "timers.c", 401, "pxTimerBuffer"});
  return initialize(reinterpret_cast<TimerHandle_t>(buffer), name, period, autoReload, id, callback,
                    true);
}

BaseType_t xTimerGenericCommand(TimerHandle_t timer, BaseType_t command, TickType_t value,
                                BaseType_t* woken, TickType_t ticks) {
  require(timer != nullptr, {"xTimerGenericCommand", "timers.c", 460, "xTimer"});
  const Command sent = {command, timer, value, nullptr, nullptr, 0};
  if (command < tmrFIRST_FROM_ISR_COMMAND) return enqueue(sent, ticks);
  return enqueueFromISR(sent, woken);
}

BaseType_t xTimerIsTimerActive(TimerHandle_t timer) {
  require(timer != nullptr, {"xTimerIsTimerActive", "timers.c", 1078, "xTimer"});
  poll();
  return timer->isActive;
}

TickType_t xTimerGetPeriod(TimerHandle_t timer) {
  require(timer != nullptr, {"xTimerGetPeriod", "timers.c", 511, "xTimer"});
  return timer->period;
}

TickType_t xTimerGetExpiryTime(TimerHandle_t timer) {
  require(timer != nullptr, {"xTimerGetExpiryTime", "timers.c", 572, "xTimer"});
  return timer->expiry[0];
}

const char* pcTimerGetName(TimerHandle_t timer) {
  require(timer != nullptr, {"pcTimerGetName", "timers.c", 606, "xTimer"});
  return timer->name;
}

void* pvTimerGetTimerID(TimerHandle_t timer) {
  require(timer != nullptr, {"pvTimerGetTimerID", "timers.c", 1103, "xTimer"});
  return timer->id;
}

void vTimerSetTimerID(TimerHandle_t timer, void* id) {
  require(timer != nullptr, {"vTimerSetTimerID", "timers.c", 1120, "xTimer"});
  timer->id = id;
}

void vTimerSetReloadMode(TimerHandle_t timer, BaseType_t autoReload) {
  require(timer != nullptr, {"vTimerSetReloadMode", "timers.c", 521, "xTimer"});
  timer->reloads = autoReload != pdFALSE;
}

BaseType_t xTimerGetReloadMode(TimerHandle_t timer) {
  require(timer != nullptr, {"xTimerGetReloadMode", "timers.c", 542, "xTimer"});
  return timer->reloads;
}

UBaseType_t uxTimerGetReloadMode(TimerHandle_t timer) {
  return static_cast<UBaseType_t>(xTimerGetReloadMode(timer));
}

TaskHandle_t xTimerGetTimerDaemonTaskHandle(void) {
  createService();
  return handleOf(service);
}

BaseType_t xTimerPendFunctionCall(PendedFunction_t function, void* argument1, uint32_t argument2,
                                  TickType_t ticks) {
  return enqueue({tmrCOMMAND_EXECUTE_CALLBACK, nullptr, 0, function, argument1, argument2}, ticks);
}

BaseType_t xTimerPendFunctionCallFromISR(PendedFunction_t function, void* argument1,
                                         uint32_t argument2, BaseType_t* woken) {
  return enqueueFromISR(
      {tmrCOMMAND_EXECUTE_CALLBACK_FROM_ISR, nullptr, 0, function, argument1, argument2}, woken);
}

}  // extern "C"
