#include "Board.h"
#include "Testing.h"

TEST(pinsAreSetAndRead) {
  Board board("Pins");
  board.run(kSecond / 20);
  std::vector<Message> modes = board.received(CFC_PIN_MODE);
  // attachInterruptArg() turns the input of pin 5 on.
  EXPECT_EQUAL(modes.size(), 5u);
  EXPECT_EQUAL(modes[4].as<cfc_pin>().pin, 5u);
  EXPECT_EQUAL(modes[4].as<cfc_pin>().value, 1u);
  EXPECT_EQUAL(modes[0].as<cfc_pin>().pin, 2u);
  EXPECT_EQUAL(modes[0].as<cfc_pin>().value, 3u);
  EXPECT_EQUAL(modes[1].as<cfc_pin>().value, 5u);
  std::vector<Message> levels = board.received(CFC_PIN_OUTPUT);
  // The first is the level with which it becomes an output.
  EXPECT_EQUAL(levels.size(), 3u);
  EXPECT_EQUAL(levels[0].as<cfc_pin>().value, 0u);
  EXPECT_EQUAL(levels[1].as<cfc_pin>().value, 1u);
  EXPECT_EQUAL(levels[2].as<cfc_pin>().value, 0u);
  EXPECT_EQUAL(board.lines()[0], std::string("output 1"));
}

TEST(pinsDoOnlyWhatTheChipsCan) {
  Board board("WrongPins");
  board.run(kSecond / 10);
  const std::vector<std::string> expected = {
      "E (100) gpio: GPIO can only be used as input mode",
      "E (100) gpio: gpio_pullup_en(78): GPIO number error (input-only pad has no internal PU)",
      "pulled 0",
      "E (100) gpio: gpio_set_level(238): GPIO output gpio_num error",
      "read 0",
      "read 0",
      "read 0",
      "read 0",
      "early 0",
      "of an input 0",
      "once driven 1",
      "E (100) gpio: gpio_set_intr_type(154): GPIO number error",
      "E (100) gpio: gpio_isr_handler_add(555): GPIO number error",
      "E (100) gpio: io_num=35 can only be input",
      "direction 258",
      "E (100) gpio: gpio_set_direction(308): GPIO number error",
      "direction 258",
      "E (100) gpio: gpio_set_level(238): GPIO output gpio_num error",
      "level 258",
      "E (100) gpio: gpio_set_level(238): GPIO output gpio_num error",
      "level 258",
      "E (100) gpio: gpio_pulldown_en(116): GPIO number error (input-only pad has no internal PD)",
      "E (100) gpio: gpio_pullup_en(78): GPIO number error (input-only pad has no internal PU)",
      "pull 0",
      "without input 0",
      "with input 1, not Arduino's 0",
      "transmits on an input 0"};
  std::vector<std::string> lines = board.lines();
  for (std::string& line : lines) {
    if (line.compare(0, 3, "E (") == 0) line.replace(3, line.find(')') - 3, "100");
  }
  EXPECT_EQUAL(lines, expected);

  auto pinsOf = [&board](uint16_t type) {
    std::string text;
    for (const Message& message : board.received(type)) {
      const cfc_pin pin = message.as<cfc_pin>();
      text += std::to_string(pin.pin) + ":" + std::to_string(pin.value) + " ";
    }
    return text;
  };
  EXPECT_EQUAL(pinsOf(CFC_PIN_MODE), std::string("36:1 13:3 14:1 14:3 35:0 25:2 25:3 "));
  EXPECT_EQUAL(pinsOf(CFC_PIN_OUTPUT), std::string("13:0 13:1 14:1 25:0 25:1 "));
  // 255 means "no pin".
  EXPECT_EQUAL(
      pinsOf(CFC_PIN_IGNORED),
      std::string(
          "34:1 34:3 36:2 36:1 99:0 24:0 40:0 13:3 14:5 35:1 28:0 29:0 35:2 25:3 25:4 37:1 "));
  EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_SLEEPING));
}

TEST(aPinOfTheFlashStopsBothCores) {
  for (const char* pin : {"6", "9", "11", "107"}) {
    Board board("WrongPins");
    board.run(kSecond / 10);
    board.sendSerial(std::string(pin) + "\n");
    board.run(2 * kSecond);
    EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_CRASHED));
    EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_INTERRUPT_WATCHDOG));
  }
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
