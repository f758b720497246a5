#include "Board.h"
#include "Testing.h"

TEST(delaysAndTimeoutsEndAtTicks) {
  Board board("Ticks");
  board.run(kSecond);
  EXPECT_EQUAL(
      board.lines(),
      std::vector<std::string>{
          "delay 1 0: 1000 us, ticks 1, then 0", "delay 5 0: 5000 us, ticks 5, then 0",
          "queue 2 0: 2000 us, ticks 2, then 0", "delay 1 100: 900 us, ticks 1, then 0",
          "delay 5 100: 4900 us, ticks 5, then 0", "queue 2 100: 1900 us, ticks 2, then 0",
          "delay 1 500: 500 us, ticks 1, then 0", "delay 5 500: 4500 us, ticks 5, then 0",
          "queue 2 500: 1500 us, ticks 2, then 0", "delay 1 900: 100 us, ticks 1, then 0",
          "delay 5 900: 4100 us, ticks 5, then 0", "queue 2 900: 1100 us, ticks 2, then 0",
          "microseconds 500: 1200 us, ticks 1, then 7", "no time 500: 0 us, ticks 0, then 5",
          "notified 500: 300 us, ticks 0, then 8", "until 500: 18500 us, ticks 19, then 0"});
}
