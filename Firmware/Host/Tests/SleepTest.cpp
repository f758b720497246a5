#include <cstring>

#include "Board.h"
#include "Testing.h"

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A board whose sketch has booted.
struct Sleeper : Board {
  explicit Sleeper(uint32_t resetReason = CFC_RESET_POWER_ON) : Board("Sleep", resetReason) {}

  /// Boots, then gives the sketch a command.
  void command(const std::string& line) {
    run(kSecond / 10);
    sendSerial(line + "\n");
    run(kSecond / 10);
  }

  /// The state that a board gives the next start.
  void giveMemory(const Board& before) {
    for (const Message& message : before.received(CFC_KEEP_MEMORY)) {
      send(CFC_RTC_MEMORY, message.payload);
    }
  }
};

}  // namespace

TEST(deepSleepEndsTheFirmware) {
  Sleeper board;
  board.command("timer");
  EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_DEEP_SLEEP));
  EXPECT_EQUAL(board.count(CFC_SLEEP), 1u);
  cfc_sleep sleep = board.received(CFC_SLEEP).back().as<cfc_sleep>();
  EXPECT_EQUAL(sleep.timer_ns, 2 * kSecond);
  EXPECT_EQUAL(sleep.ext0_pin, -1);
  EXPECT_EQUAL(sleep.ext1_pins, 0u);
}

TEST(theArduinoClassSleepsDeeply) {
  Sleeper board;
  board.command("ESP");
  EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_DEEP_SLEEP));
  EXPECT_EQUAL(board.received(CFC_SLEEP).back().as<cfc_sleep>().timer_ns, kMicrosecond);
}

TEST(deepSleepNamesItsPins) {
  Sleeper board;
  board.command("pins");
  cfc_sleep sleep = board.received(CFC_SLEEP).back().as<cfc_sleep>();
  EXPECT_EQUAL(sleep.timer_ns, CFC_NEVER);
  EXPECT_EQUAL(sleep.ext0_pin, 33);
  EXPECT_EQUAL(sleep.ext0_level, 1);
  EXPECT_EQUAL(sleep.ext1_pins, uint64_t{3} << 25);
  EXPECT_EQUAL(sleep.ext1_mode, 1);
}

TEST(deepSleepKeepsRTCMemory) {
  Sleeper first;
  first.run(kSecond / 10);
  EXPECT(contains(first.lines()[0], "start 1, constructed 0, stamp 0, word first, noinit "));
  EXPECT(!contains(first.lines()[0], "noinit 00000000"));
  EXPECT(contains(first.lines()[0], "cause 0, pins 0"));
  first.command("keep");
  first.command("timer");
  Sleeper second(CFC_RESET_DEEP_SLEEP);
  second.start.wakeup_cause = CFC_WAKEUP_TIMER;
  second.giveMemory(first);
  second.run(kSecond / 10);
  EXPECT_EQUAL(second.lines()[0],
               std::string("start 2, constructed 1, stamp 1234567890123, word kept, noinit "
                           "0000cafe, cause 4, pins 0"));
}

TEST(aRestartKeepsOnlyWhatIsNotInitialized) {
  for (const char* how : {"restart", "crash"}) {
    Sleeper first;
    first.command("keep");
    first.command(how);
    EXPECT(first.ended);
    Sleeper second(CFC_RESET_SOFTWARE);
    second.giveMemory(first);
    second.run(kSecond / 10);
    EXPECT_EQUAL(second.lines()[0], std::string("start 1, constructed 0, stamp 0, word first, "
                                                "noinit 0000cafe, cause 0, pins 0"));
  }
}

TEST(theStartTellsWhichPinsEndedDeepSleep) {
  Sleeper board(CFC_RESET_DEEP_SLEEP);
  board.start.wakeup_cause = CFC_WAKEUP_EXT1;
  board.start.wakeup_pins = 1 << 26;
  board.run(kSecond / 10);
  EXPECT(contains(board.lines()[0], "cause 3, pins 4000000"));
}

