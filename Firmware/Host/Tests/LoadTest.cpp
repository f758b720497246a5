// The same input gives the same messages at the same instants, under any load of the machine.
#include <optional>

#include "Board.h"
#include "Processors.h"
#include "Testing.h"

namespace {

/// The input of a board in two seconds: edges and text, at instants between ticks.
void play(Board& board) {
  for (uint32_t i = 0; i < 60; i++) {
    board.run(33333 * kMicrosecond);
    board.send(CFC_PIN_INPUT, cfc_pin{4, i % 2 == 0});
    if (i % 7 == 0) board.sendSerial("text " + std::to_string(i) + "\n");
  }
}

}  // namespace

TEST(aRunIsTheSameWhileTheMachineIsBusy) {
  Board idle("Load");
  play(idle);
  EXPECT(!idle.ended);
  EXPECT(idle.lines().size() > 200);
  std::optional<BusyProcessors> others(std::in_place);
  Board busy("Load");
  play(busy);
  others.reset();
  expectSameRun(idle, busy);
}
