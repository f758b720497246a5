// ESP-IDF 5 esp_compiler.h: hints for the compiler. As built for arduino-esp32 (for size), they do
// nothing.
#pragma once

#include "sdkconfig.h"

#ifndef likely
#define likely(x) (x)
#endif
#ifndef unlikely
#define unlikely(x) (x)
#endif
