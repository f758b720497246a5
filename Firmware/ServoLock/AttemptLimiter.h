// Delays pairing after failed attempts.
//
// A passkey drawn for one pairing gives each guess one chance in a million, independently of
// earlier guesses. Waits of 2, 4, 8, 16 and then 30 seconds limit guesses to two a minute, so that
// even a lock without owners withstands 240 days for a chance of one half. Longer waits would only
// help a stranger to lock out the owner.
//
// A passkey fixed at build time loses about one bit with every attempt, since the six digits are
// checked bit by bit, and is found after ten failures on average. Waits of seconds are not
// sufficient then: from the third consecutive failure on the waits are 5, 20, 80 minutes and so on
// up to a day; ten failures take three days, and each needs an open pairing window.
//
// An attempt is charged before the passkey is used and refunded when it succeeds, so disconnecting
// or a power loss during an attempt gains nothing. A reboot restarts the wait.
#pragma once

#include <cstdint>

#include "Ports.h"
#include "Timer.h"

class AttemptLimiter {
 public:
  static constexpr uint32_t longestWait = 30 * 1000;
  static constexpr uint32_t longestWaitForFixed = 24 * 60 * 60 * 1000;
  /// The Security Manager times out 30 s after its last packet; no user needs longer than this.
  static constexpr uint32_t longestAttempt = 90 * 1000;

  explicit AttemptLimiter(Store& store) : _store(store) {}

  void begin(bool isPasskeyFixed, uint32_t now);
  /// True if an attempt may begin: none is running, and the wait has expired.
  bool isReady(uint32_t now) const;
  bool isRunning() const { return _attempt.isRunning(); }

  void attemptStarted(uint32_t now);
  void attemptFailed(uint32_t now);
  void attemptSucceeded();
  /// True when an unfinished attempt has just been counted as failed.
  bool tick(uint32_t now);

  /// Failures since the last success.
  uint32_t failures() const { return _failures; }
  /// Milliseconds until the end of the wait.
  uint32_t remaining(uint32_t now) const { return _wait.remaining(now); }
  /// The wait after `failures`, in milliseconds.
  static uint32_t waitAfter(uint32_t failures, bool isPasskeyFixed);

 private:
  Store& _store;
  bool _isPasskeyFixed = false;
  uint32_t _failures = 0;
  Timer _attempt;
  Timer _wait;
};
