// The motion of the bolt: the servo sweeps, holds until the horn has followed, and is detached.
#pragma once

#include <cstdint>

class BoltMotion {
 public:
  static constexpr int lockedAngle = 0;
  static constexpr int unlockedAngle = 90;
  /// A third of an SG90's speed (90° in 0.15 s): quiet, and without a voltage drop on weak USB
  /// power.
  static constexpr uint32_t millisecondsPerDegree = 5;
  static constexpr uint32_t settleMilliseconds = 300;

  /// The bolt is at `angle`; the servo stays detached.
  void setPosition(int angle);
  /// The position is unknown: the next move goes directly to its target, since a sweep from a
  /// guessed angle could first move the bolt the wrong way.
  void setPositionUnknown();

  /// Begins with the next tick. Also moves to the current angle: the bolt may have been turned by
  /// hand.
  void moveTo(int angle);
  void tick(uint32_t now);

  bool isMoving() const { return _phase != Phase::resting; }
  /// True if the servo is driven, to angle(); otherwise detached.
  bool isDriven() const { return isMoving(); }
  /// The current angle of the servo, in degrees.
  int angle() const { return _angle; }
  /// The angle at the end of the motion.
  int target() const { return _target; }

 private:
  enum class Phase : uint8_t { resting, starting, sweeping, settling };

  Phase _phase = Phase::resting;
  bool _isKnown = false;
  int _angle = lockedAngle;
  int _from = lockedAngle;
  int _target = lockedAngle;
  uint32_t _start = 0;
  uint32_t _settleTime = settleMilliseconds;
};
