// Pins for the files of Arduino/: their levels, and their use as wake-up sources of light sleep.
#ifndef ESPBENCH_SLEEP_H
#define ESPBENCH_SLEEP_H

#include <cstdint>

namespace espbench {

/// Sets whether `pin` ends light sleep, and at which level.
void setWakeupPin(unsigned pin, bool wakes, bool level);
/// The level at a pin now.
bool pinLevel(unsigned pin);
/// The output of the pin's input buffer: LOW unless the buffer is on.
bool readPin(unsigned pin);
/// The mode of a pin, in the bits of pinMode(): input on, output driven, pulls on.
uint8_t modeOf(unsigned pin);
/// Sets the mode, as far as the pin has an output and pulls. Pins of the flash end the firmware.
void configurePin(unsigned pin, uint8_t mode);
/// Sets the level that a pin has while it is driven.
void setOutput(unsigned pin, bool level);
/// The same, also for a pin that is not driven yet.
void prepareOutput(unsigned pin, bool level);
/// Holds mode and level of a pin; later changes take effect when the hold ends.
void holdPin(unsigned pin, bool isHeld);
/// The use of a pin, as arduino-esp32's peripheral manager knows it.
enum class PinUse : uint8_t { none, gpio, ledc, adc, continuousADC, dac, touch, bus };
PinUse useOf(unsigned pin);
/// Sets the use of a pin; what used it before releases it.
void usePin(unsigned pin, PinUse use);
/// Sets the function that is called when a pin has lost a use.
void setRelease(PinUse use, void (*release)(unsigned pin));
/// Tells the board that a call had no effect: CFC_IGNORED_...
void ignorePin(unsigned pin, unsigned reason);
/// True if the chip has the pin (SOC_GPIO_VALID_GPIO_MASK of the ESP32).
inline bool isPin(unsigned pin) { return pin < 40 && pin != 24 && (pin < 28 || pin > 31); }
/// The pins of a module's flash, from which the chip reads its code.
inline bool isOfFlash(unsigned pin) { return pin >= 6 && pin <= 11; }
/// True if the pin can be driven, and has pulls.
inline bool hasOutput(unsigned pin) { return isPin(pin) && pin < 34; }

}  // namespace espbench

#endif
