#include <algorithm>
#include <cstring>

#include "Board.h"
#include "Testing.h"

namespace {

/// A board whose sketch has executed one command.
struct Heap : Board {
  explicit Heap(const std::string& command, const char* chip = "ESP32-D0WDQ6")
      : Board("Heap", CFC_RESET_POWER_ON, chip) {
    run(kSecond / 10);
    messages.clear();
    sendSerial(command + "\n");
    run(3 * kSecond);
  }

  /// The number after the words `what` in a line.
  long number(const std::string& what) const {
    for (const std::string& line : lines()) {
      if (line.compare(0, what.size() + 1, what + " ") == 0) {
        return std::stol(line.substr(what.size()));
      }
    }
    addFailure(__FILE__, __LINE__, "no line '" + what + "' in " + console());
    return -1;
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Checks a panic: its assertion, the function of the sketch, and the console output before it.
void expectPanic(const Heap& board, const std::string& text, const std::string& function,
                 const std::string& console = "") {
  EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_CRASHED));
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_ASSERT));
  EXPECT_EQUAL(std::string(board.fault().message), text);
  EXPECT_EQUAL(functionAt("Heap", board.fault().pc), function);
  if (console.empty()) {
    EXPECT(!contains(board.console(), "CORRUPT HEAP"));
  } else if (!contains(board.console(), console)) {
    EXPECT_EQUAL(board.console(), console);
  }
}

const char kBadBlock[] = "assert failed: multi_heap_free multi_heap_poisoning.c:279 (head != NULL)";

}  // namespace

TEST(aStringWithoutRoomIsInvalid) {
  Heap board("strings");
  // One block of 32 bytes with its head, its tail and its size.
  const std::pair<const char*, long> expected[] = {
      {"taken", 48}, {"longest", 1}, {"longer", 0},  {"kept", 1},   {"sum", 1},  {"twice", 1},
      {"grown", 1},  {"left", 0},    {"reserve", 0}, {"concat", 0}, {"copy", 0}, {"null", 1},
      {"inside", 1}, {"moved", 0},   {"nan", 1},     {"again", 1}};
  for (auto [what, value] : expected) EXPECT_EQUAL(board.number(what), value);
  std::vector<std::string> lines = board.lines();
  EXPECT_EQUAL(std::count(lines.begin(), lines.end(), "kept 1"), 2);
  EXPECT_EQUAL(std::count(lines.begin(), lines.end(), "sum 0"), 1);
  EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_SLEEPING));
}

TEST(theHeapHasTheSizeOfTheChips) {
  Heap board("state");
  // Values of h2zero's and Espressif's reports: see HeapRegions.cpp.
  EXPECT_EQUAL(board.number("size"), 260000);
  EXPECT(board.number("free") > 220000 && board.number("free") < 230000);
  EXPECT_EQUAL(board.number("longest"), 110580);
  EXPECT(board.number("minimum") <= board.number("free"));
  EXPECT_EQUAL(board.number("psram"), 0);
}

TEST(eachChipHasAHeapOfItsOwn) {
  EXPECT_EQUAL(Heap("state", "ESP32-C3").number("size"), 255556 - 8168);
  EXPECT_EQUAL(Heap("state", "ESP32-S3").number("size"), 302148 - 7912);
}

TEST(anAllocationFailsWhenTheHeapHasNoRoomForIt) {
  Heap board("limits");
  EXPECT_EQUAL(board.number("66 MB"), 0);
  EXPECT_EQUAL(board.number("longest"), 1);
  EXPECT_EQUAL(board.number("more"), 0);
  EXPECT_EQUAL(board.number("overflow"), 0);
  EXPECT_EQUAL(board.number("nothing"), 0);
}

