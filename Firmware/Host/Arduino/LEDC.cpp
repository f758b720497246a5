// PWM as in arduino-esp32 3.3 (esp32-hal-ledc.c) with ESP-IDF's driver: which channel and timer a
// pin gets, the frequencies that a timer can have, and the messages.
#include "LEDC.h"

#include <algorithm>

#include "Pins.h"
#include "esp32-hal-ledc.h"

using espbench::kLEDCChannels;
using espbench::PinUse;

namespace {

constexpr unsigned kGroups = 2, kTimersOfGroup = 4, kChannelsOfGroup = 8;
constexpr uint32_t kMaximumBits = 20;
/// The timers' clocks, the faster first, and their dividers in units of 1/256.
constexpr uint32_t kClocks[] = {80000000, 1000000};
constexpr uint64_t kMinimumDivider = 256, kMaximumDivider = 0x3ffff;

struct Timer {
  uint32_t clock;
  uint32_t divider;
  uint32_t bits;
};
Timer timers[kGroups][kTimersOfGroup];

struct Channel {
  unsigned timer;
  uint32_t duty;
};
Channel channels[kLEDCChannels];

/// A user of a channel: a pin, or behind the pins a channel's servo.
struct User {
  bool isAttached;
  bool isInverted;
  uint8_t channel;
  uint8_t timer;
  uint8_t bits;  ///< as it was attached
  uint32_t frequency;
  cfc_pwm sent;
};
User users[espbench::kPins + kLEDCChannels];

unsigned groupOf(unsigned channel) { return channel / kChannelsOfGroup; }
Timer& timerOf(unsigned channel) { return timers[groupOf(channel)][channels[channel].timer]; }

User* userOf(unsigned pin) { return espbench::useOf(pin) == PinUse::ledc ? &users[pin] : nullptr; }

bool isUsed(unsigned channel) {
  return std::any_of(std::begin(users), std::end(users), [channel](const User& user) {
    return user.isAttached && user.channel == channel;
  });
}

void tell(unsigned pin) {
  if (!espbench::hasOutput(pin)) return;
  User& user = users[pin];
  const espbench::LEDCSignal signal = espbench::signalOf(user.channel);
  const uint32_t full = 1u << signal.bits;
  uint32_t duty = std::min(signal.duty, full);
  if (user.isInverted) duty = full - duty;
  cfc_pwm message = {pin, user.isAttached, signal.millihertz, duty, signal.bits};
  if (!user.isAttached) message = {pin, 0, 0, 0, 0};
  if (memcmp(&message, &user.sent, sizeof message) == 0) return;
  user.sent = message;
  espbench::send(CFC_PWM, &message, sizeof message);
}

/// ESP-IDF's ledc_timer_config(); false, with its message, for a frequency that no clock gives.
bool configure(Timer& timer, uint32_t frequency, uint32_t bits) {
  const uint64_t counts = static_cast<uint64_t>(frequency) << bits;
  for (const uint32_t clock : kClocks) {
    const uint64_t divider = ((static_cast<uint64_t>(clock) << 8) + counts / 2) / counts;
    if (divider < kMinimumDivider || divider > kMaximumDivider) continue;
    timer = {clock, static_cast<uint32_t>(divider), bits};
    return true;
  }
  esp_log_write(ESP_LOG_ERROR, "ledc",
                "E (%" PRIu32
                ") ledc: requested frequency %u and duty resolution %u can not be achieved, try "
                "reducing freq_hz or duty_resolution. div_param=0\n",
                esp_log_timestamp(), frequency, bits);
  return false;
}

/// The timer of a group for a frequency and resolution: one that has them, or a free one; -1: none.
int findTimer(unsigned group, uint32_t frequency, uint32_t bits, bool& isNew) {
  unsigned taken = 0;
  isNew = false;
  for (const User& user : users) {
    if (!user.isAttached || groupOf(user.channel) != group) continue;
    if (user.frequency == frequency && user.bits == bits) return user.timer;
    taken |= 1u << user.timer;
  }
  isNew = true;
  for (unsigned timer = 0; timer < kTimersOfGroup; timer++) {
    if ((taken >> timer & 1) == 0) return static_cast<int>(timer);
  }
  log_e("No free timers available");
  return -1;
}

/// Attaches a user to a channel; the channel keeps its timer if it has another user.
bool attach(User& user, unsigned channel, uint32_t frequency, uint32_t bits) {
  if (isUsed(channel)) {
    bits = timerOf(channel).bits;
  } else {
    bool isNew;
    const int timer = findTimer(groupOf(channel), frequency, bits, isNew);
    if (timer < 0) return false;
    if (isNew && !configure(timers[groupOf(channel)][timer], frequency, bits)) {
      log_e("ledc setup failed!");
      return false;
    }
    channels[channel].timer = static_cast<unsigned>(timer);
  }
  user.isAttached = true;
  user.isInverted = false;
  user.channel = static_cast<uint8_t>(channel);
  user.timer = static_cast<uint8_t>(channels[channel].timer);
  user.bits = static_cast<uint8_t>(bits);
  user.frequency = frequency;
  return true;
}

void release(unsigned pin) {
  users[pin].isAttached = false;
  tell(pin);
}

/// Sets the frequency of a pin's timer, and so of all that share it; 0: impossible.
uint32_t change(unsigned pin, uint32_t frequency, uint32_t bits, const char* failure) {
  User& user = users[pin];
  if (!configure(timerOf(user.channel), frequency, bits)) {
    log_e("%s", failure);
    return 0;
  }
  user.bits = static_cast<uint8_t>(bits);
  for (unsigned channel = 0; channel < kLEDCChannels; channel++) {
    if (&timerOf(channel) == &timerOf(user.channel)) espbench::tellPWM(channel);
  }
  return static_cast<uint32_t>((espbench::signalOf(user.channel).millihertz + 500) / 1000);
}

bool isPossible(uint8_t pin, uint32_t frequency, uint32_t bits) {
  if (frequency == 0) {
    log_e("LEDC pin %u - frequency can't be zero.", pin);
    return false;
  }
  if (bits == 0 || bits > kMaximumBits) {
    log_e("LEDC pin %u - resolution is zero or it is too big (maximum %u)", pin, kMaximumBits);
    return false;
  }
  return true;
}

uint8_t analogResolution = 8;
uint32_t analogFrequency = 1000;

}  // namespace

