// The owner's controls: the button, the console, the passkey; and the limit of attempts.
#include "AttemptLimiter.h"
#include "ButtonGesture.h"
#include "ConsoleCommand.h"
#include "Fakes.h"
#include "Passkey.h"
#include "Testing.h"

using Gesture = ButtonGesture::Gesture;
using Parsed = ConsoleCommand::Parsed;

// Time

TEST(aTimerIsCorrectAcrossTheWrapAround) {
  Timer timer;
  EXPECT(!timer.isDue(0));
  timer.start(UINT32_MAX - 9, 20);
  EXPECT(!timer.isDue(UINT32_MAX));
  EXPECT_EQUAL(timer.remaining(UINT32_MAX), 11u);
  EXPECT(!timer.isDue(9));
  EXPECT(timer.isDue(10));
  EXPECT_EQUAL(timer.remaining(10), 0u);
  timer.stop();
  EXPECT(!timer.isDue(10));
}

// The button

namespace {

/// Holds the button in a state, polling every millisecond; returns the gestures.
struct Finger {
  ButtonGesture button;
  uint32_t now = UINT32_MAX - 1000;
  int shortPresses = 0;
  int longPresses = 0;

  Finger() { hold(false, 100); }
  void hold(bool isDown, uint32_t milliseconds) {
    for (uint32_t i = 0; i < milliseconds; i++) {
      const Gesture gesture = button.tick(isDown, now++);
      shortPresses += gesture == Gesture::shortPress;
      longPresses += gesture == Gesture::longPress;
    }
  }
};

}  // namespace

TEST(aShortPressIsReportedAtItsEnd) {
  Finger finger;
  finger.hold(true, 4000);
  EXPECT_EQUAL(finger.shortPresses, 0);
  finger.hold(false, 100);
  EXPECT_EQUAL(finger.shortPresses, 1);
  EXPECT_EQUAL(finger.longPresses, 0);
}

TEST(aLongPressIsReportedOnceWhileHeld) {
  Finger finger;
  finger.hold(true, 4999);
  EXPECT_EQUAL(finger.longPresses, 0);
  finger.hold(true, 20000);
  EXPECT_EQUAL(finger.longPresses, 1);
  finger.hold(false, 100);
  EXPECT_EQUAL(finger.longPresses, 1);
  EXPECT_EQUAL(finger.shortPresses, 0);
}

TEST(bouncingContactsAreOnePress) {
  Finger finger;
  for (int i = 0; i < 5; i++) {
    finger.hold(true, 3);
    finger.hold(false, 3);
  }
  EXPECT_EQUAL(finger.shortPresses, 0);
  finger.hold(true, 200);
  for (int i = 0; i < 5; i++) {
    finger.hold(false, 3);
    finger.hold(true, 3);
  }
  finger.hold(false, 200);
  EXPECT_EQUAL(finger.shortPresses, 1);
}

TEST(aButtonHeldAtTheStartIsIgnoredUntilReleased) {
  ButtonGesture button;
  int gestures = 0;
  for (uint32_t now = 0; now < 8000; now++) gestures += button.tick(true, now) != Gesture::none;
  for (uint32_t now = 8000; now < 9000; now++) gestures += button.tick(false, now) != Gesture::none;
  EXPECT_EQUAL(gestures, 0);
  for (uint32_t now = 9000; now < 9100; now++) button.tick(true, now);
  for (uint32_t now = 9100; now < 9200; now++) gestures += button.tick(false, now) != Gesture::none;
  EXPECT_EQUAL(gestures, 1);
}

// The console

static Parsed feed(ConsoleCommand& command, const std::string& text) {
  Parsed parsed = Parsed::nothing;
  for (char character : text) parsed = command.feed(character);
  return parsed;
}

