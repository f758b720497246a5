// FreeRTOS's portable.h: the port's functions.
#pragma once

#include "FreeRTOS.h"
