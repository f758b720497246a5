// The pins that end light sleep.
#ifndef ESPBENCH_SLEEP_H
#define ESPBENCH_SLEEP_H

#include <cstdint>

namespace espbench {

/// Whether `pin` ends light sleep, and at which level.
void setWakeupPin(unsigned pin, bool wakes, bool level);
/// The level at a pin now.
bool pinLevel(unsigned pin);

}  // namespace espbench

#endif
