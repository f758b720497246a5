#include "Bolt.h"

static const char* kStateKey = "state";
static const char* kRelockKey = "relock";

void Bolt::begin(uint32_t now) {
  // A new lock counts as locked: the horn is mounted in that position.
  const uint32_t stored = _store.number(kStateKey, static_cast<uint32_t>(BoltState::locked));
  _relockSeconds = _store.number(kRelockKey, 0);
  if (_relockSeconds > longestRelockSeconds) _relockSeconds = 0;
  switch (stored) {
    case static_cast<uint32_t>(BoltState::locked):
      _state = BoltState::locked;
      _motion.setPosition(BoltMotion::lockedAngle);
      break;
    case static_cast<uint32_t>(BoltState::unlocked):
      _state = BoltState::unlocked;
      _motion.setPosition(BoltMotion::unlockedAngle);
      break;
    default:
      // There was a power loss during the motion. The door must not be reported as locked.
      _state = BoltState::unlocked;
      _motion.setPositionUnknown();
      _console.line("Bolt stopped halfway - write 0 or 1");
  }
  _isSettledLocked = _state == BoltState::locked;
  _console.line(stateText());
  armRelock(now);
}

void Bolt::command(LockCommand command) {
  if (command == LockCommand::none) return;
  const int target =
      command == LockCommand::lock ? BoltMotion::lockedAngle : BoltMotion::unlockedAngle;
  _relock.stop();
  // Stored before the servo moves: after a power loss from here on the position is unknown.
  if (_state != BoltState::moving) setState(BoltState::moving);
  _motion.moveTo(target);
}

void Bolt::tick(uint32_t now) {
  if (_relock.isDue(now)) {
    _console.line("Relocking");
    command(LockCommand::lock);
  }
  _motion.tick(now);
  if (_state == BoltState::moving && !_motion.isMoving()) {
    settle();
    armRelock(now);
  }
}

bool Bolt::setRelock(uint32_t seconds, uint32_t now) {
  if (seconds > longestRelockSeconds) return false;
  _relockSeconds = seconds;
  _store.setNumber(kRelockKey, seconds);
  armRelock(now);
  return true;
}

const char* Bolt::stateText() const {
  switch (_state) {
    case BoltState::locked:
      return "locked";
    case BoltState::unlocked:
      return "unlocked";
    default:
      return "moving";
  }
}

bool Bolt::consumeReport() {
  const bool isDue = _isReportDue;
  _isReportDue = false;
  return isDue;
}

void Bolt::settle() {
  _isSettledLocked = _motion.angle() == BoltMotion::lockedAngle;
  setState(_isSettledLocked ? BoltState::locked : BoltState::unlocked);
}

void Bolt::setState(BoltState state) {
  _state = state;
  _store.setNumber(kStateKey, static_cast<uint32_t>(state));
  _console.line(stateText());
  _isReportDue = true;
}

/// Also after a power loss, so that relocking is not skipped.
void Bolt::armRelock(uint32_t now) {
  _relock.stop();
  if (_relockSeconds > 0 && _state == BoltState::unlocked) {
    _relock.start(now, _relockSeconds * 1000);
  }
}
