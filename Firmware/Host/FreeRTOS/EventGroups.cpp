// Event groups: a task waits until one of several bits is set, or all of them.
#include <cstdlib>

#include "Support.h"
#include "freertos/event_groups.h"
#include "freertos/idf_additions.h"

using namespace espbench;

struct EventGroupDef_t {
  EventBits_t bits;
  WaitList waiting;
  bool isStatic;
};
static_assert(sizeof(EventGroupDef_t) <= sizeof(StaticEventGroup_t));

namespace {

constexpr EventBits_t kControlBits = 0xff000000;

// In a task's eventFlags
constexpr uint32_t kClearOnExit = 1;
constexpr uint32_t kWaitForAll = 2;
constexpr uint32_t kSatisfied = 4;

bool isSatisfied(EventBits_t bits, EventBits_t wanted, bool needsAll) {
  return needsAll ? (bits & wanted) == wanted : (bits & wanted) != 0;
}

/// Sets bits and wakes the tasks for which they suffice.
EventBits_t set(EventGroupHandle_t group, EventBits_t bits) {
  group->bits |= bits;
  EventBits_t cleared = 0;
  for (Task* task = group->waiting.first; task != nullptr;) {
    Task* next = task->nextWaiting;
    if (isSatisfied(group->bits, task->eventBits, (task->eventFlags & kWaitForAll) != 0)) {
      if ((task->eventFlags & kClearOnExit) != 0) cleared |= task->eventBits;
      task->eventBits = group->bits;
      task->eventFlags |= kSatisfied;
      wake(task);
    }
    task = next;
  }
  group->bits &= ~cleared;
  return group->bits;
}

/// Waits; returns true if the bits were set, and stores them in `bits`.
bool await(EventGroupHandle_t group, EventBits_t& bits, uint32_t flags, TickType_t ticks) {
  Task* task = currentTask();
  task->eventBits = bits;
  task->eventFlags = flags;
  Waiting waiting(ticks);
  while ((task->eventFlags & kSatisfied) == 0 && waiting.block(group->waiting)) {
  }
  if ((task->eventFlags & kSatisfied) == 0) return false;
  bits = task->eventBits;
  return true;
}

void setFromTimerTask(void* group, uint32_t bits) {
  xEventGroupSetBits(static_cast<EventGroupHandle_t>(group), bits);
}

void clearFromTimerTask(void* group, uint32_t bits) {
  xEventGroupClearBits(static_cast<EventGroupHandle_t>(group), bits);
}

}  // namespace