TEST(lightSleepEndsByItsTimer) {
  Sleeper board;
  board.command("light timer");
  board.run(kSecond);
  EXPECT_EQUAL(board.lines().back(), std::string("slept 500 ms, result 0, cause 4, pins 0"));
}

TEST(lightSleepEndsByAPin) {
  Sleeper board;
  board.command("light pins");
  EXPECT_EQUAL(board.lines().size(), 1u);
  board.send(CFC_PIN_INPUT, cfc_pin{26, CFC_PIN_HIGH});
  board.run(kSecond / 10);
  EXPECT(contains(board.lines().back(), "result 0, cause 3, pins 4000000"));
  board.send(CFC_PIN_INPUT, cfc_pin{26, CFC_PIN_LOW});
  board.command("light pins");
  board.send(CFC_PIN_INPUT, cfc_pin{33, CFC_PIN_HIGH});
  board.run(kSecond / 10);
  EXPECT(contains(board.lines().back(), "result 0, cause 2, pins 0"));
}

TEST(lightSleepEndsByALevelOfAnyPin) {
  Sleeper board;
  board.command("light gpio");
  EXPECT_EQUAL(board.lines().size(), 1u);
  board.send(CFC_PIN_INPUT, cfc_pin{5, CFC_PIN_LOW});
  board.run(kSecond / 10);
  EXPECT(contains(board.lines().back(), "result 0, cause 7, pins 0"));
}

TEST(lightSleepEndsAtAnAnnouncedLevel) {
  Sleeper board;
  board.command("light pins");
  const uint64_t start = board.now;
  std::vector<cfc_level> levels = {{26, CFC_PIN_LOW, start + 20 * kMillisecond},
                                   {26, CFC_PIN_HIGH, start + 37 * kMillisecond},
                                   {26, CFC_PIN_LOW, start + 38 * kMillisecond}};
  const auto* bytes = reinterpret_cast<const uint8_t*>(levels.data());
  board.send(CFC_PIN_LEVELS, Bytes(bytes, bytes + levels.size() * sizeof levels[0]));
  board.run(kSecond / 10);
  EXPECT(contains(board.lines().back(), "result 0, cause 3, pins 4000000"));
  const uint64_t woken = board.received(CFC_SERIAL_OUTPUT).back().time;
  EXPECT_EQUAL((woken - start) / kMillisecond, 37u);
}

TEST(inLightSleepTheSketchDoesNothing) {
  Sleeper board;
  board.command("light pins");
  uint64_t turns = board.turns;
  board.run(10 * kSecond);
  // The only turn is the first one of run().
  EXPECT_EQUAL(board.turns - turns, 1u);
  EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_SLEEPING));
}

TEST(wakeupSourcesAreChecked) {
  Sleeper board;
  board.command("wrong");
  // ESP_ERR_INVALID_ARG three times, then ESP_ERR_INVALID_STATE.
  EXPECT(contains(board.console(), "258 258 258 259\r\n"));
}

TEST(allOfRTCMemoryCanBeUsed) {
  Board board("RTCFull");
  board.run(kSecond / 10);
  EXPECT_EQUAL(board.lines(), std::vector<std::string>{"started"});
}

TEST(moreThanRTCMemoryIsRefusedAtTheStart) {
  for (const auto& [name, text] :
       {std::pair("RTCLarge", "region `rtc_slow_seg' overflowed by 4 bytes"),
        std::pair("RTCFastLarge", "region `rtc_data_seg' overflowed by 4 bytes")}) {
    Board board(name);
    board.run(kSecond / 10);
    EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_CRASHED));
    EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_PANIC));
    EXPECT_EQUAL(std::string(board.fault().message), std::string(text));
    // The firmware ends before any code of the sketch.
    EXPECT_EQUAL(board.console(), std::string());
  }
}
