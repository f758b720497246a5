#include "Board.h"
#include "Testing.h"

TEST(timeAdvancesInSleepAndByReadingTheClock) {
  Board board("Time");
  board.run(2 * kSecond);
  std::vector<std::string> lines = board.lines();
  std::vector<std::string> expected = {"start 100 100", "delay 250", "microseconds 31", "busy 50",
                                       "yield 5",       "ticks 20",  "random 1",        "map 50 5"};
  expected.push_back(lines.empty() ? "" : lines.back());
  EXPECT_EQUAL(lines, expected);
}

TEST(anEmptyLoopTakesATick) {
  Board board("Time");
  board.run(2 * kSecond);
  // 425 ms of setup, then 999 ticks.
  EXPECT_EQUAL(board.lines().back(), std::string("loops at 1424"));
}

TEST(theFirmwareStopsAtTheHorizon) {
  Board board("Time");
  board.horizon = Board::bootTime;
  board.run(2 * kSecond);
  EXPECT_EQUAL(board.lines().back(), std::string("loops at 1424"));
}

TEST(theSameInputGivesTheSameRun) {
  Board first("Time"), second("Time");
  first.run(kSecond);
  second.run(kSecond);
  EXPECT_EQUAL(first.console(), second.console());
  EXPECT_EQUAL(first.turns, second.turns);
}
