#include "AttemptLimiter.h"

#include <algorithm>

static const char* kFailuresKey = "failures";
static const uint32_t kFirstWait = 2 * 1000;
static const uint32_t kFirstLock = 5 * 60 * 1000;
/// With a fixed passkey: the number of failures from which the waits are lock-outs.
static const uint32_t kFailuresToLock = 3;
/// Limits the counter, which needs no higher values.
static const uint32_t kMostFailures = 99;

uint32_t AttemptLimiter::waitAfter(uint32_t failures, bool isPasskeyFixed) {
  if (failures == 0) return 0;
  if (!isPasskeyFixed)
    return std::min(kFirstWait << std::min<uint32_t>(failures - 1, 4), longestWait);
  if (failures < kFailuresToLock) return kFirstWait << (failures - 1);
  const uint32_t fourfolds = std::min<uint32_t>(failures - kFailuresToLock, 5);
  return std::min(kFirstLock << (2 * fourfolds), longestWaitForFixed);
}

void AttemptLimiter::begin(bool isPasskeyFixed, uint32_t now) {
  _isPasskeyFixed = isPasskeyFixed;
  _failures = std::min(_store.number(kFailuresKey, 0), kMostFailures);
  if (_failures > 0) _wait.start(now, waitAfter(_failures, _isPasskeyFixed));
}

bool AttemptLimiter::isReady(uint32_t now) const {
  return !isRunning() && (!_wait.isRunning() || _wait.isDue(now));
}

void AttemptLimiter::attemptStarted(uint32_t now) {
  _failures = std::min(_failures + 1, kMostFailures);
  _store.setNumber(kFailuresKey, _failures);
  _wait.stop();
  _attempt.start(now, longestAttempt);
}

void AttemptLimiter::attemptFailed(uint32_t now) {
  _attempt.stop();
  _wait.start(now, waitAfter(_failures, _isPasskeyFixed));
}

void AttemptLimiter::attemptSucceeded() {
  _attempt.stop();
  _wait.stop();
  _failures = 0;
  _store.setNumber(kFailuresKey, 0);
}

bool AttemptLimiter::tick(uint32_t now) {
  // An expired wait must not restart when the clock wraps around.
  if (_wait.isDue(now)) _wait.stop();
  if (!_attempt.isDue(now)) return false;
  attemptFailed(now);
  return true;
}