TEST(relockParsesItsSeconds) {
  ConsoleCommand command;
  EXPECT(feed(command, "relock 30\r") == Parsed::relock);
  EXPECT_EQUAL(command.seconds(), 30u);
  EXPECT(feed(command, "\nrelock 0\n") == Parsed::relock);
  EXPECT_EQUAL(command.seconds(), 0u);
  EXPECT(feed(command, "relock 999999999\n") == Parsed::relock);
  EXPECT_EQUAL(command.seconds(), 999999999u);
}

TEST(invalidLinesAreUnknownCommands) {
  ConsoleCommand command;
  EXPECT(feed(command, "\r\n\r\n") == Parsed::nothing);
  for (const char* text : {"relock", "relock ", "relock -1", "relock 1 ", "relock 1000000000",
                           "unlock", "Relock 3", "relock 99999999999999999999999999999999"}) {
    EXPECT(feed(command, std::string(text) + "\n") == Parsed::unknown);
  }
  EXPECT(feed(command, std::string(1000, 'x') + "\n") == Parsed::unknown);
  EXPECT(feed(command, "relock 7\n") == Parsed::relock);
  EXPECT_EQUAL(command.seconds(), 7u);
}

// The passkey

namespace {

std::vector<uint32_t> draws;
size_t drawn;
uint32_t drawNext() { return draws[drawn++ % draws.size()]; }

Passkey drawPasskey(std::vector<uint32_t> numbers) {
  draws = numbers;
  drawn = 0;
  Passkey passkey(drawNext);
  passkey.begin(Passkey::none);
  return passkey;
}

}  // namespace

TEST(aPasskeyIsReplacedBeforeItIsUsed) {
  Passkey passkey = drawPasskey({7042137, 8042137, 9000042});
  EXPECT_EQUAL(passkey.value(), 42137u);
  // The second draw is the same again.
  EXPECT_EQUAL(passkey.use(), 42137u);
  EXPECT_EQUAL(passkey.value(), 42u);
  passkey.renew();
  EXPECT_EQUAL(passkey.value(), 42137u);
}

TEST(passkeysAreUniformAndNeverTheOriginal) {
  // Numbers above the last whole million would make small passkeys more likely.
  EXPECT_EQUAL(drawPasskey({4294000000u, UINT32_MAX, 123456, 5123456, 3999999}).value(), 999999u);
}

TEST(aFixedPasskeyIsNotReplaced) {
  Passkey passkey(drawNext);
  passkey.begin(parsePasskey("000042"));
  EXPECT(passkey.isFixed());
  EXPECT_EQUAL(passkey.use(), 42u);
  passkey.renew();
  EXPECT_EQUAL(passkey.use(), 42u);
}

TEST(aDecoyIsNeverThePasskey) {
  Passkey passkey = drawPasskey({77});
  draws = {77, 1000077, 78};
  drawn = 0;
  EXPECT_EQUAL(passkey.decoy(), 78u);
}

TEST(aBuildFlagsPasskeyIsSixDigits) {
  EXPECT_EQUAL(parsePasskey("042137"), 42137u);
  EXPECT_EQUAL(parsePasskey("999999"), 999999u);
  for (const char* text : {"", "12345", "1234567", "12345x", "-12345", "0x1234"}) {
    EXPECT_EQUAL(parsePasskey(text), Passkey::none);
  }
}

// The limiter

static std::vector<uint32_t> secondsAfterFailures(bool isPasskeyFixed) {
  std::vector<uint32_t> seconds;
  for (uint32_t failures = 0; failures <= 9; failures++) {
    seconds.push_back(AttemptLimiter::waitAfter(failures, isPasskeyFixed) / 1000);
  }
  return seconds;
}

TEST(waitsForADrawnPasskeyGrowToHalfAMinute) {
  EXPECT_EQUAL(secondsAfterFailures(false),
               std::vector<uint32_t>{0, 2, 4, 8, 16, 30, 30, 30, 30, 30});
  EXPECT_EQUAL(AttemptLimiter::waitAfter(UINT32_MAX, false), AttemptLimiter::longestWait);
}

