// Task notifications: a value and a state per task.
#include "Support.h"

using namespace espbench;

namespace {

enum State : uint8_t { kNotWaiting, kWaiting, kReceived };

/// Applies an action; false: a value exists already, and is kept.
bool apply(Task* task, UBaseType_t index, uint32_t value, eNotifyAction action, State before) {
  uint32_t& current = task->notifyValue[index];
  switch (action) {
    case eSetBits:
      current |= value;
      return true;
    case eIncrement:
      current++;
      return true;
    case eSetValueWithoutOverwrite:
      if (before == kReceived) return false;
      current = value;
      return true;
    case eSetValueWithOverwrite:
      current = value;
      return true;
    case eNoAction:
      return true;
  }
  return true;
}

/// Notifies; `wokenTask` is the task that waited, or nullptr.
BaseType_t notify(Task* task, UBaseType_t index, uint32_t value, eNotifyAction action,
                  uint32_t* previous, Task*& wokenTask) {
  if (previous != nullptr) *previous = task->notifyValue[index];
  const auto before = static_cast<State>(task->notifyState[index]);
  task->notifyState[index] = kReceived;
  const bool isApplied = apply(task, index, value, action, before);
  wokenTask = before == kWaiting ? task : nullptr;
  if (wokenTask != nullptr) wake(task);
  return isApplied ? pdPASS : pdFAIL;
}

/// Waits until the current task is notified, if it has not been.
void await(UBaseType_t index, TickType_t ticks) {
  Task* task = currentTask();
  if (ticks == 0) return;
  WaitList alone;
  Waiting waiting(ticks);
  while (task->notifyState[index] == kWaiting && waiting.block(alone)) {
  }
}

}  // namespace

extern "C" {

BaseType_t xTaskGenericNotify(TaskHandle_t handle, UBaseType_t index, uint32_t value,
                              eNotifyAction action, uint32_t* previous) {
  require(index < kNotifications, {"xTaskGenericNotify", "tasks.c", 5908, "uxIndexToNotify < 1"});
  require(handle != nullptr, {"xTaskGenericNotify", "tasks.c", 5909, "xTaskToNotify"});
  Task* woken;
  BaseType_t result = notify(taskOf(handle), index, value, action, previous, woken);
  if (woken != nullptr) reschedule();
  return result;
}

BaseType_t xTaskGenericNotifyFromISR(TaskHandle_t handle, UBaseType_t index, uint32_t value,
                                     eNotifyAction action, uint32_t* previous,
                                     BaseType_t* higherPriorityTaskWoken) {
  require(handle != nullptr, {"xTaskGenericNotifyFromISR", "tasks.c", 6033, "xTaskToNotify"});
  require(index < kNotifications,
          {"xTaskGenericNotifyFromISR", "tasks.c", 6034, "uxIndexToNotify < 1"});
  Task* woken;
  BaseType_t result = notify(taskOf(handle), index, value, action, previous, woken);
  noteWoken(woken, higherPriorityTaskWoken);
  return result;
}

void vTaskGenericNotifyGiveFromISR(TaskHandle_t handle, UBaseType_t index,
                                   BaseType_t* higherPriorityTaskWoken) {
  require(handle != nullptr, {"vTaskGenericNotifyGiveFromISR", "tasks.c", 6171, "xTaskToNotify"});
  require(index < kNotifications,
          {"vTaskGenericNotifyGiveFromISR", "tasks.c", 6172, "uxIndexToNotify < 1"});
  Task* woken;
  notify(taskOf(handle), index, 0, eIncrement, nullptr, woken);
  noteWoken(woken, higherPriorityTaskWoken);
}

BaseType_t xTaskGenericNotifyWait(UBaseType_t index, uint32_t clearOnEntry, uint32_t clearOnExit,
                                  uint32_t* value, TickType_t ticks) {
  require(index < kNotifications, {"xTaskGenericNotifyWait", "tasks.c", 5814, "uxIndexToWait < 1"});
  if (ticks == 0) poll();
  Task* task = currentTask();
  if (task->notifyState[index] != kReceived) {
    task->notifyValue[index] &= ~clearOnEntry;
    task->notifyState[index] = kWaiting;
    await(index, ticks);
  }
  if (value != nullptr) *value = task->notifyValue[index];
  const bool isReceived = task->notifyState[index] == kReceived;
  if (isReceived) task->notifyValue[index] &= ~clearOnExit;
  task->notifyState[index] = kNotWaiting;
  return isReceived ? pdTRUE : pdFALSE;
}

uint32_t ulTaskGenericNotifyTake(UBaseType_t index, BaseType_t clearOnExit, TickType_t ticks) {
  require(index < kNotifications,
          {"ulTaskGenericNotifyTake", "tasks.c", 5734, "uxIndexToWait < 1"});
  if (ticks == 0) poll();
  Task* task = currentTask();
  if (task->notifyValue[index] == 0) {
    task->notifyState[index] = kWaiting;
    await(index, ticks);
  }
  const uint32_t value = task->notifyValue[index];
  if (value != 0) task->notifyValue[index] = clearOnExit != pdFALSE ? 0 : value - 1;
  task->notifyState[index] = kNotWaiting;
  return value;
}

BaseType_t xTaskGenericNotifyStateClear(TaskHandle_t handle, UBaseType_t index) {
  require(index < kNotifications,
          {"xTaskGenericNotifyStateClear", "tasks.c", 6261, "uxIndexToClear < 1"});
  Task* task = taskOf(handle);
  if (task->notifyState[index] != kReceived) return pdFAIL;
  task->notifyState[index] = kNotWaiting;
  return pdPASS;
}

uint32_t ulTaskGenericNotifyValueClear(TaskHandle_t handle, UBaseType_t index, uint32_t bits) {
  Task* task = taskOf(handle);
  const uint32_t before = task->notifyValue[index];
  task->notifyValue[index] &= ~bits;
  return before;
}

}  // extern "C"
