// FreeRTOS's portable.h: the port's functions.
#pragma once

#define PORTABLE_H

#include "FreeRTOS.h"
