// What the files of Arduino/ know of pins: their levels, and which end light sleep.
#ifndef ESPBENCH_SLEEP_H
#define ESPBENCH_SLEEP_H

#include <cstdint>

namespace espbench {

/// Whether `pin` ends light sleep, and at which level.
void setWakeupPin(unsigned pin, bool wakes, bool level);
/// The level at a pin now.
bool pinLevel(unsigned pin);
/// The mode that pinMode() has set, 0: none.
uint8_t modeOf(unsigned pin);

}  // namespace espbench

#endif
