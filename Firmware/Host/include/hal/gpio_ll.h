// ESP-IDF 5 hal/gpio_ll.h: the functions that set pins without checks, in C++.
#pragma once

#include "driver/gpio.h"
#include "soc/gpio_struct.h"

#define GPIO_LL_GET_HW(num) (&GPIO)

static inline void gpio_ll_set_level(gpio_dev_t*, uint32_t gpio_num, uint32_t level) {
  const uint32_t bit = 1u << (gpio_num % 32);
  if (gpio_num < 32) {
    REG_WRITE(level ? GPIO_OUT_W1TS_REG : GPIO_OUT_W1TC_REG, bit);
  } else {
    REG_WRITE(level ? GPIO_OUT1_W1TS_REG : GPIO_OUT1_W1TC_REG, bit);
  }
}
static inline int gpio_ll_get_level(gpio_dev_t*, uint32_t gpio_num) {
  return static_cast<int>(REG_READ(gpio_num < 32 ? GPIO_IN_REG : GPIO_IN1_REG) >> (gpio_num % 32) &
                          1);
}
static inline void gpio_ll_output_enable(gpio_dev_t*, uint32_t gpio_num) {
  REG_WRITE(gpio_num < 32 ? GPIO_ENABLE_W1TS_REG : GPIO_ENABLE1_W1TS_REG, 1u << (gpio_num % 32));
}
static inline void gpio_ll_output_disable(gpio_dev_t*, uint32_t gpio_num) {
  REG_WRITE(gpio_num < 32 ? GPIO_ENABLE_W1TC_REG : GPIO_ENABLE1_W1TC_REG, 1u << (gpio_num % 32));
}
static inline void gpio_ll_od_enable(gpio_dev_t* hw, uint32_t gpio_num) {
  hw->pin[gpio_num].pad_driver = 1;
}
static inline void gpio_ll_od_disable(gpio_dev_t* hw, uint32_t gpio_num) {
  hw->pin[gpio_num].pad_driver = 0;
}
static inline void gpio_ll_input_enable(gpio_dev_t*, uint32_t gpio_num) {
  gpio_input_enable(static_cast<gpio_num_t>(gpio_num));
}
static inline void gpio_ll_pullup_en(gpio_dev_t*, uint32_t gpio_num) {
  gpio_pullup_en(static_cast<gpio_num_t>(gpio_num));
}
static inline void gpio_ll_pullup_dis(gpio_dev_t*, uint32_t gpio_num) {
  gpio_pullup_dis(static_cast<gpio_num_t>(gpio_num));
}
static inline void gpio_ll_pulldown_en(gpio_dev_t*, uint32_t gpio_num) {
  gpio_pulldown_en(static_cast<gpio_num_t>(gpio_num));
}
static inline void gpio_ll_pulldown_dis(gpio_dev_t*, uint32_t gpio_num) {
  gpio_pulldown_dis(static_cast<gpio_num_t>(gpio_num));
}
