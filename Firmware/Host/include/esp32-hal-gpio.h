// arduino-esp32 3.x: the functions of pins, which are in esp32-hal.h.
#pragma once

#include "esp32-hal.h"
