// ESP-IDF 5 esp_intr_alloc.h: only the flags and the type of handles. Only pins, timers and the
// pulse counter have interrupts.
#pragma once

#include "esp_err.h"

#define ESP_INTR_FLAG_LEVEL1 (1 << 1)
#define ESP_INTR_FLAG_LEVEL2 (1 << 2)
#define ESP_INTR_FLAG_LEVEL3 (1 << 3)
#define ESP_INTR_FLAG_SHARED (1 << 8)
#define ESP_INTR_FLAG_EDGE (1 << 9)
#define ESP_INTR_FLAG_IRAM (1 << 10)
#define ESP_INTR_FLAG_INTRDISABLED (1 << 11)
#define ESP_INTR_FLAG_LOWMED (ESP_INTR_FLAG_LEVEL1 | ESP_INTR_FLAG_LEVEL2 | ESP_INTR_FLAG_LEVEL3)

typedef struct intr_handle_data_t* intr_handle_t;
