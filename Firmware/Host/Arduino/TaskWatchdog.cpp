// The task watchdog's functions of ESP-IDF, and arduino-esp32's for the loop's task and the idle
// tasks.
#include <Arduino.h>

#include "../FreeRTOS/Support.h"
#include "esp_log.h"
#include "esp_task_wdt.h"

using namespace espbench;

namespace {

constexpr char kTag[] = "task_wdt";
constexpr uint64_t kNanosecondsPerMillisecond = 1000000;

bool isInitialized = true;  // CONFIG_ESP_TASK_WDT_INIT
esp_task_wdt_config_t configuration = {5000, 1, true};
uint32_t idleCores = 1;  ///< mask of cores with a subscribed idle task (configuration or a call)

void apply() {
  configureWatchdog(isInitialized ? configuration.timeout_ms * kNanosecondsPerMillisecond : 0,
                    idleCores, configuration.trigger_panic);
}

/// The bit of an idle task; 0 for any other task.
uint32_t idleBit(const Task* task) {
  for (int core = 0; core < kCores; core++) {
    if (task == idleTask(core)) return 1u << core;
  }
  return 0;
}

bool isSubscribed(const Task* task) {
  return idleBit(task) != 0 ? (idleCores & idleBit(task)) != 0 : task->isWatched;
}

void subscribe(Task* task, bool isWatched) {
  if (uint32_t bit = idleBit(task)) {
    idleCores = isWatched ? idleCores | bit : idleCores & ~bit;
    apply();
  } else {
    watchTask(task, isWatched);
  }
}

esp_err_t failed(esp_err_t error, const char* function, int line, const char* message) {
  esp_log_write(ESP_LOG_ERROR, kTag, "E (%" PRIu32 ") %s: %s(%d): %s\n", esp_log_timestamp(), kTag,
                function, line, message);
  return error;
}

bool isValid(const esp_task_wdt_config_t* config) {
  return config != nullptr && config->idle_core_mask < 1u << kCores;
}

}  // namespace

