// ESP-IDF's additions to FreeRTOS: they are in the headers of FreeRTOS itself.
#pragma once

#include "FreeRTOS.h"
#include "task.h"
