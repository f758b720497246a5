// Queue sets: a queue of the handles of those members that have an item.
#include "Queue.h"

extern "C" {

QueueSetHandle_t xQueueCreateSet(UBaseType_t length) {
  return xQueueGenericCreate(length, sizeof(QueueDefinition*), queueQUEUE_TYPE_SET);
}

BaseType_t xQueueAddToSet(QueueSetMemberHandle_t member, QueueSetHandle_t set) {
  // The set would not include the existing items.
  if (member->set != nullptr || member->count != 0) return pdFAIL;
  member->set = set;
  return pdPASS;
}

BaseType_t xQueueRemoveFromSet(QueueSetMemberHandle_t member, QueueSetHandle_t set) {
  if (member->set != set || member->count != 0) return pdFAIL;
  member->set = nullptr;
  return pdPASS;
}

QueueSetMemberHandle_t xQueueSelectFromSet(QueueSetHandle_t set, TickType_t ticks) {
  QueueSetMemberHandle_t member = nullptr;
  xQueueReceive(set, &member, ticks);
  return member;
}

QueueSetMemberHandle_t xQueueSelectFromSetFromISR(QueueSetHandle_t set) {
  QueueSetMemberHandle_t member = nullptr;
  xQueueReceiveFromISR(set, &member, nullptr);
  return member;
}

}  // extern "C"
