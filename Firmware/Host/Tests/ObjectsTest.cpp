#include "Board.h"
#include "Testing.h"

namespace {

using Lines = std::vector<std::string>;

/// The sketch's output for one of its cases.
Lines linesOf(const std::string& name) {
  Board board("Objects");
  board.run(kSecond / 20);
  board.sendSerial(name + "\n");
  board.run(kSecond);
  EXPECT(!board.ended);
  return board.lines();
}

}  // namespace

TEST(queuesKeepTheOrderAndTheTime) {
  EXPECT_EQUAL(linesOf("queues"),
               (Lines{"empty 0 after 20", "waiting 2, spaces 0",
                      "1 2 3 4 5 full 0 after 10, first 8, then 0", "overwritten 3"}));
}

TEST(semaphoresCount) {
  EXPECT_EQUAL(linesOf("semaphores"),
               (Lines{"binary 0 1 0", "counting 5, more 0", "recursive held 1 0, again 0"}));
}

TEST(theHolderOfAMutexInheritsThePriorityOfThoseThatWait) {
  EXPECT_EQUAL(linesOf("inheritance"),
               (Lines{"inherited 5", "high took 1 after 4", "then 1", "inherited 5", "high took 0",
                      "after the time-out 1"}));
}

TEST(tasksWaitForBitsOfAnEventGroup) {
  EXPECT_EQUAL(linesOf("eventGroups"), (Lines{"any 1 after 5", "all 6 after 10", "none 0 after 13",
                                              "sync 24 after 15", "left 32"}));
}

TEST(notificationsHaveAValue) {
  EXPECT_EQUAL(linesOf("notifications"), (Lines{"none 0 0", "bits 1 30, left 20", "count 3 2 0",
                                                "set 0 before 9", "value 1 9"}));
}

TEST(buffersTransferBytesAndMessages) {
  EXPECT_EQUAL(linesOf("buffers"), (Lines{"abcdefgh after 10", "sent 8, 012, left 5",
                                          "no room 0, too long 0, one, next 5"}));
}

TEST(aQueueSetTellsWhichMemberHasSomething) {
  EXPECT_EQUAL(linesOf("sets"), (Lines{"semaphore 1 1", "queue 1 4", "none 1"}));
}

TEST(objectsForWhichTheHeapHasNoRoomAreNotCreated) {
  EXPECT_EQUAL(linesOf("noRoom"), (Lines{"queue 0, buffer 0", "task -1, some 1, as fit 1",
                                         "freed 1", "static 1, takes 0"}));
}
