#include "Board.h"
#include "TableStorage.h"
#include "Testing.h"

namespace {

using Lines = std::vector<std::string>;

/// The sketch's output for a command, while the board sends 400 edges and 60 KB of messages.
Lines linesOf(const std::string& command) {
  TableStorage storage;
  Board board("HostMemory");
  board.answer = [&storage](const Message& call, Bytes& more) {
    return storage.answer(call, more);
  };
  board.run(kSecond / 20);
  board.sendSerial(command + "\n");
  board.run(50 * kMillisecond);
  for (uint32_t i = 0; i < 400; i++) board.send(CFC_PIN_INPUT, cfc_pin{4, i % 2 == 0});
  for (uint8_t i = 0; i < 60; i++) {
    board.send(CFC_HCI_PACKET, Bytes(1000, i));
    board.run(kMillisecond);
  }
  board.run(2 * kSecond);
  EXPECT_EQUAL(std::string(board.fault().message), std::string());
  EXPECT(!board.ended);
  return board.lines();
}

}  // namespace

TEST(theHostCoreTakesNothingOfTheHeap) {
  EXPECT_EQUAL(linesOf("keep"), (Lines{"stored 12345, edges 400, taken 0"}));
}

TEST(aTaskTakesItsStackAndItsControlBlock) {
  const int task = 3000 + 16 + 356 + 16;
  EXPECT_EQUAL(linesOf("task"),
               (Lines{"task " + std::to_string(task), "gone " + std::to_string(-task)}));
}

TEST(theHostCoreRunsInAFullHeap) {
  EXPECT_EQUAL(linesOf("full"), (Lines{"full 1", "stored 12345, edges 400, taken 0"}));
}
