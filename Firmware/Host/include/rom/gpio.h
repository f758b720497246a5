// The functions of the ESP32's ROM for pins.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/// Sets levels to 1, to 0, and switches outputs on and off: a bit for each of the pins 0 to 31.
void gpio_output_set(uint32_t set_mask, uint32_t clear_mask, uint32_t enable_mask,
                     uint32_t disable_mask);
/// The same for the pins from 32 on.
void gpio_output_set_high(uint32_t set_mask, uint32_t clear_mask, uint32_t enable_mask,
                          uint32_t disable_mask);
uint32_t gpio_input_get(void);
uint32_t gpio_input_get_high(void);
/// No effect: pins have no other function.
void gpio_pad_select_gpio(uint32_t gpio_num);
void gpio_pad_pullup(uint32_t gpio_num);
void gpio_pad_pulldown(uint32_t gpio_num);
#ifdef __cplusplus
}
#endif
