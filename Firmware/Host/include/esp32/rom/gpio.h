// The functions of the ESP32's ROM for pins.
#pragma once

#include "../../rom/gpio.h"
