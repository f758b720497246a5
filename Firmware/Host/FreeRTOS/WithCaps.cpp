// Objects in memory with capabilities (freertos/idf_additions.h): objects of static allocation
// whose memory comes from the heap.
#include <cstdlib>

#include "../Runtime/Heap.h"
#include "Support.h"
#include "esp_log.h"
#include "freertos/idf_additions.h"

using namespace espbench;

namespace {

constexpr char kFile[] = "idf_additions.c";
constexpr char kIsStatic[] = "xResult == ( ( BaseType_t ) 1 )";

/// Allocates the memory of an object and of its content, unless the content has no size; allocates
/// both or neither.
struct Memory {
  void* object;
  void* content;

  Memory(size_t objectBytes, size_t contentBytes, uint32_t caps)
      : object(heap_caps_malloc(objectBytes, caps)),
        content(contentBytes > 0 ? heap_caps_malloc(contentBytes, caps) : nullptr) {
    if (object != nullptr && (content != nullptr || contentBytes == 0)) return;
    heap_caps_free(content);
    heap_caps_free(object);
    object = content = nullptr;
  }
  explicit operator bool() const { return object != nullptr; }
  template <typename T>
  T* as() const {
    return static_cast<T*>(object);
  }
  uint8_t* bytes() const { return static_cast<uint8_t*>(content); }
};

void deleteWithCaps(Task* task) {
  // The memory outlives the task; a task created by another function has no such memory.
  void* blocks[2] = {task->givenBlocks[0], task->givenBlocks[1]};
  vTaskSuspend(handleOf(task));
  vTaskDelete(handleOf(task));
  require(blocks[1] != nullptr, {"prvTaskDeleteWithCaps", kFile, 111, kIsStatic});
  heap_caps_free(blocks[0]);
  vPortFree(blocks[1]);
}

void runDeleter(void* task) {
  deleteWithCaps(static_cast<Task*>(task));
  vTaskDelete(nullptr);
}

}  // namespace

extern "C" {

BaseType_t xTaskCreatePinnedToCoreWithCaps(TaskFunction_t code, const char* name,
                                           configSTACK_DEPTH_TYPE stackDepth, void* parameters,
                                           UBaseType_t priority, TaskHandle_t* created,
                                           BaseType_t core, UBaseType_t caps) {
  auto* control = static_cast<StaticTask_t*>(pvPortMalloc(sizeof(StaticTask_t)));
  auto* stack = static_cast<StackType_t*>(heap_caps_malloc(stackDepth, caps));
  if (control == nullptr || stack == nullptr) {
    heap_caps_free(stack);
    vPortFree(control);
    return pdFAIL;
  }
  // The new task may run, and delete itself, before this returns.
  suspendScheduler();
  TaskHandle_t handle = xTaskCreateStaticPinnedToCore(code, name, stackDepth, parameters, priority,
                                                      stack, control, core);
  Task* task = taskOf(handle);
  task->givenBlocks[0] = stack;
  task->givenBlocks[1] = control;
  if (created != nullptr) *created = handle;
  resumeScheduler();
  return pdPASS;
}

void vTaskDeleteWithCaps(TaskHandle_t handle) {
  vPortAssertIfInISR();
  Task* task = taskOf(handle);
  if (task != currentTask()) {
    deleteWithCaps(task);
    return;
  }
  // A task cannot free its own stack: another task frees it.
  if (xTaskCreatePinnedToCore(runDeleter, "prvTaskDeleteWithCapsTask", configMINIMAL_STACK_SIZE,
                              task, task->priority, nullptr, currentCore()) != pdPASS) {
    ESP_LOGE("freertos_additions", "%s: Failed to create the task to delete the current task",
             __func__);
    abort();
  }
  vTaskSuspend(nullptr);
}

QueueHandle_t xQueueCreateWithCaps(UBaseType_t length, UBaseType_t itemSize, UBaseType_t caps) {
  Memory memory(sizeof(StaticQueue_t), size_t{length} * itemSize, caps);
  if (!memory) return nullptr;
  return xQueueCreateStatic(length, itemSize, memory.bytes(), memory.as<StaticQueue_t>());
}

SemaphoreHandle_t xSemaphoreCreateGenericWithCaps(UBaseType_t maximum, UBaseType_t initial,
                                                  uint8_t type, UBaseType_t caps) {
  auto* memory = static_cast<StaticSemaphore_t*>(heap_caps_malloc(sizeof(StaticSemaphore_t), caps));
  if (memory == nullptr) return nullptr;
  switch (type) {
    case queueQUEUE_TYPE_MUTEX:
      return xSemaphoreCreateMutexStatic(memory);
    case queueQUEUE_TYPE_COUNTING_SEMAPHORE:
      return xSemaphoreCreateCountingStatic(maximum, initial, memory);
    case queueQUEUE_TYPE_BINARY_SEMAPHORE:
      return xSemaphoreCreateBinaryStatic(memory);
    default:
      return xSemaphoreCreateRecursiveMutexStatic(memory);
  }
}

StreamBufferHandle_t xStreamBufferGenericCreateWithCaps(size_t size, size_t triggerLevel,
                                                        BaseType_t isMessageBuffer,
                                                        UBaseType_t caps) {
  Memory memory(sizeof(StaticStreamBuffer_t), size, caps);
  if (!memory) return nullptr;
  return xStreamBufferGenericCreateStatic(size, triggerLevel, isMessageBuffer, memory.bytes(),
                                          memory.as<StaticStreamBuffer_t>(), nullptr, nullptr);
}

EventGroupHandle_t xEventGroupCreateWithCaps(UBaseType_t caps) {
  auto* memory =
      static_cast<StaticEventGroup_t*>(heap_caps_malloc(sizeof(StaticEventGroup_t), caps));
  return memory == nullptr ? nullptr : xEventGroupCreateStatic(memory);
}

}  // extern "C"
