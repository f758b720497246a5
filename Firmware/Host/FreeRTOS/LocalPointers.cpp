// Thread local storage pointers, with the callbacks for the deletion of their task.
#include "Support.h"

using namespace espbench;

namespace {

void callDeleters(void* argument) {
  auto* task = static_cast<Task*>(argument);
  for (int i = 0; i < kLocalPointers; i++) {
    if (task->localDeleters[i] != nullptr) task->localDeleters[i](i, task->localPointers[i]);
  }
}

bool isIndex(BaseType_t index) { return index >= 0 && index < kLocalPointers; }

}  // namespace

extern "C" {

void vTaskSetThreadLocalStoragePointer(TaskHandle_t task, BaseType_t index, void* value) {
  if (isIndex(index)) taskOf(task)->localPointers[index] = value;
}

void* pvTaskGetThreadLocalStoragePointer(TaskHandle_t task, BaseType_t index) {
  return isIndex(index) ? taskOf(task)->localPointers[index] : nullptr;
}

void vTaskSetThreadLocalStoragePointerAndDelCallback(TaskHandle_t handle, BaseType_t index,
                                                     void* value,
                                                     TlsDeleteCallbackFunction_t callback) {
  if (!isIndex(index)) return;
  Task* task = taskOf(handle);
  task->localPointers[index] = value;
  task->localDeleters[index] = callback;
  task->deleted = callDeleters;
}

}  // extern "C"
