// The part of FreeRTOS for sketches without tasks: ticks and critical sections.
#pragma once

#include <stdint.h>

#include "../esp_attr.h"
#include "../esp_system.h"

typedef uint32_t TickType_t;
typedef int BaseType_t;
typedef unsigned int UBaseType_t;
typedef void* TaskHandle_t;

#define configTICK_RATE_HZ 1000
#define portTICK_PERIOD_MS ((TickType_t)(1000 / configTICK_RATE_HZ))
#define portMAX_DELAY ((TickType_t)0xffffffffUL)
#define pdMS_TO_TICKS(ms) ((TickType_t)(ms))
#define pdTICKS_TO_MS(ticks) ((TickType_t)(ticks))
#define pdFALSE ((BaseType_t)0)
#define pdTRUE ((BaseType_t)1)
#define pdFAIL pdFALSE
#define pdPASS pdTRUE

#ifdef __cplusplus
extern "C" {
#endif

// Critical sections, which nest. Between enter and exit neither interrupts nor callbacks run.

typedef struct {
  uint32_t owner;  ///< SPINLOCK_FREE while it is not held
  uint32_t count;  ///< how often it has been entered
} spinlock_t;
typedef spinlock_t portMUX_TYPE;

#define SPINLOCK_FREE 0xB33FFFFF
#define SPINLOCK_INITIALIZER \
  { SPINLOCK_FREE, 0 }
#define portMUX_INITIALIZER_UNLOCKED SPINLOCK_INITIALIZER
#define portMUX_INITIALIZE(mux) spinlock_initialize(mux)

static inline void spinlock_initialize(spinlock_t* lock) {
  lock->owner = SPINLOCK_FREE;
  lock->count = 0;
}

void vPortEnterCritical(portMUX_TYPE* mux);
/// Aborts if the section has not been entered.
void vPortExitCritical(portMUX_TYPE* mux);
void portDISABLE_INTERRUPTS(void);
void portENABLE_INTERRUPTS(void);

#define portENTER_CRITICAL(mux) vPortEnterCritical(mux)
#define portEXIT_CRITICAL(mux) vPortExitCritical(mux)
#define portENTER_CRITICAL_ISR(mux) vPortEnterCritical(mux)
#define portEXIT_CRITICAL_ISR(mux) vPortExitCritical(mux)
#define portENTER_CRITICAL_SAFE(mux) vPortEnterCritical(mux)
#define portEXIT_CRITICAL_SAFE(mux) vPortExitCritical(mux)
#define taskENTER_CRITICAL(mux) vPortEnterCritical(mux)
#define taskEXIT_CRITICAL(mux) vPortExitCritical(mux)
#define taskENTER_CRITICAL_ISR(mux) vPortEnterCritical(mux)
#define taskEXIT_CRITICAL_ISR(mux) vPortExitCritical(mux)

#ifdef __cplusplus
}
#endif
