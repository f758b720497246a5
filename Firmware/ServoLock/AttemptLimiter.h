// Slows down pairing attempts that fail.
//
// A passkey that is drawn for one pairing leaves a guess one chance in a million, whatever was
// learnt from the guesses before. Waits of 2, 4, 8, 16 and then 30 seconds keep guesses few: two a
// minute, so that even a lock that nobody owns stands 240 days for an even chance. Longer waits
// would only help a stranger to lock out the owner.
//
// A passkey fixed at build time loses about one bit with every attempt, since the six digits are
// checked bit by bit, and needs ten failures on average. A wait of seconds is no obstacle then:
// from the third failure in a row on the waits are 5, 20, 80 minutes and so on up to a day; ten
// failures take three days, and each needs an open window besides.
//
// An attempt is charged before the passkey is used and refunded when it succeeds, so breaking the
// link or cutting the power in the middle of one gains nothing. A reboot starts the wait anew.
#pragma once

#include <cstdint>

#include "Ports.h"
#include "Timer.h"

class AttemptLimiter {
 public:
  static constexpr uint32_t longestWait = 30 * 1000;
  static constexpr uint32_t longestWaitForFixed = 24 * 60 * 60 * 1000;
  /// The Security Manager gives up 30 s after its last packet; nobody types for longer than this.
  static constexpr uint32_t longestAttempt = 90 * 1000;

  explicit AttemptLimiter(Store& store) : _store(store) {}

  void begin(bool isPasskeyFixed, uint32_t now);
  /// Whether an attempt may begin: none is under way, and the wait is over.
  bool isReady(uint32_t now) const;
  bool isUnderWay() const { return _attempt.isRunning(); }

  void attemptBegins(uint32_t now);
  void attemptFailed(uint32_t now);
  void attemptSucceeded();
  /// True when an attempt that never ended has just been counted as failed.
  bool tick(uint32_t now);

  /// Failures since the last success.
  uint32_t failures() const { return _failures; }
  /// Milliseconds until the wait is over.
  uint32_t remaining(uint32_t now) const { return _wait.remaining(now); }
  /// The wait after so many failures, in milliseconds.
  static uint32_t waitAfter(uint32_t failures, bool isPasskeyFixed);

 private:
  Store& _store;
  bool _isPasskeyFixed = false;
  uint32_t _failures = 0;
  Timer _attempt;
  Timer _wait;
};
