#include "Board.h"
#include "Testing.h"

using Lines = std::vector<std::string>;

TEST(callbacksWaitForTheMutexOfTheLoop) {
  Board board("Mutex");
  board.run(kSecond / 50);
  EXPECT_EQUAL(board.lines(), Lines{"given 0", "taken 1"});
  cfc_connection connection = {};
  board.send(CFC_BLE_CONNECTED, cfc_connection_event{1, 0, connection, 0});
  board.run(kSecond / 50);
  EXPECT_EQUAL(board.lines(), Lines{"given 0", "taken 1"});
  // The callback runs as soon as the loop releases the mutex.
  board.run(kSecond / 20);
  EXPECT_EQUAL(board.lines(),
               Lines{"given 0", "taken 1", "taken 0 after 20", "given 1", "connected 1"});
}

TEST(takingAMutexTwiceBlocksForever) {
  Board board("Mutex");
  board.run(10 * kSecond);
  EXPECT_EQUAL(board.lines().back(), std::string("for ever"));
  EXPECT(!board.ended);
}

TEST(aSketchsBuildFlagsApplyToTheHost) {
  Board board("Mutex");
  board.run(kSecond / 10);
  EXPECT_EQUAL(board.received(CFC_SECURITY).back().payload,
               Bytes{3, 0, 0, 0, 3, 3, 1, 4, 12, 5, 2, 0, 12, 0, 0, 1});
}

TEST(settingsDefinedInSourcesHaveNoEffect) {
  Board board("Defines");
  board.run(kSecond / 10);
  const auto settings = board.received(CFC_SECURITY);
  EXPECT_EQUAL(settings.size(), 2u);
  for (const auto& message : settings) {
    EXPECT_EQUAL(message.payload, Bytes{3, 0, 0, 0, 3, 3, 0, 3, 8, 3, 1, 0, 12, 0, 0, 1});
  }
}
