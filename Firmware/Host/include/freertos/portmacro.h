// FreeRTOS's port to the ESP32: types, critical sections, yielding, memory.
//
// As on the chip, a critical section belongs to a core; a spinlock excludes the other core. An
// interrupt waits for the end of its core's critical section; the interrupt watchdog ends a
// blocking call in one.
#pragma once

#define PORTMACRO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../esp_attr.h"
#include "../esp_heap_caps.h"
#include "FreeRTOSConfig.h"

typedef uint8_t StackType_t;
typedef int BaseType_t;
typedef unsigned int UBaseType_t;
typedef uint32_t TickType_t;

#define portMAX_DELAY ((TickType_t)0xffffffffUL)
#define portTICK_PERIOD_MS ((TickType_t)(1000 / configTICK_RATE_HZ))
#define portSTACK_GROWTH (-1)
#define portBYTE_ALIGNMENT 16
#define portTASK_FUNCTION_PROTO(function, parameters) void function(void* parameters)
#define portTASK_FUNCTION(function, parameters) void function(void* parameters)
#define portNOP()
#define portMEMORY_BARRIER() __asm__ volatile("" ::: "memory")

#ifdef __cplusplus
extern "C" {
#endif

// Critical sections, which nest

typedef struct {
  uint32_t owner;  ///< SPINLOCK_FREE, or the owning core (0xCDCD: core 0, 0xABAB: core 1)
  uint32_t count;  ///< nesting depth of that core
} spinlock_t;
typedef spinlock_t portMUX_TYPE;

#define SPINLOCK_FREE 0xB33FFFFF
#define SPINLOCK_WAIT_FOREVER (-1)
#define SPINLOCK_NO_WAIT 0
#define SPINLOCK_INITIALIZER \
  { SPINLOCK_FREE, 0 }
#define portMUX_INITIALIZER_UNLOCKED SPINLOCK_INITIALIZER
#define portMUX_FREE_VAL SPINLOCK_FREE
#define portMUX_NO_TIMEOUT SPINLOCK_WAIT_FOREVER
#define portMUX_TRY_LOCK SPINLOCK_NO_WAIT
#define portMUX_INITIALIZE(mux) spinlock_initialize(mux)

static inline void spinlock_initialize(spinlock_t* lock) {
  lock->owner = SPINLOCK_FREE;
  lock->count = 0;
}

/// Spins while the other core holds the lock. `timeout`: CPU cycles, or portMUX_NO_TIMEOUT. Returns
/// pdFAIL after the time-out.
BaseType_t xPortEnterCriticalTimeout(portMUX_TYPE* mux, BaseType_t timeout);
void vPortEnterCritical(portMUX_TYPE* mux);
/// Fails an assertion if this core does not hold the lock.
void vPortExitCritical(portMUX_TYPE* mux);

void vPortDisableInterrupts(void);
void vPortEnableInterrupts(void);
UBaseType_t xPortSetInterruptMaskFromISR(void);
void vPortClearInterruptMaskFromISR(UBaseType_t level);

#define portTRY_ENTER_CRITICAL(mux, timeout) xPortEnterCriticalTimeout(mux, timeout)
#define portENTER_CRITICAL(mux) vPortEnterCritical(mux)
#define portEXIT_CRITICAL(mux) vPortExitCritical(mux)
#define portTRY_ENTER_CRITICAL_ISR(mux, timeout) xPortEnterCriticalTimeout(mux, timeout)
#define portENTER_CRITICAL_ISR(mux) vPortEnterCritical(mux)
#define portEXIT_CRITICAL_ISR(mux) vPortExitCritical(mux)
#define portTRY_ENTER_CRITICAL_SAFE(mux, timeout) xPortEnterCriticalTimeout(mux, timeout)
#define portENTER_CRITICAL_SAFE(mux) vPortEnterCritical(mux)
#define portEXIT_CRITICAL_SAFE(mux) vPortExitCritical(mux)
#define portDISABLE_INTERRUPTS() vPortDisableInterrupts()
#define portENABLE_INTERRUPTS() vPortEnableInterrupts()
#define portSET_INTERRUPT_MASK_FROM_ISR() xPortSetInterruptMaskFromISR()
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(level) vPortClearInterruptMaskFromISR(level)

// Interrupts and yielding

BaseType_t xPortInIsrContext(void);
BaseType_t xPortInterruptedFromISRContext(void);
/// Fails an assertion in an interrupt.
void vPortAssertIfInISR(void);
/// Returns false in an interrupt or a critical section.
bool xPortCanYield(void);
void vPortYield(void);
/// A task woken by the interrupt runs at the interrupt's end.
void vPortYieldFromISR(void);

#define portASSERT_IF_IN_ISR() vPortAssertIfInISR()
#define portYIELD() vPortYield()
#define portYIELD_WITHIN_API() vPortYield()

// portYIELD_FROM_ISR() and portYIELD_FROM_ISR(woken)
#define ESPBENCH_YIELD_0() vPortYieldFromISR()
#define ESPBENCH_YIELD_1(woken) \
  do {                          \
    if ((woken) == 1) {         \
      vPortYieldFromISR();      \
    }                           \
  } while (0)
#define ESPBENCH_YIELD_CHOOSE(zero, one, name, ...) name
#define portYIELD_FROM_ISR(...) \
  ESPBENCH_YIELD_CHOOSE(0, ##__VA_ARGS__, ESPBENCH_YIELD_1, ESPBENCH_YIELD_0)(__VA_ARGS__)

// System

/// The core of the caller: 0 or 1.
BaseType_t xPortGetCoreID(void);
#define portGET_CORE_ID() xPortGetCoreID()
uint32_t xPortGetTickRateHz(void);

/// malloc() and free() of the chip's heap.
void* pvPortMalloc(size_t size);
void vPortFree(void* block);
/// The free bytes of the heap now, and their minimum since boot.
size_t xPortGetFreeHeapSize(void);
size_t xPortGetMinimumEverFreeHeapSize(void);

#ifdef __cplusplus
}
#endif
