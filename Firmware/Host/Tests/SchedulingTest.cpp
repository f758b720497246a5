#include <algorithm>

#include "Board.h"
#include "Testing.h"

namespace {

using Lines = std::vector<std::string>;

/// The sketch's output for one of its cases.
Lines linesOf(const std::string& name) {
  Board board("Scheduling");
  board.run(kSecond / 20);
  board.sendSerial(name + "\n");
  board.run(kSecond);
  EXPECT(!board.ended);
  return board.lines();
}

/// The number after the last "after " of a line.
int after(const std::string& line) {
  size_t at = line.rfind("after ");
  return at == std::string::npos ? -1 : std::stoi(line.substr(at + 6));
}

}  // namespace

TEST(theTaskOfHighestPriorityRuns) {
  EXPECT_EQUAL(linesOf("priorities"), Lines{"high loop loop equal low "});
}

TEST(aTaskPreemptsAnotherThatPolls) {
  Lines lines = linesOf("preemption");
  EXPECT_EQUAL(lines.size(), 3u);
  lines.resize(3);
  const int start = std::stoi(lines[0].substr(6));
  EXPECT_EQUAL(after(lines[1]), start + 5);
  EXPECT_EQUAL(lines[1].substr(lines[1].size() - 6), std::string("core 1"));
  EXPECT_EQUAL(lines[2], std::string("loop after 20 ms, 1"));
}

TEST(aFlagOfTheOtherCoreEndsALoopThatReadsIt) {
  Lines lines = linesOf("spin");
  EXPECT_EQUAL(lines.size(), 1u);
  lines.resize(1);
  EXPECT(after(lines[0]) >= 20 && after(lines[0]) <= 21);
}

TEST(bothCoresHaveTheSameTime) {
  EXPECT_EQUAL(linesOf("cores"), (Lines{"200 300 400", "200 300 400"}));
}

TEST(aCriticalSectionExcludesTheOtherCore) {
  EXPECT_EQUAL(linesOf("critical"), Lines{"entered 200, overlaps 0"});
}

TEST(tasksAreSuspendedResumedAndDescribed) {
  Lines lines = linesOf("states");
  EXPECT(lines.size() > 9);
  lines.resize(std::max<size_t>(lines.size(), 10));
  EXPECT_EQUAL(Lines(lines.begin(), lines.begin() + 7),
               (Lines{"a name that is  2 1", "suspended 1, 0 more", "resumed, 1",
                      "core 0, priority 2, found 1", "stack 1", "tasks -1",
                      "loop: loopTask, core 1, priority 1"}));
  EXPECT_EQUAL(lines[7].substr(0, 19), std::string("loopTask       \tX\t1"));
  EXPECT_EQUAL(lines.back().substr(0, 19), std::string("IDLE1          \tR\t0"));
}

TEST(aTasksPointerIsItsOwnAndIsDeletedWithIt) {
  EXPECT_EQUAL(linesOf("locals"), (Lines{"mine", "deleted 0 mine", "loop's"}));
}

TEST(nothingRunsWhileTheSchedulerIsSuspended) {
  EXPECT_EQUAL(linesOf("suspendAll"), (Lines{"state 0", "loop high loop , 1"}));
}

TEST(tasksGoOnWithoutTheLoop) {
  EXPECT_EQUAL(linesOf("end"), (Lines{"end", "still here 0", "still here 1", "still here 2"}));
}
