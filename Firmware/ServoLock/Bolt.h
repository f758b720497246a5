// The bolt: its motion, and its state, which is stored over power losses.
#pragma once

#include <cstdint>

#include "BoltMotion.h"
#include "LockCommand.h"
#include "Ports.h"
#include "Timer.h"

enum class BoltState : uint8_t { locked = 0, unlocked = 1, moving = 2 };

class Bolt {
 public:
  static constexpr uint32_t longestRelockSeconds = 24 * 60 * 60;

  Bolt(Store& store, Console& console) : _store(store), _console(console) {}

  /// Loads the stored state. Nothing moves.
  void begin(uint32_t now);
  /// The bolt moves from the next tick on.
  void command(LockCommand command);
  void tick(uint32_t now);

  /// Locks automatically this many seconds after it was unlocked; 0: never. Stored over reboots.
  /// False for more than longestRelockSeconds.
  bool setRelock(uint32_t seconds, uint32_t now);

  BoltState state() const { return _state; }
  /// "locked", "unlocked", "moving".
  const char* stateText() const;
  /// '0' or '1': the state in which the bolt last came to rest.
  char payload() const { return _isSettledLocked ? '0' : '1'; }
  const BoltMotion& motion() const { return _motion; }

  /// True once after each change, and after each command.
  bool consumeReport();

 private:
  void settle();
  void setState(BoltState state);
  void armRelock(uint32_t now);

  Store& _store;
  Console& _console;
  BoltMotion _motion;
  BoltState _state = BoltState::locked;
  bool _isSettledLocked = true;
  bool _isReportDue = false;
  uint32_t _relockSeconds = 0;
  Timer _relock;
};
