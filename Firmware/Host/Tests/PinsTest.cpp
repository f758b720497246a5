#include "Board.h"
#include "Testing.h"

TEST(pinsAreSetAndRead) {
  Board board("Pins");
  board.run(kSecond / 20);
  std::vector<Message> modes = board.received(CFC_PIN_MODE);
  EXPECT_EQUAL(modes.size(), 4u);
  EXPECT_EQUAL(modes[0].as<cfc_pin>().pin, 2u);
  EXPECT_EQUAL(modes[0].as<cfc_pin>().value, 3u);
  EXPECT_EQUAL(modes[1].as<cfc_pin>().value, 5u);
  std::vector<Message> levels = board.received(CFC_PIN_OUTPUT);
  EXPECT_EQUAL(levels.size(), 2u);
  EXPECT_EQUAL(levels[0].as<cfc_pin>().value, 1u);
  EXPECT_EQUAL(levels[1].as<cfc_pin>().value, 0u);
  EXPECT_EQUAL(board.lines()[0], std::string("output 1"));
}

TEST(inputEdgesCallInterrupts) {
  Board board("Pins");
  board.run(kSecond / 20);
  for (uint32_t level : {1, 0, 1}) {
    board.send(CFC_PIN_INPUT, cfc_pin{4, level});
    board.send(CFC_PIN_INPUT, cfc_pin{5, level});
  }
  board.run(kSecond / 2);
  EXPECT_EQUAL(board.lines().back(), std::string("input 1 rising 1 changes 3"));
}

TEST(aFloatingPinFollowsItsPullResistor) {
  Board board("Pins");
  auto pulled = [&board] {
    board.run(kSecond / 5);
    std::vector<std::string> lines = board.lines();
    return lines[lines.size() - 2];
  };
  EXPECT_EQUAL(pulled(), std::string("pulled 1 0"));
  board.send(CFC_PIN_INPUT, cfc_pin{15, CFC_PIN_LOW});
  board.send(CFC_PIN_INPUT, cfc_pin{16, CFC_PIN_HIGH});
  EXPECT_EQUAL(pulled(), std::string("pulled 0 1"));
  board.send(CFC_PIN_INPUT, cfc_pin{15, CFC_PIN_FLOATING});
  board.send(CFC_PIN_INPUT, cfc_pin{16, CFC_PIN_FLOATING});
  board.send(CFC_PIN_INPUT, cfc_pin{1000, CFC_PIN_HIGH});
  EXPECT_EQUAL(pulled(), std::string("pulled 1 0"));
}

TEST(levelsOfTheFirstTurnAreRead) {
  Board board("Pins");
  board.send(CFC_PIN_INPUT, cfc_pin{15, CFC_PIN_LOW});
  board.send(CFC_PIN_INPUT, cfc_pin{16, CFC_PIN_HIGH});
  board.run(kSecond / 5);
  std::vector<std::string> lines = board.lines();
  EXPECT_EQUAL(lines[lines.size() - 2], std::string("pulled 0 1"));
}

TEST(chipInformationIsThatOfTheBoard) {
  Board board("Pins"), other("Pins");
  board.run(kSecond / 2);
  other.run(kSecond / 2);
  EXPECT_EQUAL(board.lines()[1],
               std::string("ESP32-D0WDQ6 rev 301, 2 cores, 240 MHz, 4194304 bytes"));
  EXPECT_EQUAL(board.lines()[2], std::string("mac 030201c40a24"));
  EXPECT_EQUAL(board.lines()[3], other.lines()[3]);
}
