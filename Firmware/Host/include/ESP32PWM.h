// ESP32Servo 3.x ESP32PWM.h: the channels and timers that servos share on an ESP32.
#pragma once

#include "Arduino.h"

#define NUM_PWM 16

class ESP32PWM {
 public:
  /// After the first call, only timers (0 to 3) allocated with this function are used.
  static void allocateTimer(int timerNumber);
  /// True if a pin supports PWM: 2, 4, 5, 12-19, 21-23, 25-27, 32, 33.
  static bool hasPwm(int pin);
  static int channelsRemaining();
};
