// arduino-esp32 3.x: the touch pins of the ESP32, T0 to T9.
#pragma once

#include <stdint.h>

typedef uint16_t touch_value_t;

#ifdef __cplusplus
extern "C" {
#endif

/// The number of a pin's touch sensor; -1: none.
int8_t digitalPinToTouchChannel(uint8_t pin);
/// The first call for a pin takes 20 ms.
touch_value_t touchRead(uint8_t pin);
/// `userFunc` is called in an interrupt after each measurement, every 28 ms, below the threshold.
void touchAttachInterrupt(uint8_t pin, void (*userFunc)(void), touch_value_t threshold);
void touchAttachInterruptArg(uint8_t pin, void (*userFunc)(void*), void* arg,
                             touch_value_t threshold);
void touchDetachInterrupt(uint8_t pin);
/// false: measurements above the threshold cause the interrupt.
void touchInterruptSetThresholdDirection(bool mustbeLower);

#ifdef __cplusplus
}
#endif
