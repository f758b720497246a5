// The peripherals that use pins (arduino-esp32's peripheral manager): a pin belongs to one at a
// time.
#ifndef ESPBENCH_PIN_OWNERS_H
#define ESPBENCH_PIN_OWNERS_H

namespace espbench {

/// Ends the use of a pin by its owner, which releases its other pins, too.
using DetachPin = void (*)(void* owner);

/// Gives a pin to a peripheral; the peripheral that had it is detached first. The pin is no longer
/// Arduino's: digitalWrite() and digitalRead() need pinMode() again, which takes the pin back.
void claimPin(unsigned pin, DetachPin detach, void* owner);
/// Takes a pin from its peripheral, if it has one.
void releasePin(unsigned pin);
/// The owner that claimed the pin with `detach`; nullptr if there is none.
void* ownerOfPin(unsigned pin, DetachPin detach);

}  // namespace espbench

#endif