extern "C" {

EventGroupHandle_t xEventGroupCreate(void) {
  auto* group = static_cast<EventGroupHandle_t>(malloc(sizeof(StaticEventGroup_t)));
  if (group != nullptr) *group = {0, {}, false};
  return group;
}

EventGroupHandle_t xEventGroupCreateStatic(StaticEventGroup_t* buffer) {
  require(buffer != nullptr,
          {"xEventGroupCreateStatic", "event_groups.c", 109, "pxEventGroupBuffer"});
  auto* group = reinterpret_cast<EventGroupHandle_t>(buffer);
  *group = {0, {}, true};
  return group;
}

void vEventGroupDelete(EventGroupHandle_t group) {
  require(group != nullptr, {"vEventGroupDelete", "event_groups.c", 661, "pxEventBits"});
  while (Task* task = group->waiting.first) {
    task->eventBits = 0;
    task->eventFlags |= kSatisfied;
    wake(task);
  }
  if (!group->isStatic) free(group);
  reschedule();
}

void vEventGroupDeleteWithCaps(EventGroupHandle_t group) {
  require(group != nullptr, {"xEventGroupGetStaticBuffer", "event_groups.c", 719, "pxEventBits"});
  require(group->isStatic, {"vEventGroupDeleteWithCaps", "idf_additions_event_groups.c", 69,
                            "xResult == ( ( BaseType_t ) 1 )"});
  vEventGroupDelete(group);
  heap_caps_free(group);
}

EventBits_t xEventGroupWaitBits(EventGroupHandle_t group, EventBits_t bits, BaseType_t clearOnExit,
                                BaseType_t waitForAll, TickType_t ticks) {
  require(group != nullptr, {"xEventGroupWaitBits", "event_groups.c", 345, "xEventGroup"});
  require((bits & kControlBits) == 0, {"xEventGroupWaitBits", "event_groups.c", 346,
                                       "( uxBitsToWaitFor & 0xff000000UL ) == 0"});
  require(bits != 0, {"xEventGroupWaitBits", "event_groups.c", 347, "uxBitsToWaitFor != 0"});
  require(!isSchedulerSuspended() || ticks == 0,
          {"xEventGroupWaitBits", "event_groups.c", 350, kMayWait});
  if (ticks == 0) poll();
  const bool needsAll = waitForAll != pdFALSE;
  EventBits_t result = bits;
  if (!isSatisfied(group->bits, bits, needsAll)) {
    uint32_t flags = (clearOnExit != pdFALSE ? kClearOnExit : 0) | (needsAll ? kWaitForAll : 0);
    if (ticks != 0 && await(group, result, flags, ticks)) return result;
    // At the time-out, the bits may have been set.
    if (!isSatisfied(group->bits, bits, needsAll)) return group->bits;
  }
  result = group->bits;
  if (clearOnExit != pdFALSE) group->bits &= ~bits;
  return result;
}

EventBits_t xEventGroupSync(EventGroupHandle_t group, EventBits_t toSet, EventBits_t waitFor,
                            TickType_t ticks) {
  require((waitFor & kControlBits) == 0,
          {"xEventGroupSync", "event_groups.c", 219, "( uxBitsToWaitFor & 0xff000000UL ) == 0"});
  require(waitFor != 0, {"xEventGroupSync", "event_groups.c", 220, "uxBitsToWaitFor != 0"});
  require(!isSchedulerSuspended() || ticks == 0,
          {"xEventGroupSync", "event_groups.c", 223, kMayWait});
  const EventBits_t before = group->bits;
  set(group, toSet);
  EventBits_t result = before | toSet;
  if (isSatisfied(result, waitFor, true)) {
    group->bits &= ~waitFor;
    reschedule();
    return result;
  }
  result = waitFor;
  if (ticks != 0 && await(group, result, kClearOnExit | kWaitForAll, ticks)) return result;
  result = group->bits;
  if (isSatisfied(result, waitFor, true)) group->bits &= ~waitFor;
  return result;
}

EventBits_t xEventGroupSetBits(EventGroupHandle_t group, EventBits_t bits) {
  require(group != nullptr, {"xEventGroupSetBits", "event_groups.c", 561, "xEventGroup"});
  require((bits & kControlBits) == 0,
          {"xEventGroupSetBits", "event_groups.c", 562, "( uxBitsToSet & 0xff000000UL ) == 0"});
  const EventBits_t result = set(group, bits);
  reschedule();
  return result;
}

EventBits_t xEventGroupClearBits(EventGroupHandle_t group, EventBits_t bits) {
  require(group != nullptr, {"xEventGroupClearBits", "event_groups.c", 496, "xEventGroup"});
  require((bits & kControlBits) == 0,
          {"xEventGroupClearBits", "event_groups.c", 497, "( uxBitsToClear & 0xff000000UL ) == 0"});
  poll();
  const EventBits_t before = group->bits;
  group->bits &= ~bits;
  return before;
}

BaseType_t xEventGroupSetBitsFromISR(EventGroupHandle_t group, EventBits_t bits,
                                     BaseType_t* woken) {
  return xTimerPendFunctionCallFromISR(setFromTimerTask, group, bits, woken);
}

BaseType_t xEventGroupClearBitsFromISR(EventGroupHandle_t group, EventBits_t bits) {
  return xTimerPendFunctionCallFromISR(clearFromTimerTask, group, bits, nullptr);
}

EventBits_t xEventGroupGetBitsFromISR(EventGroupHandle_t group) { return group->bits; }

}  // extern "C"
