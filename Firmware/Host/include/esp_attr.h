// ESP-IDF 5 esp_attr.h: placement of code and data. All attributes give the same memory, but memory
// of the RTC_... attributes is kept as on the chip: RTC_DATA_ATTR, RTC_SLOW_ATTR and RTC_FAST_ATTR
// in deep sleep, RTC_NOINIT_ATTR by every reset but power-on, after which its content is arbitrary.
// The chip has 8 KB for RTC_DATA_ATTR, RTC_SLOW_ATTR and RTC_NOINIT_ATTR together, and 8 KB for
// RTC_FAST_ATTR.
#pragma once

#define ROMFN_ATTR
#define IRAM_ATTR
#define FORCE_IRAM_ATTR __attribute__((noinline))
#define DRAM_ATTR
#define NOLOAD_ATTR
#define IRAM_DATA_ATTR
#define IRAM_BSS_ATTR
#define WORD_ALIGNED_ATTR __attribute__((aligned(4)))
#define DMA_ATTR WORD_ALIGNED_ATTR DRAM_ATTR
#define DRAM_DMA_ALIGNED_ATTR WORD_ALIGNED_ATTR DRAM_ATTR
#define PACKED_ATTR __attribute__((packed))
#define FORCE_INLINE_ATTR static inline __attribute__((always_inline))
#define DRAM_STR(str) (str)

#define RTC_DATA_ATTR __attribute__((section("rtc_data")))
#define RTC_SLOW_ATTR __attribute__((section("rtc_slow")))
#define RTC_FAST_ATTR __attribute__((section("rtc_fast")))
#define RTC_NOINIT_ATTR __attribute__((section("rtc_noinit")))
// Constants and code are the same after each start.
#define RTC_RODATA_ATTR
#define RTC_IRAM_ATTR

#define EXT_RAM_BSS_ATTR
#define EXT_RAM_ATTR
#define __NOINIT_ATTR
#define EXT_RAM_NOINIT_ATTR
#define NOINLINE_ATTR __attribute__((noinline))
#define IDF_DEPRECATED(REASON) __attribute__((deprecated(REASON)))
