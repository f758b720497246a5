// ESP-IDF 5 esp_attr.h: where code and data lie. Here memory is all of one kind.
#pragma once

#define IRAM_ATTR
#define DRAM_ATTR
#define DMA_ATTR
#define RTC_DATA_ATTR
#define RTC_NOINIT_ATTR
