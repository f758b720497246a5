#include "Board.h"
#include "Testing.h"

namespace {

/// A board whose sketch has run its setup(), which takes 1.3 s.
struct Clock : Board {
  explicit Clock(uint64_t time = bootTime, uint32_t reason = CFC_RESET_POWER_ON)
      : Board("SystemTime", reason) {
    now = time;
    start.timer_zero_ns = time;
  }

  void boot() { run(2 * kSecond); }

  std::string command(const std::string& line) {
    sendSerial(line + "\n");
    run(2 * kSecond);
    return lines().back();
  }

  /// The state that a board gives the next start.
  void giveMemory(const Board& before) {
    for (const Message& message : before.received(CFC_KEEP_MEMORY)) {
      send(CFC_RTC_MEMORY, message.payload);
    }
  }
};

}  // namespace

TEST(theSystemTimeBeginsWithPowerOn) {
  Clock board;
  board.boot();
  std::vector<std::string> lines = board.lines();
  std::vector<std::string> expected = {"microseconds 1", "sleeps 3 1001 251, clock 1255",
                                       "refused -1 1", "day 1970-01-02 00:00:00"};
  EXPECT_EQUAL(std::vector<std::string>(lines.begin(), lines.begin() + 4), expected);
  EXPECT_EQUAL(lines.back(), std::string("seconds 1 1 1 1 1 1"));
}

TEST(theSystemTimeIsTheSameInEachRun) {
  Clock first, second;
  first.boot();
  second.boot();
  EXPECT_EQUAL(first.console(), second.console());
}

TEST(theSystemTimeGoesOnInDeepSleep) {
  Clock first;
  first.boot();
  first.command("sleep");
  EXPECT_EQUAL(first.status, static_cast<uint32_t>(CFC_DEEP_SLEEP));
  Clock second(Board::bootTime + 22 * kSecond, CFC_RESET_DEEP_SLEEP);
  second.giveMemory(first);
  second.boot();
  // The monotonic clocks restart at 0.
  EXPECT_EQUAL(second.lines().back(), std::string("seconds 23 23 23 1 23 1"));
}

TEST(aTimeThatWasSetSurvivesACrash) {
  Clock first;
  first.boot();
  EXPECT_EQUAL(first.command("set"),
               std::string("seconds 1700000000 1700000000 1700000000 2 1700000000 2"));
  first.command("crash");
  EXPECT(first.ended);
  Clock second(Board::bootTime + 10 * kSecond, CFC_RESET_PANIC);
  second.giveMemory(first);
  second.boot();
  EXPECT_EQUAL(second.lines().back(),
               std::string("seconds 1700000009 1700000009 1700000009 1 1700000009 1"));
  Clock third(Board::bootTime, CFC_RESET_POWER_ON);
  third.boot();
  EXPECT_EQUAL(third.lines().back(), std::string("seconds 1 1 1 1 1 1"));
}
