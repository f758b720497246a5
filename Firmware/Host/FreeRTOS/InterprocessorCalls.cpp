// Functions called on a core (esp_ipc.h). The tasks are created by the first call, and take nothing
// of the heap: on the chip they are there before the sketch is.
#include "Support.h"
#include "esp_ipc.h"
#include "freertos/semphr.h"
#include "freertos/task.h"
#include "sdkconfig.h"

using namespace espbench;

namespace {

constexpr unsigned kPriority = configMAX_PRIORITIES - 1;

struct Call {
  Task* task;
  esp_ipc_func_t function;
  void* argument;
  bool waitsForEnd;
  SemaphoreHandle_t done;
  StaticSemaphore_t doneMemory;
} calls[kCores];
SemaphoreHandle_t mutex;
StaticSemaphore_t mutexMemory;

void serve(void* argument) {
  Call& call = *static_cast<Call*>(argument);
  for (;;) {
    ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    // The next call may come as soon as this one is acknowledged.
    const Call current = call;
    if (!current.waitsForEnd) xSemaphoreGive(call.done);
    current.function(current.argument);
    if (current.waitsForEnd) xSemaphoreGive(call.done);
  }
}

void prepare() {
  if (mutex != nullptr) return;
  mutex = xSemaphoreCreateMutexStatic(&mutexMemory);
  for (int core = 0; core < kCores; core++) {
    const char name[] = {'i', 'p', 'c', static_cast<char>('0' + core), 0};
    calls[core].done = xSemaphoreCreateBinaryStatic(&calls[core].doneMemory);
    calls[core].task = createTask(serve, name, CONFIG_ESP_IPC_TASK_STACK_SIZE, &calls[core],
                                  kPriority, core, false);
  }
}

esp_err_t run(uint32_t core, esp_ipc_func_t function, void* argument, bool waitsForEnd) {
  if (core >= kCores) return ESP_ERR_INVALID_ARG;
  if (xTaskGetSchedulerState() != taskSCHEDULER_RUNNING) return ESP_ERR_INVALID_STATE;
  prepare();
  xSemaphoreTake(mutex, portMAX_DELAY);
  Call& call = calls[core];
  call.function = function;
  call.argument = argument;
  call.waitsForEnd = waitsForEnd;
  xTaskNotifyGive(handleOf(call.task));
  xSemaphoreTake(call.done, portMAX_DELAY);
  xSemaphoreGive(mutex);
  return ESP_OK;
}

}  // namespace

extern "C" {

esp_err_t esp_ipc_call(uint32_t cpu_id, esp_ipc_func_t func, void* arg) {
  return run(cpu_id, func, arg, false);
}

esp_err_t esp_ipc_call_blocking(uint32_t cpu_id, esp_ipc_func_t func, void* arg) {
  return run(cpu_id, func, arg, true);
}

}  // extern "C"
