#include "Board.h"
#include "Testing.h"

TEST(theRTCReadsAndPullsItsPins) {
  Board board("RTCPins");
  board.run(kSecond / 5);
  board.send(CFC_PIN_INPUT, cfc_pin{4, CFC_PIN_LOW});
  board.run(kSecond / 5);
  EXPECT_EQUAL(board.lines(), (std::vector<std::string>{
                                  "numbers 10 3 -1, valid 1 0",
                                  "E (100) RTCIO: rtc_gpio_pullup_en(133): RTCIO number error",
                                  "of the RTC 0, not 258, without pulls 0", "pulled 1 0 then 0",
                                  "edge 258, level 0", "woken by 7"}));
  std::vector<Message> modes = board.received(CFC_PIN_MODE);
  EXPECT_EQUAL(modes.size(), 6u);
  const uint32_t expected[][2] = {{33, 5}, {33, 1}, {33, 9}, {25, 3}, {12, 0}, {4, 5}};
  for (size_t i = 0; i < modes.size(); i++) {
    EXPECT_EQUAL(modes[i].as<cfc_pin>().pin, expected[i][0]);
    EXPECT_EQUAL(modes[i].as<cfc_pin>().value, expected[i][1]);
  }
  EXPECT_EQUAL(board.received(CFC_PIN_OUTPUT)[0].as<cfc_pin>().pin, 25u);
}
