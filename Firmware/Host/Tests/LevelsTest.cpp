#include <cstring>

#include "Board.h"
#include "Testing.h"

namespace {

/// The time at which micros() is 0.
constexpr uint64_t kZero = Board::bootTime - 100 * kMillisecond;

struct Level {
  uint32_t value;
  uint64_t time;
};

Bytes levels(uint32_t pin, const std::vector<Level>& all) {
  Bytes bytes;
  for (const Level& level : all) {
    const cfc_level one = {pin, level.value, level.time};
    const auto* at = reinterpret_cast<const uint8_t*>(&one);
    bytes.insert(bytes.end(), at, at + sizeof one);
  }
  return bytes;
}

/// A board with the sketch, which has started.
class LevelsBoard : public Board {
 public:
  LevelsBoard() : Board("Levels") {
    run(50 * kMillisecond);
    answer = [this](const Message& call, Bytes& more) {
      if (call.type != CFC_PIN_DRIVEN) return defaultAnswer(call, more);
      const cfc_pin pin = call.as<cfc_pin>();
      driven += " " + std::to_string(pin.pin) + ":" + std::to_string(pin.value);
      if (pin.value != CFC_PIN_FLOATING) return 0;
      // The presence pulse of a part on a bus with one wire.
      more = {2, 0, 0, 0};
      const Bytes answers = levels(pin.pin, {{CFC_PIN_LOW, call.time + 30 * kMicrosecond},
                                             {CFC_PIN_HIGH, call.time + 150 * kMicrosecond}});
      more.insert(more.end(), answers.begin(), answers.end());
      return 0;
    };
  }

  /// Begins a case, at a whole millisecond. The firmware may be up to 10 ms ahead.
  void begin(const char* name) {
    now = (now + kMillisecond) / kMillisecond * kMillisecond;
    sendSerial(name);
  }
  /// The case's line.
  std::string result(uint64_t time = 100 * kMillisecond) {
    run(time);
    if (ended) return "status " + std::to_string(status) + ": " + fault().message;
    return lines().back();
  }
  void isAnswered() {
    send(CFC_PIN_ANSWERED, cfc_pin{13, 1});
    send(CFC_PIN_INPUT, cfc_pin{13, CFC_PIN_HIGH});
  }

  std::string driven;
};

std::string at(uint64_t time) { return std::to_string((time - kZero) / kMicrosecond); }

}  // namespace

TEST(levelsOfTheFutureAreEdgesAtTheirInstants) {
  for (const char* name : {"b", "s", "n", "u"}) {
    LevelsBoard board;
    board.begin(name);
    const uint64_t start = board.now + 20500 * kMicrosecond;
    board.send(CFC_PIN_LEVELS, levels(5, {{CFC_PIN_HIGH, start},
                                          {CFC_PIN_LOW, start + 37 * kMicrosecond},
                                          {CFC_PIN_HIGH, start + 40 * kMicrosecond},
                                          {CFC_PIN_LOW, start + 1037 * kMicrosecond}}));
    const std::string line = board.result();
    // The clock is read a microsecond after the edge.
    EXPECT_EQUAL(line.substr(line.find(' ')), " " + at(start + 1000) + ":1 " + at(start + 38000) +
                                                  ":0 " + at(start + 41000) + ":1 " +
                                                  at(start + 1038000) + ":0");
  }
}

TEST(aPullUpIsAnEdgeAndALaterPressAnother) {
  LevelsBoard board;
  board.begin("<");
  board.send(CFC_PIN_LEVELS, levels(5, {{CFC_PIN_LOW, board.now + 20 * kMillisecond}}));
  EXPECT_EQUAL(board.result(), std::string("early 2"));
}

TEST(anAnnouncementReplacesTheOneBefore) {
  LevelsBoard board;
  board.begin("s");
  const uint64_t start = board.now + kMillisecond;
  board.send(CFC_PIN_LEVELS,
             levels(5, {{CFC_PIN_HIGH, start}, {CFC_PIN_LOW, start + kMillisecond}}));
  board.send(CFC_PIN_LEVELS, levels(4, {{CFC_PIN_HIGH, start}}));
  board.send(CFC_PIN_LEVELS, levels(5, {{CFC_PIN_HIGH, start + 2 * kMillisecond}}));
  EXPECT_EQUAL(board.result(), "asleep " + at(start + 2001 * kMicrosecond) + ":1");
}

TEST(levelsAreReadInCriticalSections) {
  LevelsBoard board;
  board.begin("c");
  const uint64_t start = board.now + 20 * kMillisecond;
  board.send(CFC_PIN_LEVELS,
             levels(4, {{CFC_PIN_HIGH, start}, {CFC_PIN_LOW, start + 50 * kMicrosecond}}));
  EXPECT_EQUAL(board.result(),
               "critical " + at(start + kMicrosecond) + " " + at(start + 51 * kMicrosecond));
}

