// Creation and deletion of tasks: their stacks, and their memory in the chip's heap.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "Context.h"
#include "Cores.h"
#include "Heap.h"
#include "Runtime.h"
#include "esp32-hal-log.h"
#include "esp_log.h"

namespace espbench {
namespace {

/// sizeof(TCB_t) of ESP-IDF 5.5 as arduino-esp32 configures it.
constexpr size_t kControlBlock = 356;

uint32_t createdTasks;

}  // namespace

Task* createTask(void (*function)(void*), const char* name, size_t stackBytes, void* argument,
                 unsigned priority, int affinity, bool takesHeap) {
  void* blocks[2] = {};
  if (takesHeap) {
    blocks[0] = malloc(stackBytes);
    blocks[1] = blocks[0] != nullptr ? malloc(kControlBlock) : nullptr;
    if (blocks[1] == nullptr) {
      free(blocks[0]);
      return nullptr;
    }
  }
  Stack stack = mapStack(stackBytes + kFrameAllowance);
  Task* task = nullptr;
  {
    HostScope own;
    task = stack.low != nullptr ? static_cast<Task*>(calloc(1, sizeof(Task))) : nullptr;
  }
  if (task == nullptr) {
    unmapStack(stack.mapping, stack.mappingSize);
    free(blocks[0]);
    free(blocks[1]);
    return nullptr;
  }
  strncpy(task->name, name != nullptr ? name : "", sizeof task->name - 1);
  task->priority = task->basePriority = priority < kPriorities ? priority : kPriorities - 1;
  task->affinity = affinity;
  task->core = affinity == kAnyCore ? currentCore() : affinity;
  task->number = ++createdTasks;
  task->stackSize = stackBytes;
  task->function = function;
  task->argument = argument;
  task->stackLow = stack.low;
  task->stackHigh = stack.high;
  task->stackMapping = stack.mapping;
  task->stackMappingSize = stack.mappingSize;
  memcpy(task->heapBlocks, blocks, sizeof blocks);
  task->fedAt = now();
  Task** end = &taskList;
  while (*end != nullptr) end = &(*end)->next;
  *end = task;
  makeReady(task, now());
  reschedule();
  return task;
}

void deleteTask(Task* task) {
  if (task->state == TaskState::ready) removeReady(task);
  removeWaiting(task);
  task->state = TaskState::deleted;
  for (Task** place = &taskList; *place != nullptr; place = &(*place)->next) {
    if (*place != task) continue;
    *place = task->next;
    break;
  }
  if (task->deleted != nullptr) task->deleted(task);
  if (task == currentTask()) {
    waits++;
    limit = 0;
    dispatch();
    __builtin_unreachable();
  }
  for (Core& core : cores) {
    if (core.running == task) core.running = nullptr;
  }
  releaseTask(task);
}

void releaseTask(Task* task) {
  unmapStack(task->stackMapping, task->stackMappingSize);
  free(task->heapBlocks[0]);
  free(task->heapBlocks[1]);
  free(task);
}

void taskReturned() {
  log_printf("E (%lu) FreeRTOS: FreeRTOS Task \"%s\" should not return, Aborting now!\r\n",
             static_cast<unsigned long>(esp_log_timestamp()), currentTask()->name);
  abort();
}

size_t unusedStack(const Task* task) {
  const uint8_t* used = task->stackLow;
  while (used < task->stackHigh && *used == kStackFill) used++;
  size_t untouched = static_cast<size_t>(used - task->stackLow);
  return untouched > kFrameAllowance ? untouched - kFrameAllowance : 0;
}

}  // namespace espbench
