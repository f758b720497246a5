// Drives the servo according to a motion.
#pragma once

#include <ESP32Servo.h>

#include "BoltMotion.h"
#include "Configuration.h"

class ServoDriver {
 public:
  void follow(const BoltMotion& motion) {
    if (!motion.isDriven()) {
      // Detached: no noise, and the bolt can be turned by hand.
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