extern "C" {

esp_err_t esp_task_wdt_init(const esp_task_wdt_config_t* config) {
  if (!isValid(config)) {
    return failed(ESP_ERR_INVALID_ARG, "esp_task_wdt_init", 516, "Invalid arguments");
  }
  if (isInitialized) {
    return failed(ESP_ERR_INVALID_STATE, "esp_task_wdt_init", 517, "TWDT already initialized");
  }
  isInitialized = true;
  configuration = *config;
  idleCores = config->idle_core_mask;
  apply();
  return ESP_OK;
}

esp_err_t esp_task_wdt_reconfigure(const esp_task_wdt_config_t* config) {
  if (!isValid(config)) {
    return failed(ESP_ERR_INVALID_ARG, "esp_task_wdt_reconfigure", 559, "Invalid arguments");
  }
  if (!isInitialized) {
    return failed(ESP_ERR_INVALID_STATE, "esp_task_wdt_reconfigure", 560,
                  "TWDT not initialized yet");
  }
  configuration = *config;
  idleCores = config->idle_core_mask;
  apply();
  return ESP_OK;
}

esp_err_t esp_task_wdt_deinit(void) {
  if (!isInitialized) {
    return failed(ESP_ERR_INVALID_STATE, "esp_task_wdt_deinit", 644, "TWDT was never initialized");
  }
  bool isUsed = (idleCores & ~configuration.idle_core_mask) != 0 || hasWatchedUsers();
  for (const Task* task = allTasks(); task != nullptr; task = task->next) isUsed |= task->isWatched;
  if (isUsed) {
    return failed(ESP_ERR_INVALID_STATE, "esp_task_wdt_deinit", 650,
                  "Tasks/users still subscribed");
  }
  isInitialized = false;
  idleCores = 0;
  apply();
  return ESP_OK;
}

esp_err_t esp_task_wdt_add(TaskHandle_t handle) {
  if (!isInitialized) {
    return failed(ESP_ERR_INVALID_STATE, "esp_task_wdt_add", 671, "TWDT was never initialized");
  }
  Task* task = taskOf(handle);
  if (isSubscribed(task)) {
    return failed(ESP_ERR_INVALID_ARG, "add_entry", 196, "task is already subscribed");
  }
  subscribe(task, true);
  return ESP_OK;
}

esp_err_t esp_task_wdt_reset(void) {
  if (!isInitialized) {
    return failed(ESP_ERR_INVALID_STATE, "esp_task_wdt_reset", 698, "TWDT was never initialized");
  }
  Task* task = currentTask();
  if (!task->isWatched) {
    return failed(ESP_ERR_NOT_FOUND, "esp_task_wdt_reset", 707, "task not found");
  }
  feedWatchdog(task);
  return ESP_OK;
}

esp_err_t esp_task_wdt_delete(TaskHandle_t handle) {
  if (!isInitialized) {
    return failed(ESP_ERR_INVALID_STATE, "esp_task_wdt_delete", 746, "TWDT was never initialized");
  }
  Task* task = taskOf(handle);
  if (!isSubscribed(task)) {
    return failed(ESP_ERR_NOT_FOUND, "delete_entry", 240, "task not found");
  }
  subscribe(task, false);
  return ESP_OK;
}

esp_err_t esp_task_wdt_status(TaskHandle_t handle) {
  if (!isInitialized) {
    return failed(ESP_ERR_INVALID_STATE, "esp_task_wdt_status", 765, "TWDT was never initialized");
  }
  return isSubscribed(taskOf(handle)) ? ESP_OK : ESP_ERR_NOT_FOUND;
}

esp_err_t esp_task_wdt_add_user(const char* name, esp_task_wdt_user_handle_t* handle) {
  constexpr char kFunction[] = "esp_task_wdt_add_user";
  if (name == nullptr || handle == nullptr) {
    return failed(ESP_ERR_INVALID_ARG, kFunction, 685, "Invalid arguments");
  }
  if (!isInitialized) {
    return failed(ESP_ERR_INVALID_STATE, kFunction, 686, "TWDT was never initialized");
  }
  auto* user = static_cast<WatchedUser*>(calloc(1, sizeof(WatchedUser)));
  if (user == nullptr) return ESP_ERR_NO_MEM;
  user->name = name;
  watchUser(user);
  *handle = reinterpret_cast<esp_task_wdt_user_handle_t>(user);
  return ESP_OK;
}

esp_err_t esp_task_wdt_reset_user(esp_task_wdt_user_handle_t handle) {
  constexpr char kFunction[] = "esp_task_wdt_reset_user";
  if (handle == nullptr) return failed(ESP_ERR_INVALID_ARG, kFunction, 722, "Invalid arguments");
  if (!isInitialized) {
    return failed(ESP_ERR_INVALID_STATE, kFunction, 723, "TWDT was never initialized");
  }
  if (!feedUser(reinterpret_cast<WatchedUser*>(handle))) {
    return failed(ESP_ERR_NOT_FOUND, kFunction, 731, "user handle not found");
  }
  return ESP_OK;
}

esp_err_t esp_task_wdt_delete_user(esp_task_wdt_user_handle_t handle) {
  constexpr char kFunction[] = "esp_task_wdt_delete_user";
  if (handle == nullptr) return failed(ESP_ERR_INVALID_ARG, kFunction, 758, "Invalid arguments");
  if (!isInitialized) {
    return failed(ESP_ERR_INVALID_STATE, kFunction, 759, "TWDT was never initialized");
  }
  auto* user = reinterpret_cast<WatchedUser*>(handle);
  if (!unwatchUser(user)) return failed(ESP_ERR_NOT_FOUND, "delete_entry", 245, "user not found");
  free(user);
  return ESP_OK;
}

// arduino-esp32

void enableLoopWDT(void) {
  if (esp_task_wdt_add(loopTaskHandle) != ESP_OK) {
    log_e("Failed to add loop task to WDT");
  } else {
    loopTaskWDTEnabled = true;
  }
}

void disableLoopWDT(void) {
  if (!loopTaskWDTEnabled) return;
  loopTaskWDTEnabled = false;
  if (esp_task_wdt_delete(loopTaskHandle) != ESP_OK) {
    log_e("Failed to remove loop task from WDT");
  }
}

void feedLoopWDT(void) {
  const esp_err_t error = esp_task_wdt_reset();
  if (error != ESP_OK) log_e("Failed to feed WDT! Error: %d", error);
}

static void enableCoreWDT(int core) {
  if (esp_task_wdt_add(xTaskGetIdleTaskHandleForCore(core)) != ESP_OK) {
    log_e("Failed to add Core %d IDLE task to WDT", core);
  }
}

static bool disableCoreWDT(int core) {
  TaskHandle_t idle = xTaskGetIdleTaskHandleForCore(core);
  if (esp_task_wdt_status(idle) != ESP_OK || esp_task_wdt_delete(idle) != ESP_OK) {
    log_e("Failed to remove Core %d IDLE task from WDT", core);
    return false;
  }
  return true;
}

void enableCore0WDT(void) { enableCoreWDT(0); }
void enableCore1WDT(void) { enableCoreWDT(1); }
bool disableCore0WDT(void) { return disableCoreWDT(0); }
bool disableCore1WDT(void) { return disableCoreWDT(1); }

BaseType_t xTaskCreateUniversal(TaskFunction_t code, const char* name, uint32_t stackDepth,
                                void* parameters, UBaseType_t priority, TaskHandle_t* created,
                                BaseType_t core) {
  const bool isCore = core >= 0 && core < kCores;
  return xTaskCreatePinnedToCore(code, name, stackDepth, parameters, priority, created,
                                 isCore ? core : tskNO_AFFINITY);
}

}  // extern "C"