namespace espbench {

LEDCSignal signalOf(unsigned channel) {
  const Timer& timer = timerOf(channel);
  LEDCSignal signal;
  signal.bits = timer.bits;
  signal.duty = channels[channel].duty;
  if (timer.divider != 0) {
    const uint64_t counts = static_cast<uint64_t>(timer.divider) << timer.bits;
    signal.millihertz = ((static_cast<uint64_t>(timer.clock) << 8) * 1000 + counts / 2) / counts;
  }
  return signal;
}

void setDuty(unsigned channel, uint32_t duty) { channels[channel].duty = duty; }

void tellPWM(unsigned channel) {
  for (unsigned pin = 0; pin < kPins; pin++) {
    if (users[pin].isAttached && users[pin].channel == channel) tell(pin);
  }
}

bool attachServo(unsigned channel, uint32_t frequency, uint32_t bits) {
  return attach(users[kPins + channel], channel, frequency, bits);
}

void detachServo(unsigned channel) { users[kPins + channel].isAttached = false; }

bool isSharedByServo(unsigned channel) {
  const User& servo = users[kPins + channel];
  return std::any_of(users, users + kPins, [&servo, channel](const User& user) {
    return servo.isAttached && user.isAttached && user.channel == channel;
  });
}

int channelOfPin(unsigned pin) {
  const User* user = userOf(pin);
  return user != nullptr ? user->channel : -1;
}

uint32_t bitsOfPin(unsigned pin) { return users[pin].bits; }

uint32_t fullDuty(uint32_t duty, uint32_t bits) {
  const uint32_t highest = (1u << bits) - 1;
  return duty == highest && highest != 1 ? highest + 1 : duty;
}

}  // namespace espbench

