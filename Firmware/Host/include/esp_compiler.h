// ESP-IDF 5 esp_compiler.h: hints for the compiler. They have no effect, as in arduino-esp32, which
// is optimised for size.
#pragma once

#include "sdkconfig.h"

#ifndef likely
#define likely(x) (x)
#endif
#ifndef unlikely
#define unlikely(x) (x)
#endif
