// The log messages of ESP-IDF's gpio driver: with arduino-esp32's libraries, errors are printed at
// any CORE_DEBUG_LEVEL.
#ifndef ESPBENCH_GPIO_LOG_H
#define ESPBENCH_GPIO_LOG_H

#include <cstdint>

#include "esp_err.h"

namespace espbench {

/// Prints the error of `function` and returns ESP_ERR_INVALID_ARG. Line numbers are those of gpio.c
/// in ESP-IDF 5 (components/esp_driver_gpio/src, of 2025).
esp_err_t logGPIOError(const char* function, int line, const char* text);
/// Prints the errors of pulls that a pin lacks; the pin gets no pull, and the call succeeds.
void logMissingPull(unsigned pin, uint8_t mode);

}  // namespace espbench

#endif
