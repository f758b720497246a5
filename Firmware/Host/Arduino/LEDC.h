// The channels and timers of the LEDC peripheral, which PWM (esp32-hal-ledc.h) and servos share.
#ifndef ESPBENCH_LEDC_H
#define ESPBENCH_LEDC_H

#include <cstdint>

namespace espbench {

constexpr unsigned kLEDCChannels = 16;

/// The signal of a channel.
struct LEDCSignal {
  uint64_t millihertz = 0;
  uint32_t duty = 0;
  uint32_t bits = 0;
};
LEDCSignal signalOf(unsigned channel);
/// Sets the duty of a channel, which it keeps when no pin is attached.
void setDuty(unsigned channel, uint32_t duty);
/// Tells the board the signals of the pins of a channel, as far as they are new.
void tellPWM(unsigned channel);

/// Attaches a pin as ledcAttachChannel() does, but the board gets no CFC_PWM of it. False: the
/// channel's group has no timer for the frequency, and the pin gets no signal.
bool attachServo(unsigned channel, uint32_t frequency, uint32_t bits);
void detachServo(unsigned channel);
/// True if the channel runs with the frequency of another user.
bool isSharedByServo(unsigned channel);

/// The channel of a pin; -1: the pin has no PWM.
int channelOfPin(unsigned pin);
/// The duty for ledcWrite(): with all bits set, the pin is always on.
uint32_t fullDuty(uint32_t duty, uint32_t bits);
/// The resolution with which a pin was attached.
uint32_t bitsOfPin(unsigned pin);
/// Waits for the end of a channel's fade, as the driver does before it changes the duty.
void awaitFade(unsigned channel);

}  // namespace espbench

#endif
