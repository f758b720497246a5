// Attributes of the ESP8266's core, which libraries for both chips use.
#pragma once

#include "esp32-hal.h"

#define ICACHE_FLASH_ATTR
#define ICACHE_RAM_ATTR ARDUINO_ISR_ATTR