TEST(anAllocationFailsInAFragmentedHeap) {
  Heap board("fragment");
  std::vector<std::string> lines = board.lines();
  auto last = lines.end();
  EXPECT(lines.size() >= 5);
  EXPECT_EQUAL(*(last - 4), std::string("half 1"));
  EXPECT_EQUAL(*(last - 3), std::string("heap_caps_malloc 2000 0x1800"));
  EXPECT_EQUAL(*(last - 2), std::string("2000 bytes 0"));
  EXPECT_EQUAL(*(last - 1), std::string("2000 bytes 1"));
}

TEST(theFreeBytesComeBack) {
  Heap board("back");
  // With head, tail and the size of the block.
  EXPECT_EQUAL(board.number("block"), 100 + 12 + 4);
  EXPECT_EQUAL(board.number("grown"), 120 + 12 + 4);
  EXPECT_EQUAL(board.number("left"), 0);
}

TEST(anOverrunBlockIsFoundWhenItIsFreed) {
  Heap board("overrun");
  expectPanic(board, kBadBlock, "overrun()",
              ". Expected 0xbaad5678 got 0xbaad5655\r\nintact 0\r\nCORRUPT HEAP: Bad tail at 0x");
}

TEST(theAddressOfABadTailIsTheChips) {
#ifdef __x86_64__
  EXPECT(contains(Heap("overrun").console(), "CORRUPT HEAP: Bad tail at 0x3ffb"));
#endif
}

TEST(aBlockWhoseHeadIsOverwrittenIsFoundWhenItIsFreed) {
  Heap board("underrun");
  expectPanic(board, kBadBlock, "underrun()", ". Expected 0xabba1234 got 0x55ba1234\r\n");
  EXPECT(contains(board.console(), "CORRUPT HEAP: Bad head at 0x"));
}

TEST(anOverrunBlockIsFoundWhenItGrows) {
  expectPanic(Heap("grow"),
              "assert failed: multi_heap_realloc multi_heap_poisoning.c:315 (head != NULL)",
              "grow()", ". Expected 0xbaad5678 got 0x55ad5678\r\n");
}

TEST(aBlockFreedTwiceHasABadHead) {
  // The links of the free list have overwritten the block's head.
  expectPanic(Heap("twice"), kBadBlock, "freeTwice()", "CORRUPT HEAP: Bad head at 0x");
}

TEST(aBlockFreedTwiceThatIsPartOfAnotherHasABadTail) {
  // The list has the block before it; the end of a free block has the address of its start.
  expectPanic(Heap("merged"), kBadBlock, "freeMerged()", "CORRUPT HEAP: Bad tail at 0x");
}

TEST(aBlockFreedTwiceIsFoundByItsMarkWhereItsHeadAndTailAreIntact) {
  Heap board("padded");
  EXPECT_EQUAL(board.number("same"), 1);
  expectPanic(
      board,
      "assert failed: tlsf_free tlsf.c:629 (!block_is_free(block) && \"block already marked "
      "as free\")",
      "freePadded()");
}

TEST(whatIsNoBlockCannotBeFreed) {
  expectPanic(Heap("foreign"),
              "assert failed: heap_caps_free heap_caps_base.c:80 (heap != NULL && \"free() target "
              "pointer is outside heap areas\")",
              "freeForeign()");
}

TEST(newThrowsWhenTheHeapHasNoRoom) {
  Heap board("objects");
  EXPECT_EQUAL(board.lines()[0], std::string("std::bad_alloc"));
  EXPECT_EQUAL(board.number("nothrow"), 0);
  EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_CRASHED));
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_EXCEPTION));
  EXPECT(contains(board.fault().message, "std::bad_alloc"));
}

TEST(aSmashedStackIsFoundWhenTheFunctionReturns) {
  Heap board("smash");
  EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_CRASHED));
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_PANIC));
  EXPECT_EQUAL(std::string(board.fault().message), std::string("Stack smashing protect failure!"));
  EXPECT_EQUAL(functionAt("Heap", board.fault().pc), std::string("smash()"));
}