extern "C" {

bool ledcAttachChannel(uint8_t pin, uint32_t freq, uint8_t resolution, uint8_t channel) {
  if (channel >= kLEDCChannels) {
    log_e("Channel %u is not available (maximum %u)!", channel, kLEDCChannels);
    return false;
  }
  if (!isPossible(pin, freq, resolution)) return false;
  if (const User* user = userOf(pin)) {
    log_e("Pin %u is already attached to LEDC (channel %u, resolution %u)", pin, user->channel,
          user->bits);
    return false;
  }
  if (!espbench::isPin(pin)) {
    espbench::ignorePin(pin, CFC_IGNORED_NO_PIN);
    log_e("Pin %u is already attached to another bus and failed to detach", pin);
    return false;
  }
  if (!espbench::hasOutput(pin)) espbench::ignorePin(pin, CFC_IGNORED_NO_OUTPUT);
  espbench::usePin(pin, PinUse::none);
  if (!attach(users[pin], channel, freq, resolution)) return false;
  espbench::setRelease(PinUse::ledc, release);
  espbench::usePin(pin, PinUse::ledc);
  tell(pin);
  return true;
}

bool ledcAttach(uint8_t pin, uint32_t freq, uint8_t resolution) {
  auto firstFree = [](unsigned from) {
    while (from < kLEDCChannels && isUsed(from)) from++;
    return from;
  };
  const unsigned channel = firstFree(0);
  if (channel == kLEDCChannels) {
    log_e("No more LEDC channels available! (maximum is %u channels)", kLEDCChannels);
    return false;
  }
  if (ledcAttachChannel(pin, freq, resolution, static_cast<uint8_t>(channel))) return true;
  if (groupOf(channel) == 0) {
    const unsigned other = firstFree(kChannelsOfGroup);
    if (other < kLEDCChannels &&
        ledcAttachChannel(pin, freq, resolution, static_cast<uint8_t>(other))) {
      return true;
    }
  }
  log_e(
      "No free timers available for freq=%u, resolution=%u. To attach a new channel, use the same "
      "frequency and resolution as an already attached channel to share its timer.",
      freq, resolution);
  return false;
}

bool ledcDetach(uint8_t pin) {
  if (userOf(pin) == nullptr) {
    log_e("pin %u is not attached to LEDC", pin);
    return false;
  }
  espbench::usePin(pin, PinUse::none);
  return true;
}

bool ledcWrite(uint8_t pin, uint32_t duty) {
  const User* user = userOf(pin);
  if (user == nullptr) return false;
  espbench::awaitFade(user->channel);
  espbench::setDuty(user->channel, espbench::fullDuty(duty, user->bits));
  espbench::tellPWM(user->channel);
  return true;
}

bool ledcWriteChannel(uint8_t channel, uint32_t duty) {
  if (channel >= kLEDCChannels || !isUsed(channel)) {
    log_e("Channel %u is not available (maximum %u) or not used!", channel, kLEDCChannels);
    return false;
  }
  espbench::awaitFade(channel);
  espbench::setDuty(channel, espbench::fullDuty(duty, timerOf(channel).bits));
  espbench::tellPWM(channel);
  return true;
}

uint32_t ledcRead(uint8_t pin) {
  const User* user = userOf(pin);
  return user != nullptr ? channels[user->channel].duty : 0;
}

uint32_t ledcReadFreq(uint8_t pin) {
  const User* user = userOf(pin);
  if (user == nullptr || channels[user->channel].duty == 0) return 0;
  return static_cast<uint32_t>((espbench::signalOf(user->channel).millihertz + 500) / 1000);
}

uint32_t ledcWriteTone(uint8_t pin, uint32_t freq) {
  constexpr uint32_t kBits = 10, kHalf = 0x1ff;
  if (userOf(pin) == nullptr) return 0;
  if (freq == 0) {
    ledcWrite(pin, 0);
    return 0;
  }
  const uint32_t real = change(pin, freq, kBits, "ledcWriteTone configuration failed!");
  if (real != 0) ledcWrite(pin, kHalf);
  return real;
}

uint32_t ledcWriteNote(uint8_t pin, note_t note, uint8_t octave) {
  constexpr uint32_t kHighest[] = {4186, 4435, 4699, 4978, 5274, 5588,
                                   5920, 6272, 6645, 7040, 7459, 7902};
  if (octave > 8 || note >= NOTE_MAX) return 0;
  return ledcWriteTone(pin, kHighest[note] >> (8 - octave));
}

uint32_t ledcChangeFrequency(uint8_t pin, uint32_t freq, uint8_t resolution) {
  if (userOf(pin) == nullptr || !isPossible(pin, freq, resolution)) return 0;
  return change(pin, freq, resolution, "ledcChangeFrequency failed!");
}

bool ledcOutputInvert(uint8_t pin, bool out_invert) {
  User* user = userOf(pin);
  if (user == nullptr) return false;
  user->isInverted = out_invert;
  tell(pin);
  return true;
}

void analogWrite(uint8_t pin, int value) {
  if (pin >= espbench::kPins) return;
  if (userOf(pin) == nullptr && !ledcAttach(pin, analogFrequency, analogResolution)) {
    log_e(
        "analogWrite setup failed (freq = %u, resolution = %u). Try setting different resolution "
        "or frequency",
        analogFrequency, analogResolution);
    return;
  }
  ledcWrite(pin, static_cast<uint32_t>(value));
}

void analogWriteFrequency(uint8_t pin, uint32_t freq) {
  if (userOf(pin) != nullptr && ledcChangeFrequency(pin, freq, analogResolution) == 0) {
    log_e(
        "analogWrite frequency cant be set due to selected resolution! Try to adjust resolution "
        "first");
    return;
  }
  analogFrequency = freq;
}

void analogWriteResolution(uint8_t pin, uint8_t resolution) {
  if (userOf(pin) != nullptr && ledcChangeFrequency(pin, analogFrequency, resolution) == 0) {
    log_e(
        "analogWrite resolution cant be set due to selected frequency! Try to adjust frequency "
        "first");
    return;
  }
  analogResolution = resolution;
}

}  // extern "C"