TEST(waitsForAFixedPasskeyGrowFromSecondsToADay) {
  EXPECT_EQUAL(secondsAfterFailures(true),
               std::vector<uint32_t>{0, 2, 4, 300, 1200, 4800, 19200, 76800, 86400, 86400});
  EXPECT_EQUAL(AttemptLimiter::waitAfter(UINT32_MAX, true), AttemptLimiter::longestWaitForFixed);
}

TEST(tenFailuresWithAFixedPasskeyTakeThreeDays) {
  uint64_t total = 0;
  for (uint32_t failures = 0; failures < 10; failures++) {
    total += AttemptLimiter::waitAfter(failures, true);
  }
  EXPECT(total > uint64_t{3} * 24 * 60 * 60 * 1000);
}

TEST(oneAttemptAtATimeAndNoneDuringTheWait) {
  FakeStore store;
  AttemptLimiter limiter(store);
  const uint32_t start = UINT32_MAX - 1000;
  limiter.begin(true, start);
  EXPECT(limiter.isReady(start));
  limiter.attemptStarted(start);
  EXPECT(!limiter.isReady(start + 5000));
  limiter.attemptFailed(start + 5000);
  EXPECT(!limiter.isReady(start + 6999));
  EXPECT_EQUAL(limiter.remaining(start + 6999), 1u);
  EXPECT(limiter.isReady(start + 7000));
}

TEST(anAttemptIsChargedBeforeItEnds) {
  FakeStore store;
  {
    AttemptLimiter limiter(store);
    limiter.begin(true, 0);
    limiter.attemptStarted(0);
    EXPECT_EQUAL(store.numbers["failures"], 1u);
  }
  // There was a power loss during it.
  AttemptLimiter limiter(store);
  limiter.begin(true, 0);
  EXPECT_EQUAL(limiter.failures(), 1u);
  EXPECT(!limiter.isReady(1999));
  EXPECT(limiter.isReady(2000));
}

TEST(aRebootRestartsALockOut) {
  FakeStore store;
  store.numbers["failures"] = 4;
  AttemptLimiter limiter(store);
  limiter.begin(true, 100);
  EXPECT(!limiter.isReady(100 + 1199999));
  EXPECT(limiter.isReady(100 + 1200000));
}

TEST(aSuccessResetsTheFailures) {
  FakeStore store;
  store.numbers["failures"] = 2;
  AttemptLimiter limiter(store);
  limiter.begin(true, 0);
  limiter.attemptStarted(4000);
  EXPECT_EQUAL(limiter.failures(), 3u);
  limiter.attemptSucceeded();
  EXPECT(limiter.isReady(4000));
  EXPECT_EQUAL(store.numbers["failures"], 0u);
}

TEST(anUnfinishedAttemptIsAFailure) {
  FakeStore store;
  AttemptLimiter limiter(store);
  limiter.begin(true, 0);
  limiter.attemptStarted(0);
  EXPECT(!limiter.tick(AttemptLimiter::longestAttempt - 1));
  EXPECT(limiter.tick(AttemptLimiter::longestAttempt));
  EXPECT(!limiter.isRunning());
  EXPECT(!limiter.isReady(AttemptLimiter::longestAttempt + 1999));
  EXPECT(limiter.isReady(AttemptLimiter::longestAttempt + 2000));
}

TEST(anExpiredWaitStaysExpired) {
  FakeStore store;
  store.numbers["failures"] = 1;
  AttemptLimiter limiter(store);
  limiter.begin(true, 0);
  limiter.tick(2000);
  // The clock has wrapped around to just after the start of the wait.
  EXPECT(limiter.isReady(1));
}

TEST(aDamagedFailureCountLocksForADayAtMost) {
  FakeStore store;
  store.numbers["failures"] = UINT32_MAX;
  AttemptLimiter limiter(store);
  limiter.begin(true, 0);
  EXPECT_EQUAL(limiter.remaining(0), AttemptLimiter::longestWaitForFixed);
  limiter.attemptStarted(0);
  EXPECT_EQUAL(limiter.failures(), 99u);
}
