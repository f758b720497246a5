// The log messages of ESP-IDF's gpio driver: with arduino-esp32's libraries errors are printed
// whatever CORE_DEBUG_LEVEL is.
#ifndef ESPBENCH_GPIO_LOG_H
#define ESPBENCH_GPIO_LOG_H

#include <cstdint>

#include "esp_err.h"

namespace espbench {

/// Prints the error of `function` and returns ESP_ERR_INVALID_ARG. Lines are those of gpio.c in
/// ESP-IDF 5 (components/esp_driver_gpio/src, of 2025).
esp_err_t logGPIOError(const char* function, int line, const char* text);
/// Prints the errors of pulls that a pin does not have; it gets none, and the call succeeds.
void logMissingPull(unsigned pin, uint8_t mode);

}  // namespace espbench

#endif
