// arduino-esp32 3.x: the chip's clocks. The frequency of the CPU changes what these functions
// return and the count of cycles, not how long code takes.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/// 240, 160, 80, 40, 20 or 10; else false.
bool setCpuFrequencyMhz(uint32_t cpu_freq_mhz);
uint32_t getCpuFrequencyMhz(void);
uint32_t getXtalFrequencyMhz(void);
uint32_t getApbFrequency(void);  ///< Hz
#ifdef __cplusplus
}
#endif
