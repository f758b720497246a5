#include "BoltMotion.h"

#include <cstdlib>

/// The duration of the full sweep.
static const uint32_t kFullSweep =
    (BoltMotion::unlockedAngle - BoltMotion::lockedAngle) * BoltMotion::millisecondsPerDegree;

void BoltMotion::setPosition(int angle) {
  _phase = Phase::resting;
  _isKnown = true;
  _angle = _from = _target = angle;
}

void BoltMotion::setPositionUnknown() {
  _phase = Phase::resting;
  _isKnown = false;
}

void BoltMotion::moveTo(int angle) {
  if (isMoving() && angle == _target) return;
  _settleTime = _isKnown ? settleMilliseconds : kFullSweep + settleMilliseconds;
  if (!_isKnown) _angle = angle;
  _isKnown = true;
  _from = _angle;
  _target = angle;
  _phase = Phase::starting;
}

void BoltMotion::tick(uint32_t now) {
  if (_phase == Phase::starting) {
    _phase = Phase::sweeping;
    _start = now;
  }
  if (_phase == Phase::sweeping) {
    const uint32_t distance = static_cast<uint32_t>(abs(_target - _from));
    const uint32_t travelled = (now - _start) / millisecondsPerDegree;
    if (travelled < distance) {
      const int step = static_cast<int>(travelled);
      _angle = _target > _from ? _from + step : _from - step;
      return;
    }
    _angle = _target;
    _phase = Phase::settling;
    _start = now;
  }
  if (_phase == Phase::settling && now - _start >= _settleTime) _phase = Phase::resting;
}