TEST(pulsesAreMeasuredExactly) {
  LevelsBoard board;
  board.begin("p");
  const uint64_t start = board.now + 20 * kMillisecond + 300;
  board.send(CFC_PIN_LEVELS, levels(4, {{CFC_PIN_HIGH, start + 500 * kMicrosecond},
                                        {CFC_PIN_LOW, start + 1738 * kMicrosecond},
                                        {CFC_PIN_HIGH, start + 2000 * kMicrosecond},
                                        {CFC_PIN_LOW, start + 2777 * kMicrosecond},
                                        {CFC_PIN_HIGH, start + 3543 * kMicrosecond + 999}}));
  // The clock's read costs a microsecond, as does the first look at the pin.
  EXPECT_EQUAL(board.result(), std::string("pulses 1238 766 0 after 2002"));
}

TEST(partsAnswerWhatTheChipDrives) {
  LevelsBoard board;
  board.isAnswered();
  board.begin("a");
  EXPECT_EQUAL(board.result(), std::string("answer 31 151"));
  // Only changes are sent, and not as CFC_PIN_OUTPUT.
  EXPECT_EQUAL(board.driven, std::string(" 13:2 13:0 13:2"));
  for (const Message& message : board.received(CFC_PIN_OUTPUT)) {
    EXPECT(message.as<cfc_pin>().pin != 13 || message.time < Board::bootTime + 50 * kMillisecond);
  }
}

TEST(partsAnswerInterrupts) {
  LevelsBoard board;
  board.isAnswered();
  board.begin("i");
  EXPECT_EQUAL(board.result(), std::string("interrupt 31 151"));
}

TEST(partsAnswerBothCores) {
  LevelsBoard board;
  board.isAnswered();
  board.begin("o");
  EXPECT_EQUAL(board.result(), std::string("core 0 31 151"));
}

TEST(anOpenDrainIsDrivenLowOnly) {
  LevelsBoard board;
  board.begin("a");
  board.send(CFC_PIN_LEVELS, levels(13, {{CFC_PIN_LOW, board.now + 600 * kMicrosecond},
                                         {CFC_PIN_HIGH, board.now + 700 * kMicrosecond}}));
  board.run(100 * kMillisecond);
  std::string driven;
  for (const Message& message : board.received(CFC_PIN_OUTPUT)) {
    driven += std::to_string(message.as<cfc_pin>().value) + " ";
  }
  EXPECT_EQUAL(driven, std::string("0 2 0 0 2 "));
  EXPECT_EQUAL(board.count(CFC_PIN_DRIVEN), 0u);
}

TEST(interruptsOfLevelsRecur) {
  LevelsBoard board;
  board.begin("h");
  EXPECT_EQUAL(board.result(), std::string("held 3"));
  // The board ends the level; a handler takes 2 us.
  board.begin("l");
  board.run(10 * kMillisecond);
  board.send(CFC_PIN_INPUT, cfc_pin{18, CFC_PIN_LOW});
  board.horizon = board.now + kMillisecond;
  board.run(kMillisecond);
  board.horizon = CFC_NEVER;
  board.send(CFC_PIN_INPUT, cfc_pin{18, CFC_PIN_FLOATING});
  const std::string line = board.result();
  EXPECT_EQUAL(line.substr(0, 7), std::string("lasted "));
  const int count = atoi(line.c_str() + 7);
  EXPECT_EQUAL(count, 501);
}

TEST(anInterruptsLevelEndsLightSleep) {
  LevelsBoard board;
  board.begin("w");
  board.run(100 * kMillisecond);
  EXPECT_EQUAL(board.lines().back(), std::string("ready"));
  board.send(CFC_PIN_INPUT, cfc_pin{18, CFC_PIN_LOW});
  EXPECT_EQUAL(board.result(), std::string("woken 7 held 1"));
}

TEST(anInterruptThatIsNotServedEndsInTheWatchdog) {
  LevelsBoard board;
  board.begin("l");
  board.run(10 * kMillisecond);
  board.send(CFC_PIN_INPUT, cfc_pin{18, CFC_PIN_LOW});
  board.run(kSecond);
  EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_CRASHED));
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_INTERRUPT_WATCHDOG));
  EXPECT_EQUAL(board.fault().in_interrupt, 1u);
}

TEST(theServiceOfInterruptsIsThatOfTheChip) {
  LevelsBoard board;
  board.begin("g");
  board.run(100 * kMillisecond);
  const std::vector<std::string> lines = board.lines();
  std::vector<std::string> expected = {
      "gpio: gpio_install_isr_service(527): GPIO isr service already installed",
      "gpio 0 259 edges 2 levels 0 1 0",
      "gpio: GPIO can only be used as input mode",
      "gpio: GPIO_PIN mask error ",
      "gpio: gpio_set_intr_type(155): GPIO interrupt type error",
      "gpio: gpio_pullup_en(78): GPIO number error (input-only pad has no internal PU)",
      "errors 258 258 258 258"};
  EXPECT_EQUAL(lines.size(), expected.size() + 1);
  for (size_t i = 0; i < expected.size() && i + 1 < lines.size(); i++) {
    const std::string& line = lines[i + 1];
    EXPECT_EQUAL(line.substr(line.compare(0, 3, "E (") == 0 ? line.find(')') + 2 : 0), expected[i]);
  }
}
