// ESP-IDF 5 esp_attr.h: placement of code and data. Here all memory is the same.
#pragma once

#define IRAM_ATTR
#define DRAM_ATTR
#define DMA_ATTR
#define RTC_DATA_ATTR
#define RTC_NOINIT_ATTR
