// ESP-IDF 5 esp_rom_sys.h: functions of the ROM.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Prints to the console. Returns the number of characters.
int esp_rom_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
/// Busy-waits.
void esp_rom_delay_us(uint32_t us);

#ifdef __cplusplus
}
#endif
