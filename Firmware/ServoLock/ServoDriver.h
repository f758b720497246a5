// Drives the servo as a motion says.
#pragma once

#include <ESP32Servo.h>

#include "BoltMotion.h"
#include "Configuration.h"

class ServoDriver {
 public:
  void follow(const BoltMotion& motion) {
    if (!motion.isDriven()) {
      // Let go: it hums no more, and the bolt can be turned by hand.
      if (_servo.attached()) _servo.detach();
      _angle = kNone;
      return;
    }
    if (!_servo.attached()) _servo.attach(kServoPin, kShortestPulse, kLongestPulse);
    if (motion.angle() == _angle) return;
    _angle = motion.angle();
    _servo.write(_angle);
  }

 private:
  static constexpr int kNone = -1;

  Servo _servo;
  int _angle = kNone;
};
