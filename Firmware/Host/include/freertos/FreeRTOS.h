// FreeRTOS as in ESP-IDF 5.5: version 10.5 for two cores. Objects use memory of the chip's heap;
// without room, they are not created (NULL or an error).
#pragma once

// Libraries check the include guards of FreeRTOS, of this and the other headers: NimBLE-Arduino
// waits with task notifications if this one is defined.
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

// Memory that a sketch provides for an object; if pointers have 32 bits, the sizes are the chip's.
// Memory for a task is not used: the host allocates its control block and stack.

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

// Names from before FreeRTOS 8 (CONFIG_FREERTOS_ENABLE_BACKWARD_COMPATIBILITY)
#define portTICK_RATE_MS portTICK_PERIOD_MS
#define portTickType TickType_t
#define xTaskHandle TaskHandle_t
#define xQueueHandle QueueHandle_t
#define xSemaphoreHandle SemaphoreHandle_t
#define xTimerHandle TimerHandle_t
#define pcTaskGetTaskName pcTaskGetName
#define pcTimerGetTimerName pcTimerGetName
#define pdTASK_CODE TaskFunction_t
