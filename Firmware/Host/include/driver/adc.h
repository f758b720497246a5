// ESP-IDF 5 driver/adc.h: there is no converter. Projects include this header without a use, so it
// is empty.
#pragma once
