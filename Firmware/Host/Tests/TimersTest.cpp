#include "Board.h"
#include "Testing.h"

namespace {

using Lines = std::vector<std::string>;

/// A board whose sketch runs one of its cases.
struct Timers : Board {
  explicit Timers(const std::string& name, uint64_t duration = kSecond) : Board("Timers") {
    run(kSecond / 20);
    sendSerial(name + "\n");
    run(duration);
  }
};

}  // namespace

TEST(espTimersCallInTheirTask) {
  EXPECT_EQUAL(
      Timers("esp").lines(),
      (Lines{"again 103, active 1", "delete 103, period 2000", "once after 5 in esp_timer, core 0",
             "count 10, active 0", "stop 0 103", "count 10, delete 0"}));
}

TEST(tickersCallFunctionsAndLambdas) {
  EXPECT_EQUAL(Timers("ticker").lines(), (Lines{"active 1 1", "ticker after 5 in esp_timer, core 0",
                                                "number 42", "count 6, active 0 0"}));
}

TEST(softwareTimersCallInTheTimerTask) {
  Lines lines = Timers("software").lines();
  EXPECT_EQUAL(lines.size(), 5u);
  lines.resize(5);
  EXPECT_EQUAL(lines[0].substr(0, 26), std::string("once id after 5 in Tmr Svc"));
  EXPECT_EQUAL(lines[1], std::string("count 10, active 0 1"));
  // Eight ticks after the reset, not after the change.
  EXPECT_EQUAL(lines[2].substr(0, 27), std::string("once id after 13 in Tmr Svc"));
  EXPECT_EQUAL(lines[3], std::string("count 10"));
  EXPECT_EQUAL(lines[4], std::string("pended call 7 in Tmr Svc"));
}

TEST(aHardwareTimersInterruptWakesATask) {
  EXPECT_EQUAL(
      Timers("hardware").lines(),
      (Lines{"taken after 4", "taken after 8", "taken after 12", "count 3, frequency 1000000",
             "stopped 1, count 3", "inside 3, outside 4", "timers 4"}));
}

TEST(theLoopIsWatchedWhenItAsksForIt) {
  Timers board("watchdog", 20 * kSecond);
  EXPECT(board.ended);
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_TASK_WATCHDOG));
  EXPECT_EQUAL(board.lines().back(), std::string("fed"));
  const uint64_t duration = board.now - Board::bootTime;
  EXPECT(duration >= 9 * kSecond && duration < 10 * kSecond);
}
