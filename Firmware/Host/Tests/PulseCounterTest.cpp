#include "Board.h"
#include "Testing.h"

namespace {

/// A board with the sketch PulseCounter, whose cases get pulses on pin 4, with a level on pin 5.
class PulseBoard : public Board {
 public:
  explicit PulseBoard(const char* name) : Board("PulseCounter") {
    run(50 * kMillisecond);
    send(CFC_PIN_INPUT, cfc_pin{4, CFC_PIN_LOW});
    setControl(true);
    sendSerial(name);
  }

  void setControl(bool level) {
    send(CFC_PIN_INPUT, cfc_pin{5, level ? uint32_t{CFC_PIN_HIGH} : uint32_t{CFC_PIN_LOW}});
  }
  /// Announces pulses of a width, one each 100 us, from 20 ms on.
  void pulse(int count, uint64_t width = 50 * kMicrosecond) {
    Bytes bytes;
    uint64_t time = now + 20 * kMillisecond;
    for (int i = 0; i < 2 * count; i++) {
      const bool isHigh = i % 2 == 0;
      const cfc_level level = {4, isHigh ? uint32_t{CFC_PIN_HIGH} : uint32_t{CFC_PIN_LOW}, time};
      const auto* at = reinterpret_cast<const uint8_t*>(&level);
      bytes.insert(bytes.end(), at, at + sizeof level);
      time += isHigh ? width : 100 * kMicrosecond - width;
    }
    send(CFC_PIN_LEVELS, bytes);
  }
  std::string result(uint64_t time = 300 * kMillisecond) {
    run(time);
    return lines().back();
  }
};

/// Lines with the time of each message taken away.
std::vector<std::string> withoutTimes(std::vector<std::string> lines) {
  for (std::string& line : lines) {
    for (size_t at; (at = line.find("E (")) != std::string::npos;) {
      line.replace(at, line.find(')', at) + 1 - at, "E");
    }
  }
  return lines;
}

}  // namespace

TEST(pulsesCountWhileTheCounterRuns) {
  PulseBoard board("S");
  board.run(20 * kMillisecond);
  for (int i = 0; i < 3; i++) {
    board.pulse(3);
    board.run(100 * kMillisecond);
  }
  // In light sleep the counter has no clock.
  board.pulse(3);
  EXPECT_EQUAL(board.result(), std::string("reset 0 counted 3 paused 3 slept 3"));
}

TEST(pulsesOfLimitsAndThresholdsAreEvents) {
  PulseBoard board("V");
  board.run(20 * kMillisecond);
  board.pulse(5);  // to 2, to the limit 4, which becomes 0, and to 1
  board.run(80 * kMillisecond);
  EXPECT_EQUAL(withoutTimes(board.lines()),
               std::vector<std::string>{
                   "E pcnt(legacy): _pcnt_isr_service_install(327): ISR service already installed",
                   "install 0 259"});
  board.setControl(false);
  board.pulse(3);  // to 0, to -1, to -2
  EXPECT_EQUAL(board.result(), std::string("8 60 40 4 at -2"));
}

TEST(pulseCounterHasItsRegisters) {
  PulseBoard board("R");
  board.run(20 * kMillisecond);
  board.pulse(5);
  EXPECT_EQUAL(board.result(), std::string("calls 3 status 8 interrupts 4 count 3 then 0"));
  EXPECT_EQUAL(board.lines()[0], std::string("conf0 44004010"));
}

TEST(shortPulsesAreFiltered) {
  for (const uint64_t width : {3000, 3124, 3125, 3200, 50000}) {
    PulseBoard board("F");
    board.run(20 * kMillisecond);
    board.pulse(4, width);
    EXPECT_EQUAL(board.result(), std::string("filtered ") + (width < 3125 ? "0" : "4"));
  }
}

TEST(formerPulseCounterHasItsErrors) {
  PulseBoard board("E");
  board.run(200 * kMillisecond);
  EXPECT_EQUAL(
      withoutTimes(board.lines()),
      std::vector<std::string>{
          "E pcnt(legacy): _pcnt_get_counter_value(108): PCNT driver error",
          "259E pcnt(legacy): _pcnt_unit_config(368): PCNT pulse input io error",
          " 258E pcnt(legacy): _pcnt_set_event_value(189): PCNT limit value error",
          "E pcnt(legacy): _pcnt_set_event_value(188): PCNT limit value error",
          "E gpio: gpio_pullup_en(78): GPIO number error (input-only pad has no internal PU)",
          " 0E pcnt(legacy): _pcnt_counter_clear(138): PCNT UNIT ERROR",
          " 258E pcnt(legacy): _pcnt_set_filter_value(248): PCNT PARAM ERROR",
          " 258E pcnt(legacy): _pcnt_isr_handler_add(274): ISR service is not installed, call "
          "pcnt_install_isr_service() first",
          " 259E pcnt(legacy): _pcnt_event_enable(177): PCNT value type error",
          " 258E pcnt(legacy): _pcnt_set_pin(86): PCNT GPIO NUM ERROR", " 258"});
}

TEST(quadratureIsDecodedWithWatchPoints) {
  // The values of ESP-IDF's own test on the chip.
  PulseBoard board("q");
  board.run(300 * kMillisecond);
  EXPECT_EQUAL(withoutTimes(board.lines()),
               std::vector<std::string>{
                   "E pcnt: pcnt_unit_add_watch_point(661): add watchpoint 33 failed",
                   "points 261E pcnt: pcnt_unit_add_watch_point(661): add watchpoint 50 failed",
                   " 259E pcnt: pcnt_unit_add_watch_point(591): watch_point out of limit", " 258",
                   "E pcnt: pcnt_unit_start(460): unit not enabled yet", "early 259",
                   "back -20: -50 -100 0 forward 40: 0 50 100 0 removed 0E pcnt: "
                   "pcnt_unit_remove_watch_point(702): watch point 50 not added yet",
                   " 259"});
}

TEST(countsAccumulateOverTheLimits) {
  PulseBoard board("a");
  EXPECT_EQUAL(board.result(), std::string("accumulated 240 -160 -184 -184"));
}

TEST(countsCrossZeroInFourWays) {
  PulseBoard board("z");
  EXPECT_EQUAL(board.result(), std::string("modes 1:0:0 -1:1:3 1:1:2 -1:1:0 1:1:1"));
}

TEST(pulseCounterHasItsErrors) {
  PulseBoard board("e");
  board.run(200 * kMillisecond);
  EXPECT_EQUAL(withoutTimes(board.lines()),
               std::vector<std::string>{
                   "E pcnt: pcnt_new_unit(215): invalid limit range:[0,100]",
                   "258E pcnt: pcnt_register_to_group(177): no free unit",
                   "E pcnt: pcnt_new_unit(234): register unit failed",
                   " 1E pcnt: pcnt_unit_set_glitch_filter(405): glitch width out of range",
                   " 258E pcnt: pcnt_new_channel(824): no free channel in unit (0,7)",
                   "E pcnt: pcnt_del_unit(337): channel 0 still in working",
                   " 1 259E pcnt: pcnt_del_unit(331): unit not in init state",
                   " 259E pcnt: pcnt_unit_stop(473): invalid argument", " 0 258"});
}

TEST(bothPulseDriversInOneProgramAbort) {
  PulseBoard board("x");
  board.run(50 * kMillisecond);
  EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_CRASHED));
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_ABORT));
}
