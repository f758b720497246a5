// FreeRTOS as ESP-IDF 5.5 has it: 10.5 for two cores. Objects take their memory from the chip's
// heap; without room they are not created (NULL or an error).
#pragma once

// Libraries ask for the names of FreeRTOS' include guards, here and in the other headers:
// NimBLE-Arduino waits by task notifications where it finds this one.
#define INC_FREERTOS_H

#include <stddef.h>
#include <stdint.h>

#include "../esp_attr.h"
#include "../esp_system.h"
#include "FreeRTOSConfig.h"
#include "portmacro.h"
#include "projdefs.h"

#define tskKERNEL_VERSION_NUMBER "V10.5.1"
#define tskKERNEL_VERSION_MAJOR 10
#define tskKERNEL_VERSION_MINOR 5
#define tskKERNEL_VERSION_BUILD 1

#define configASSERT(condition) assert(condition)
#include <assert.h>

// Memory that a sketch gives for an object, of the chip's sizes where pointers have 32 bits. That
// of a task is not used: its control block and stack are the host's.

typedef struct {
  void* words[5];
} StaticList_t;
typedef struct {
  void* words[89];
} StaticTask_t;
typedef struct {
  void* words[23];
} StaticQueue_t;
typedef StaticQueue_t StaticSemaphore_t;
typedef struct {
  void* words[10];
} StaticEventGroup_t;
typedef struct {
  void* words[11];
} StaticTimer_t;
typedef struct {
  void* words[11];
} StaticStreamBuffer_t;
typedef StaticStreamBuffer_t StaticMessageBuffer_t;

// Names of before FreeRTOS 8 (CONFIG_FREERTOS_ENABLE_BACKWARD_COMPATIBILITY)
#define portTICK_RATE_MS portTICK_PERIOD_MS
#define portTickType TickType_t
#define xTaskHandle TaskHandle_t
#define xQueueHandle QueueHandle_t
#define xSemaphoreHandle SemaphoreHandle_t
#define xTimerHandle TimerHandle_t
#define pcTaskGetTaskName pcTaskGetName
#define pcTimerGetTimerName pcTimerGetName
#define pdTASK_CODE TaskFunction_t
