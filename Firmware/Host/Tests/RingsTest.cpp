#include "Board.h"
#include "Testing.h"

namespace {

using Lines = std::vector<std::string>;

/// A board whose sketch has run one of its cases.
struct Rings : Board {
  explicit Rings(const std::string& name) : Board("Rings") {
    run(kSecond / 20);
    sendSerial(name + "\n");
    run(2 * kSecond);
  }
};

}  // namespace

TEST(itemsOfARingBufferAreReturnedInAnyOrder) {
  EXPECT_EQUAL(
      Rings("no split").lines(),
      (Lines{"longest 24", "sent 1 1 1 0", "free 0 read 0 write 44 acquire 44 waiting 3 room 12",
             "[one] [second] free 0 read 28 write 44 acquire 44 waiting 1 room 12",
             "free 28 read 28 write 44 acquire 44 waiting 1 room 20",
             "sent 1 [three] [a longer one ......] free 28 read 28 write 28 acquire 28 "
             "waiting 0 room 24"}));
}

TEST(anItemIsSplitAtTheEndOfARingBuffer) {
  EXPECT_EQUAL(Rings("split").lines(),
               (Lines{"longest 32, sent 1 1", "[0123456789abcdef] 1 sent 1 [spli][t in two parts]",
                      "free 24 read 24 write 24 acquire 24 waiting 0 room 32", "more 0"}));
}

TEST(aByteBufferGivesWhatLiesTogether) {
  EXPECT_EQUAL(Rings("bytes").lines(),
               (Lines{"sent 1 0, nothing 1", "[01234] again 0 sent 1 [56789][abcde]",
                      "free 5 read 5 write 5 acquire 5 waiting 0 room 10",
                      "Rb size:10\tfree: 10\trptr: 5\tfreeptr: 5\twptr: 5, aptr: 5"}));
}

TEST(acquiredItemsAreReadInTheirOrder) {
  EXPECT_EQUAL(Rings("acquire").lines(), (Lines{"[none] [1st] [2nd] "}));
}

TEST(tasksWaitForRingBuffers) {
  EXPECT_EQUAL(Rings("waits").lines(),
               (Lines{"full 0 after 3", "first one after 3", "from a task after 8",
                      "from a task after 13", "from a task after 18", "interrupt"}));
}

TEST(aRingBufferIsAMemberOfAQueueSet) {
  EXPECT_EQUAL(Rings("set").lines(),
               (Lines{"added 1, again 0, ring 1, removed with an item 0, [in a set] then 1"}));
}

TEST(misusesOfRingBuffersFailTheChipsAssertions) {
  EXPECT_EQUAL(std::string(Rings("return twice").fault().message),
               std::string("assert failed: prvReturnItemDefault ringbuf.c:621 "
                           "((pxCurHeader->uxItemFlags & ( ( UBaseType_t ) 1 )) == 0)"));
  EXPECT_EQUAL(std::string(Rings("receive split").fault().message),
               std::string("assert failed: xRingbufferReceive ringbuf.c:1107 "
                           "((pxRingbuffer->uxRingbufferFlags & ( ( UBaseType_t ) 1 )) == 0)"));
}

TEST(aRingBufferTakesItsMemoryOfTheHeap) { EXPECT_EQUAL(Rings("no room").lines(), (Lines{"0"})); }
