// FreeRTOS 10.5 projdefs.h: results, and milliseconds in ticks.
#pragma once

#define PROJDEFS_H

#include "FreeRTOSConfig.h"
#include "portmacro.h"

typedef void (*TaskFunction_t)(void*);

#define pdFALSE ((BaseType_t)0)
#define pdTRUE ((BaseType_t)1)
#define pdPASS (pdTRUE)
#define pdFAIL (pdFALSE)
#define errQUEUE_EMPTY ((BaseType_t)0)
#define errQUEUE_FULL ((BaseType_t)0)
#define errCOULD_NOT_ALLOCATE_REQUIRED_MEMORY (-1)
#define errQUEUE_BLOCKED (-4)
#define errQUEUE_YIELD (-5)

/// As on the chip, the product has 32 bits: times of more than 4,294,967 ms wrap.
#define pdMS_TO_TICKS(ms) \
  ((TickType_t)(((TickType_t)(ms) * (TickType_t)configTICK_RATE_HZ) / (TickType_t)1000U))
#define pdTICKS_TO_MS(ticks) ((TickType_t)((uint64_t)(ticks)*1000 / configTICK_RATE_HZ))
