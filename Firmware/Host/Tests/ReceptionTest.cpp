#include "Board.h"
#include "Testing.h"

namespace {

/// A board with the sketch Reception, in a case.
class ReceptionBoard : public Board {
 public:
  explicit ReceptionBoard(const char* name) : Board("Reception") {
    run(50 * kMillisecond);
    send(CFC_PIN_INPUT, cfc_pin{4, CFC_PIN_HIGH});
    sendSerial(name);
    run(20 * kMillisecond);
  }

  /// Announces pulses, low ones first, from the next whole 10 ms of micros() on.
  void pulse(const std::vector<uint64_t>& nanoseconds) {
    constexpr uint64_t kStep = 10 * kMillisecond, kZero = bootTime - 100 * kMillisecond;
    uint64_t time = kZero + (now - kZero + 2 * kStep) / kStep * kStep;
    Bytes bytes;
    bool isHigh = false;
    for (size_t i = 0; i <= nanoseconds.size(); i++, isHigh = !isHigh) {
      const cfc_level level = {4, isHigh ? uint32_t{CFC_PIN_HIGH} : uint32_t{CFC_PIN_LOW}, time};
      const auto* at = reinterpret_cast<const uint8_t*>(&level);
      bytes.insert(bytes.end(), at, at + sizeof level);
      if (i < nanoseconds.size()) time += nanoseconds[i];
    }
    send(CFC_PIN_LEVELS, bytes);
  }
  std::string result(uint64_t time = 200 * kMillisecond) {
    run(time);
    return lines().back();
  }
};

}  // namespace

TEST(receptionsEndByTheIdleTime) {
  // An odd number of pulses: the end is the second half of the last symbol.
  ReceptionBoard odd("w");
  odd.pulse({80000, 81000, 54000});
  EXPECT_EQUAL(odd.result(), std::string("read 1 at 716 2: 0:80 1:81 0:54 1:0"));
  ReceptionBoard even("w");
  even.pulse({80000, 81999});
  EXPECT_EQUAL(even.result(), std::string("read 1 at 662 2: 0:80 1:81 0:0 0:0"));
  // The idle time ends a reception within a pulse that is longer; the next one is not received.
  ReceptionBoard longer("w");
  longer.pulse({80000, 81000, 600000, 1000});
  EXPECT_EQUAL(longer.result(), std::string("read 1 at 662 2: 0:80 1:81 0:0 0:0"));
}

TEST(receptionsCountWholeTicks) {
  ReceptionBoard board("p");
  board.pulse({26000, 26000, 26000});
  // 10.4 ticks each, without drift.
  EXPECT_EQUAL(board.result(), std::string("async 1 0 2: 0:10 1:10 0:11 1:0"));
}

TEST(receptionsFilterShortPulses) {
  ReceptionBoard board("f");
  board.pulse({100000, 2999, 100000, 3000, 50000});
  EXPECT_EQUAL(board.result(), std::string("filtered 2: 0:202 1:3 0:50 1:0"));
}

TEST(receptionsAreCutToTheMemory) {
  ReceptionBoard board("l");
  board.pulse({10000, 11000, 12000, 13000, 14000, 15000});
  EXPECT_EQUAL(board.result(), std::string("small 2 5555: 0:10 1:11 0:12 1:13"));
  board.pulse(std::vector<uint64_t>(151, 10000));
  EXPECT_EQUAL(board.result(), std::string("large 64 10"));
}

TEST(receptionsHaveTheErrorsOfTheChip) {
  ReceptionBoard board("e");
  board.run(kSecond);
  std::vector<std::string> lines = board.lines();
  for (std::string& line : lines) {
    const size_t at = line.find("E (");
    if (at != std::string::npos) line.replace(at, line.find(')') + 1 - at, "E");
  }
  EXPECT_EQUAL(
      lines,
      std::vector<std::string>{
          "none 0 0 pins 0E gpio: gpio_pullup_en(78): GPIO number error (input-only pad has no "
          "internal PU)",
          " 1", "directions 0 0 carrier 0 null 0 done 1",
          "E rmt: rmt_receive(396): signal_range_min_ns too big, should be less than 3187 ns",
          "long filter 0", "time-out 0", "E rmt: rmt_receive(401): channel not in enable state",
          "again 0", "deinit 1 0"});
}
