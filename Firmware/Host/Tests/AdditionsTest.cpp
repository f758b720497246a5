#include "Board.h"
#include "Testing.h"

namespace {

using Lines = std::vector<std::string>;

/// A board whose sketch has run one of its cases.
struct Additions : Board {
  explicit Additions(const std::string& name) : Board("Additions") {
    run(kSecond / 20);
    sendSerial(name + "\n");
    run(10 * kSecond);
  }
};

std::string assertionOf(const std::string& name) {
  Additions board(name);
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_ASSERT));
  return board.fault().message;
}

}  // namespace

TEST(tasksHaveMemoryWithCapabilities) {
  // The stack and the control block, each with 16 bytes of heap overhead.
  EXPECT_EQUAL(Additions("task").lines(),
               (Lines{"created 1, with caps ran 1, taken 3388, left 0", "without memory 0",
                      "itself: left 0, tasks 3", "lost 3388"}));
}

TEST(objectsHaveMemoryWithCapabilities) {
  EXPECT_EQUAL(Additions("objects").lines(),
               (Lines{"queue 7, counting 2, mutex 1, binary 0, recursive 1",
                      "stream 4, message 4, bits 5, none 1", "left 0"}));
}

TEST(theTaskWatchdogWatchesUsers) {
  EXPECT_EQUAL(
      Additions("user").lines(),
      (Lines{"E (153) task_wdt: esp_task_wdt_add_user(685): Invalid arguments", "nameless 258",
             "added 0", "E (8153) task_wdt: esp_task_wdt_deinit(650): Tasks/users still subscribed",
             "deinit 259", "deleted 0", "E (8153) task_wdt: delete_entry(245): user not found",
             "again 261", "E (8163) task_wdt: esp_task_wdt_reset_user(731): user handle not found",
             "reset 261"}));
  Additions late("late user");
  EXPECT_EQUAL(late.fault().kind, static_cast<uint32_t>(CFC_FAULT_TASK_WATCHDOG));
  EXPECT_EQUAL(std::string(late.fault().message), std::string("sensor (CPU 0/1)\n"));
}

TEST(theTimersThatRunAreListed) {
  Lines lines = Additions("timers").lines();
  EXPECT_EQUAL(lines.size(), 9u);
  // The addresses that the sketch prints are those of the list, which has the earliest one first.
  auto address = [&lines](const std::string& after) {
    const size_t start = lines.at(2).find(after) + after.size();
    std::string text = lines.at(2).substr(start, lines.at(2).find(' ', start) - start);
    return "timer@" + text + std::string(14 - text.size(), ' ');
  };
  const std::string once = address("once "), periodic = address("periodic ");
  const std::string head = "Name                  Period      Alarm       ";
  EXPECT_EQUAL(lines[0], std::string("Timer stats:"));
  EXPECT_EQUAL(lines[1], head);
  EXPECT_EQUAL(lines[4], head);
  EXPECT_EQUAL(lines[5].substr(0, 34), once + "  0           ");
  EXPECT_EQUAL(lines[6].substr(0, 34), periodic + "  3000000     ");
  // Microseconds since boot: 153 ms, and 2 s or 3 s.
  EXPECT_EQUAL(lines[5].substr(34, 4), std::string("2153"));
  EXPECT_EQUAL(lines[6].substr(34, 4), std::string("3153"));
  EXPECT_EQUAL(lines[7], std::string("listed 0"));
  EXPECT_EQUAL(lines[8], std::string("without a stream 0"));
}

TEST(theBlocksOfTheHeapAreWalked) {
  EXPECT_EQUAL(Additions("walk").lines(),
               (Lines{"heaps 5, block 112, as told 1 1, bytes 1", "none 0"}));
  EXPECT_EQUAL(assertionOf("walk nothing"),
               std::string("assert failed: heap_caps_walk heap_caps.c:598 (walker_func != NULL)"));
}

TEST(theBlocksOfTheHeapAreListed) {
  Lines lines = Additions("dump").lines();
  size_t heaps = 0, free = 0, used = 0;
  for (const std::string& line : lines) {
    if (line.find("Showing data for heap: 0x3ff") == 0) heaps++;
    if (line.find("Block 0x3ff") != 0 || line.find(" data, size: ") == std::string::npos) continue;
    if (line.find(" bytes, Free: Yes ") != std::string::npos) free++;
    if (line.find(" bytes, Free: No ") != std::string::npos) used++;
  }
  EXPECT_EQUAL(heaps, 5u);
  EXPECT(used > 20 && free > 0);
  EXPECT_EQUAL(lines.size(), heaps + used + free);
}

TEST(onlyTasksCreatedWithCapabilitiesAreDeletedSo) {
  EXPECT_EQUAL(assertionOf("delete another"),
               std::string("assert failed: prvTaskDeleteWithCaps idf_additions.c:111 "
                           "(xResult == ( ( BaseType_t ) 1 ))"));
}
