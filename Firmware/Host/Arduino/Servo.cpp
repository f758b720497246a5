#include "../Runtime/Runtime.h"
#include "ESP32Servo.h"
#include "LEDC.h"

// Channels and timers: channel c runs on timer (c / 2) % 4; servos of one frequency share a timer.

namespace {

constexpr int kTimers = 4;
constexpr int kChannelsOfTimer = 4;

bool namesTimers;
bool isTimerUsable[kTimers];
int timerFrequency[kTimers];
int timerUsers[kTimers];
bool isChannelUsed[NUM_PWM];
/// False: the library has the channel, but the chip has no timer left for it.
bool hasSignal[NUM_PWM];

int channelOf(int timer, int index) { return timer * 2 + index % 2 + index / 2 * 8; }

bool takeChannel(int frequency, int timerWidth, int& timer, int& channel) {
  for (timer = 0; timer < kTimers; timer++) {
    if (namesTimers && !isTimerUsable[timer]) continue;
    if (timerUsers[timer] > 0 && timerFrequency[timer] != frequency) continue;
    for (int index = 0; index < kChannelsOfTimer; index++) {
      channel = channelOf(timer, index);
      if (isChannelUsed[channel]) continue;
      isChannelUsed[channel] = true;
      timerFrequency[timer] = frequency;
      timerUsers[timer]++;
      hasSignal[channel] =
          espbench::attachServo(static_cast<unsigned>(channel), static_cast<uint32_t>(frequency),
                                static_cast<uint32_t>(timerWidth));
      return true;
    }
  }
  return false;
}

}  // namespace

void ESP32PWM::allocateTimer(int timerNumber) {
  if (timerNumber < 0 || timerNumber >= kTimers) return;
  namesTimers = true;
  isTimerUsable[timerNumber] = true;
}

bool ESP32PWM::hasPwm(int pin) {
  return pin == 2 || pin == 4 || pin == 5 || (pin >= 12 && pin <= 19) || (pin >= 21 && pin <= 23) ||
         (pin >= 25 && pin <= 27) || pin == 32 || pin == 33;
}

int ESP32PWM::channelsRemaining() {
  int remaining = 0;
  for (bool isUsed : isChannelUsed) remaining += !isUsed;
  return remaining;
}

// Servos

Servo::~Servo() { detach(); }

int Servo::attach(int pin, int minimum, int maximum) {
  if (!ESP32PWM::hasPwm(pin)) {
    log_e("This ESP32 pin can not be a servo: %d", pin);
    return 0;
  }
  if (pinNumber < 0) {
    ticks = 4825;
    timerWidth = DEFAULT_TIMER_WIDTH;
  }
  if (attached() && pin != pinNumber) detach();
  pinNumber = pin;
  min = minimum < MIN_PULSE_WIDTH ? MIN_PULSE_WIDTH : minimum;
  max = maximum > MAX_PULSE_WIDTH ? MAX_PULSE_WIDTH : maximum;
  if (!attached() && !takeChannel(frequency, timerWidth, timer, channel)) {
    log_e("ERROR All PWM timers allocated! Can't accomodate %d Hz", frequency);
    for (;;) {
    }
  }
  tellBoard();
  return channel;
}

void Servo::detach() {
  if (!attached()) return;
  isChannelUsed[channel] = false;
  espbench::detachServo(static_cast<unsigned>(channel));
  timerUsers[timer]--;
  channel = timer = -1;
  tellBoard();
  pinNumber = -1;
}

void Servo::write(int value) {
  if (value < MIN_PULSE_WIDTH) {
    value = map(constrain(value, 0, 180), 0, 180, min, max);
  }
  writeMicroseconds(value);
}

void Servo::writeMicroseconds(int value) { writeTicks(usToTicks(value)); }

void Servo::writeTicks(int value) {
  if (!attached()) return;
  ticks = constrain(value, usToTicks(min), usToTicks(max));
  setDuty(ticks);
}

void Servo::release() {
  if (!attached()) return;
  setDuty(0);
}

int Servo::read() { return map(readMicroseconds(), min, max, 0, 180); }

int Servo::readMicroseconds() { return attached() ? ticksToUs(ticks) : 0; }

void Servo::setTimerWidth(int value) {
  value = constrain(value, MINIMUM_TIMER_WIDTH, MAXIMUM_TIMER_WIDTH);
  // As in the library, the former ticks are invalid until the next write.
  int difference = timerWidth - value;
  if (difference > 0) ticks = difference * ticks;
  if (difference < 0) ticks = ticks / -difference;
  timerWidth = value;
  if (attached()) tellBoard();
}

void Servo::setPeriodHertz(int hertz) {
  if (hertz <= 0) return;
  frequency = hertz;
  setTimerWidth(timerWidth);
}

int Servo::usToTicks(int usec) const {
  return static_cast<int>(usec / (double(REFRESH_USEC) / (1 << timerWidth)) * (frequency / 50.0));
}

int Servo::ticksToUs(int count) const {
  return static_cast<int>(count * (double(REFRESH_USEC) / (1 << timerWidth)) / (frequency / 50.0));
}

void Servo::setDuty(int duty) {
  // The chip keeps the duty of a channel when the pin is detached.
  espbench::setDuty(static_cast<unsigned>(channel), static_cast<uint32_t>(duty));
  espbench::tellPWM(static_cast<unsigned>(channel));
  tellBoard();
}

void Servo::tellBoard() {
  cfc_servo message = {};
  message.pin = static_cast<uint32_t>(pinNumber);
  message.is_attached = attached();
  message.period_ns = static_cast<uint32_t>(1e9 / frequency);
  if (attached() && hasSignal[channel]) {
    const auto number = static_cast<unsigned>(channel);
    const espbench::LEDCSignal signal = espbench::signalOf(number);
    int bits = timerWidth;
    if (espbench::isSharedByServo(number)) {
      // A PWM pin had the channel before: the library does not know of it.
      message.period_ns = static_cast<uint32_t>(1e12 / static_cast<double>(signal.millihertz));
      bits = static_cast<int>(signal.bits);
    }
    message.pulse_ns = static_cast<uint32_t>(double(message.period_ns) * signal.duty / (1 << bits));
  }
  message.minimum_us = static_cast<uint32_t>(min);
  message.maximum_us = static_cast<uint32_t>(max);
  espbench::send(CFC_SERVO, &message, sizeof message);
}
