// Semaphores and mutexes: queues without data. While a task of higher priority waits for a mutex,
// its holder has that priority (priority inheritance).
#include <algorithm>

#include "Queue.h"

using namespace espbench;

namespace {

constexpr char kIsRunning[] = "pxTCB == pxCurrentTCBs[ xPortGetCoreID() ]";

/// The holder gets the priority of the current task, which will wait. Returns whether the holder
/// then has an inherited priority.
bool inherit(Task* holder) {
  if (holder == nullptr) return false;
  const unsigned wanted = currentTask()->priority;
  if (holder->priority < wanted) {
    setPriority(holder, wanted);
    return true;
  }
  return holder->basePriority < wanted;
}

/// The current task no longer waits: the holder's priority falls to that of the other waiting
/// tasks. As in FreeRTOS, only if it has no other mutex, which may have raised the priority, too.
void disinheritAfterTimeout(QueueDefinition* mutex) {
  Task* holder = mutex->holder;
  if (holder == nullptr) return;
  require(holder->mutexesHeld > 0,
          {"vTaskPriorityDisinheritAfterTimeout", "tasks.c", 5243, "pxTCB->uxMutexesHeld"});
  const Task* first = mutex->receivers.first;
  const unsigned wanted = std::max(holder->basePriority, first != nullptr ? first->priority : 0);
  if (holder->priority != wanted && holder->mutexesHeld == 1) setPriority(holder, wanted);
}

/// A new mutex can be taken.
QueueHandle_t give(QueueHandle_t mutex) {
  if (mutex != nullptr) mutex->count = 1;
  return mutex;
}

}  // namespace

namespace espbench {

void holdMutex(QueueDefinition* mutex) {
  mutex->holder = currentTask();
  mutex->holder->mutexesHeld++;
}

void releaseMutex(QueueDefinition* mutex) {
  Task* holder = mutex->holder;
  mutex->holder = nullptr;
  if (holder == nullptr) return;
  require(holder == currentTask(), {"xTaskPriorityDisinherit", "tasks.c", 5156, kIsRunning});
  require(holder->mutexesHeld > 0,
          {"xTaskPriorityDisinherit", "tasks.c", 5157, "pxTCB->uxMutexesHeld"});
  if (--holder->mutexesHeld == 0 && holder->priority != holder->basePriority) {
    setPriority(holder, holder->basePriority);
  }
}

}  // namespace espbench

extern "C" {

QueueHandle_t xQueueCreateMutex(uint8_t type) { return give(xQueueGenericCreate(1, 0, type)); }

QueueHandle_t xQueueCreateMutexStatic(uint8_t type, StaticQueue_t* buffer) {
  return give(xQueueGenericCreateStatic(1, 0, nullptr, buffer, type));
}

QueueHandle_t xQueueCreateCountingSemaphore(UBaseType_t maximum, UBaseType_t initial) {
  require(maximum != 0 && initial <= maximum,
          {"xQueueCreateCountingSemaphore", "queue.c", 917, "xHandle"});
  QueueHandle_t semaphore = xQueueGenericCreate(maximum, 0, queueQUEUE_TYPE_COUNTING_SEMAPHORE);
  if (semaphore != nullptr) semaphore->count = initial;
  return semaphore;
}

QueueHandle_t xQueueCreateCountingSemaphoreStatic(UBaseType_t maximum, UBaseType_t initial,
                                                  StaticQueue_t* buffer) {
  require(maximum != 0 && initial <= maximum,
          {"xQueueCreateCountingSemaphoreStatic", "queue.c", 882, "xHandle"});
  QueueHandle_t semaphore =
      xQueueGenericCreateStatic(maximum, 0, nullptr, buffer, queueQUEUE_TYPE_COUNTING_SEMAPHORE);
  semaphore->count = initial;
  return semaphore;
}

BaseType_t xQueueSemaphoreTake(QueueHandle_t queue, TickType_t ticks) {
  require(queue != nullptr, {"xQueueSemaphoreTake", "queue.c", 1709, "( pxQueue )"});
  require(queue->itemSize == 0,
          {"xQueueSemaphoreTake", "queue.c", 1713, "pxQueue->uxItemSize == 0"});
  require(!isSchedulerSuspended() || ticks == 0,
          {"xQueueSemaphoreTake", "queue.c", 1718, kMayWait});
  if (ticks == 0 && queue->count == 0) poll();
  bool hasInherited = false;
  for (Waiting waiting(ticks);;) {
    if (queue->count > 0) {
      get(queue, nullptr, false);
      reschedule();
      return pdPASS;
    }
    if (ticks != 0 && queue->isMutex()) hasInherited |= inherit(queue->holder);
    currentTask()->blockedOn = queue->isMutex() ? queue : nullptr;
    bool hasWaited = waiting.block(queue->receivers);
    currentTask()->blockedOn = nullptr;
    if (hasWaited) continue;
    if (hasInherited) disinheritAfterTimeout(queue);
    return errQUEUE_EMPTY;
  }
}

BaseType_t xQueueTakeMutexRecursive(QueueHandle_t mutex, TickType_t ticks) {
  require(mutex != nullptr, {"xQueueTakeMutexRecursive", "queue.c", 821, "pxMutex"});
  if (mutex->holder == currentTask()) {
    mutex->recursion++;
    return pdPASS;
  }
  BaseType_t taken = xQueueSemaphoreTake(mutex, ticks);
  if (taken != pdFAIL) mutex->recursion++;
  return taken;
}

BaseType_t xQueueGiveMutexRecursive(QueueHandle_t mutex) {
  require(mutex != nullptr, {"xQueueGiveMutexRecursive", "queue.c", 765, "pxMutex"});
  if (mutex->holder != currentTask()) return pdFAIL;
  if (--mutex->recursion == 0) xQueueGenericSend(mutex, nullptr, 0, queueSEND_TO_BACK);
  return pdPASS;
}

BaseType_t xQueueGiveFromISR(QueueHandle_t queue, BaseType_t* woken) {
  require(queue != nullptr, {"xQueueGiveFromISR", "queue.c", 1358, "pxQueue"});
  require(queue->itemSize == 0, {"xQueueGiveFromISR", "queue.c", 1362, "pxQueue->uxItemSize == 0"});
  require(!queue->isMutex() || queue->holder == nullptr,
          {"xQueueGiveFromISR", "queue.c", 1367,
           "!( ( pxQueue->pcHead == ((void *)0) ) && "
           "( pxQueue->u.xSemaphore.xMutexHolder != ((void *)0) ) )"});
  if (queue->count == queue->length) return errQUEUE_FULL;
  noteWoken(put(queue, nullptr, queueSEND_TO_BACK), woken);
  return pdPASS;
}

TaskHandle_t xQueueGetMutexHolder(QueueHandle_t mutex) {
  require(mutex != nullptr, {"xQueueGetMutexHolder", "queue.c", 706, "xSemaphore"});
  return mutex->isMutex() ? handleOf(mutex->holder) : nullptr;
}

TaskHandle_t xQueueGetMutexHolderFromISR(QueueHandle_t mutex) {
  require(mutex != nullptr, {"xQueueGetMutexHolderFromISR", "queue.c", 738, "xSemaphore"});
  return mutex->isMutex() ? handleOf(mutex->holder) : nullptr;
}

}  // extern "C"
