// How the servo moves the bolt: it sweeps, stays until the horn has followed, and is let go.
#pragma once

#include <cstdint>

class BoltMotion {
 public:
  static constexpr int lockedAngle = 0;
  static constexpr int unlockedAngle = 90;
  /// A third of what an SG90 can do (90° in 0.15 s): quiet, and weak USB power does not sag.
  static constexpr uint32_t millisecondsPerDegree = 5;
  static constexpr uint32_t settleMilliseconds = 300;

  /// The bolt is at `angle`, and the servo is not to be touched.
  void restAt(int angle);
  /// Nobody knows where the bolt is: the next move goes straight to its target, since a sweep from
  /// a guessed angle could first move the bolt the other way.
  void restSomewhere();

  /// Begins with the next tick. Also moves to where the bolt is thought to be: it may have been
  /// turned by hand meanwhile.
  void moveTo(int angle);
  void tick(uint32_t now);

  bool isMoving() const { return _phase != Phase::resting; }
  /// Whether the servo is to be driven, to angle(); let go otherwise.
  bool isDriven() const { return isMoving(); }
  /// Where the servo is to be, in degrees.
  int angle() const { return _angle; }
  /// Where the motion ends.
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
