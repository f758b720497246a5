#include <cstring>

#include "Board.h"
#include "Testing.h"

namespace {

std::vector<cfc_pulse> pulsesOf(const Message& message) {
  const Bytes bytes = message.after<cfc_pulses>();
  std::vector<cfc_pulse> pulses(message.as<cfc_pulses>().count);
  EXPECT_EQUAL(bytes.size(), pulses.size() * sizeof(cfc_pulse));
  memcpy(pulses.data(), bytes.data(), bytes.size());
  return pulses;
}

/// The colours that the pulses of 24 bits give, which must have the durations of a WS2812.
std::string colorsOf(const Message& message) {
  uint32_t value = 0;
  const std::vector<cfc_pulse> pulses = pulsesOf(message);
  for (size_t i = 0; i + 1 < pulses.size(); i += 2) {
    EXPECT_EQUAL(pulses[i].level, 1u);
    EXPECT_EQUAL(pulses[i + 1].level, 0u);
    EXPECT_EQUAL(pulses[i].duration_ns + pulses[i + 1].duration_ns, 1200u);
    EXPECT(pulses[i].duration_ns == 800 || pulses[i].duration_ns == 400);
    value = value << 1 | (pulses[i].duration_ns == 800);
  }
  char text[16];
  snprintf(text, sizeof text, "%zu %06x", pulses.size(), value);
  return text;
}

/// The messages of a pin: pulses with their durations in us, and levels.
std::vector<std::string> eventsOf(const Board& board, uint32_t pin) {
  std::vector<std::string> events;
  for (const Message& message : board.messages) {
    std::string text;
    if (message.type == CFC_PULSES && message.as<cfc_pulses>().pin == pin) {
      const std::vector<cfc_pulse> pulses = pulsesOf(message);
      text = std::to_string(pulses.size());
      for (size_t i = 0; i < pulses.size() && i < 3; i++) {
        text += " " + std::to_string(pulses[i].level) + ":" +
                std::to_string(pulses[i].duration_ns / kMicrosecond);
      }
    } else if (message.type == CFC_PIN_OUTPUT && message.as<cfc_pin>().pin == pin) {
      text = "level " + std::to_string(message.as<cfc_pin>().value);
    } else {
      continue;
    }
    events.push_back(text);
  }
  return events;
}

}  // namespace

TEST(anLEDGetsItsColours) {
  Board board("Pulses");
  board.run(kSecond);
  std::vector<std::string> colors;
  for (const Message& message : board.received(CFC_PULSES)) {
    if (message.as<cfc_pulses>().pin == 2) colors.push_back(colorsOf(message));
  }
  EXPECT_EQUAL(colors, std::vector<std::string>{"48 428124", "48 248142"});
}

TEST(transmissionsTakeTheirTime) {
  Board board("Pulses");
  board.run(kSecond);
  EXPECT_EQUAL(board.lines(),
               std::vector<std::string>{"not begun 0 0 0 0", "input-only 0 too fast 0 memory 1 0 1",
                                        "nothing 0", "waited 1 35",
                                        "time-out 0, complete 0, another 0, complete 1",
                                        "async 1 0", "loop 0 1 1", "many 246", "pin 1 0", "done"});
}

TEST(pulsesEndWithTheIdleLevel) {
  Board board("Pulses");
  board.run(kSecond);
  // A loop repeats its 300 us in parts of at least a millisecond; 16400 pulses are two messages.
  EXPECT_EQUAL(
      eventsOf(board, 16),
      std::vector<std::string>{"level 0", "3 1:1000 0:500 1:2000", "level 0", "2 1:1000 0:500",
                               "level 1", "2 1:1000 0:500", "level 1", "8 1:100 0:200 1:100",
                               "8 1:100 0:200 1:100", "level 1", "16384 1:2 0:1 1:2",
                               "16 1:2 0:1 1:2", "level 1", "level 2", "level 1"});
}
