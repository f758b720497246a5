// A queue. With an item size of 0, it is a semaphore or a mutex.
#ifndef ESPBENCH_FREERTOS_QUEUE_H
#define ESPBENCH_FREERTOS_QUEUE_H

#include "Support.h"
#include "freertos/queue.h"
#include "freertos/semphr.h"

struct QueueDefinition {
  uint8_t* storage;  ///< length * itemSize bytes, a ring
  espbench::WaitList senders;
  espbench::WaitList receivers;
  UBaseType_t count;
  UBaseType_t length;
  UBaseType_t itemSize;
  UBaseType_t first;       ///< the oldest item
  QueueDefinition* set;    ///< the queue set that contains this queue
  espbench::Task* holder;  ///< mutex: the task that has taken it
  UBaseType_t recursion;   ///< mutex: how many times `holder` has taken it
  uint8_t type;            ///< queueQUEUE_TYPE_...
  bool isStatic;

  bool isMutex() const {
    return type == queueQUEUE_TYPE_MUTEX || type == queueQUEUE_TYPE_RECURSIVE_MUTEX;
  }
};
static_assert(sizeof(QueueDefinition) <= sizeof(StaticQueue_t));

namespace espbench {

/// Copies an item in. Returns the task that is woken by it, or nullptr.
Task* put(QueueDefinition* queue, const void* item, BaseType_t position);
/// Copies the oldest item out, and removes the item unless `stays`. Returns the task that may send
/// now.
Task* get(QueueDefinition* queue, void* buffer, bool stays);

/// The current task has taken a mutex.
void holdMutex(QueueDefinition* mutex);
/// A mutex is given: its holder gets its own priority back. Fails an assertion for another task.
void releaseMutex(QueueDefinition* mutex);

}  // namespace espbench

#endif
