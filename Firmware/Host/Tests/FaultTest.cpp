#include <signal.h>

#include <cstring>

#include "Board.h"
#include "Testing.h"

namespace {

/// A board whose sketch terminates as selected.
struct Ended : Board {
  explicit Ended(const std::string& how) : Board("Fault") {
    run(kSecond / 10);
    sendSerial(how + "\n");
    runToEnd();
  }
  std::string message() const { return fault().message; }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST(anInvalidAccessIsReported) {
  Ended board("crash");
  EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_CRASHED));
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_SIGNAL));
  EXPECT_EQUAL(board.fault().signal, static_cast<uint32_t>(SIGSEGV));
  EXPECT_EQUAL(board.fault().fault_address, 8u);
  // Earlier output is not lost.
  EXPECT_EQUAL(board.lines().back(), std::string("crash"));
}

TEST(theRegistersOfPinsAreNotThere) {
  EXPECT_EQUAL(Ended("register").fault().fault_address, 0x3FF44010u);
}

#ifdef __x86_64__
TEST(aFailedAccessIsALoadAStoreOrAFetch) {
  EXPECT_EQUAL(Ended("crash").fault().access, static_cast<uint32_t>(CFC_ACCESS_STORE));
  Ended load("load");
  EXPECT_EQUAL(load.fault().access, static_cast<uint32_t>(CFC_ACCESS_LOAD));
  EXPECT_EQUAL(functionAt("Fault", load.fault().frames[0]), std::string("look()"));
  Ended fetch("fetch");
  EXPECT_EQUAL(fetch.fault().access, static_cast<uint32_t>(CFC_ACCESS_FETCH));
  EXPECT_EQUAL(fetch.fault().fault_address, 8u);
  EXPECT_EQUAL(functionAt("Fault", fetch.fault().frames[0]), std::string("loop()"));
  EXPECT_EQUAL(Ended("divide").fault().access, static_cast<uint32_t>(CFC_ACCESS_UNKNOWN));
}
#endif

TEST(theBacktraceStartsAtTheCrash) {
  Ended board("crash");
  EXPECT(board.fault().frame_count >= 3);
  EXPECT_EQUAL(board.fault().pc, board.fault().frames[0]);
  EXPECT_EQUAL(functionAt("Fault", board.fault().frames[0]), std::string("crash()"));
  EXPECT_EQUAL(functionAt("Fault", board.fault().frames[1]), std::string("loop()"));
}

TEST(aDivisionByZeroIsReported) {
  EXPECT_EQUAL(Ended("divide").fault().signal, static_cast<uint32_t>(SIGFPE));
}

TEST(anEmptyLoopStarvesTheIdleTask) {
  Ended board("empty");
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_TASK_WATCHDOG));
  EXPECT_EQUAL(board.message(), std::string("IDLE0 (CPU 0)\n"));
  EXPECT_EQUAL(std::string(board.fault().task), std::string("hands"));
  EXPECT_EQUAL(board.fault().core, 0u);
}

TEST(anEmptyLoopWithoutInterruptsIsReported) {
  for (const char* how : {"critical", "flash in a section", "flash in an interrupt"}) {
    EXPECT_EQUAL(Ended(how).fault().kind, static_cast<uint32_t>(CFC_FAULT_INTERRUPT_WATCHDOG));
  }
}

TEST(anInterruptMayNotPrintWithTheCLibrary) {
  Ended board("print in an interrupt");
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_ABORT));
  EXPECT_EQUAL(board.fault().in_interrupt, 1u);
  // The timer's interrupt ran on the core of the waiting loop.
  EXPECT_EQUAL(board.fault().core, 1u);
  EXPECT_EQUAL(std::string(board.fault().task), std::string("IDLE1"));
}

TEST(nothingWatchesAnEmptyLoopOfTheSecondCore) {
  Board board("Fault");
  board.run(kSecond / 10);
  board.sendSerial("halt\n");
  board.run(20 * kSecond);
  EXPECT_EQUAL(board.fault().kind, 0u);
}

TEST(aSmashedStackIsReportedHoweverFar) {
  Ended board("smash");
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_PANIC));
  EXPECT(contains(board.message(), "Stack smashing protect failure!"));
}

#if defined(__i386__)
TEST(aQuotientThatOverflowsIsNoException) {
  for (auto& [how, result] : {std::pair{"quotient", "-2147483648"}, {"remainder", "\r\n0\r\n"}}) {
    Board board("Fault");
    board.run(kSecond / 10);
    board.sendSerial(std::string(how) + "\n");
    board.run(kSecond);
    EXPECT(contains(board.console(), result));
  }
}
#endif

TEST(aStaticVariableIsInitialisedOnceByOneTask) {
  Board board("Fault");
  board.run(kSecond / 10);
  board.sendSerial("static\n");
  board.run(kSecond);
  EXPECT(contains(board.console(), "made by 1 and 1, errno 1"));
}

TEST(aMutexOfTheLibraryMakesATaskWait) {
  Board board("Fault");
  board.run(kSecond / 10);
  board.sendSerial("mutex\n");
  board.run(kSecond);
  // The task checks at each tick.
  EXPECT(contains(board.console(), "locked after 51"));
}

TEST(aThreadOfTheLibraryIsRefused) {
  Ended board("thread");
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_EXCEPTION));
  EXPECT(contains(board.message(), "uncaught std::system_error"));
}

TEST(anEndlessRecursionIsReported) {
  Ended board("recurse");
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_STACK));
  EXPECT_EQUAL(board.fault().signal, static_cast<uint32_t>(SIGSEGV));
  EXPECT_EQUAL(std::string(board.fault().task), std::string("loopTask"));
  EXPECT_EQUAL(functionAt("Fault", board.fault().frames[1]), std::string("recurse(int)"));
}

TEST(anAbortIsReported) {
  Ended board("abort");
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_ABORT));
  EXPECT_EQUAL(functionAt("Fault", board.fault().pc), std::string("loop()"));
}

TEST(aFailedAssertionHasItsText) {
  Ended board("assert");
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_ASSERT));
  EXPECT(contains(board.message(), "assert failed: "));
  EXPECT(contains(board.message(), " Fault.ino:"));
  EXPECT(contains(board.message(), "(zero == 1)"));
  EXPECT_EQUAL(functionAt("Fault", board.fault().pc), std::string("loop()"));
}

TEST(anUncaughtExceptionHasItsText) {
  Ended board("throw");
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_EXCEPTION));
  EXPECT_EQUAL(board.message(), std::string("uncaught std::runtime_error: thrown on purpose"));
  EXPECT_EQUAL(functionAt("Fault", board.fault().pc), std::string("loop()"));
}

TEST(exitIsReportedAsAFault) {
  Ended board("exit");
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_ABORT));
  EXPECT_EQUAL(board.message(), std::string("exit() was called"));
}

TEST(memoryIsLimited) {
  Ended board("memory");
  EXPECT_EQUAL(board.message(), std::string("uncaught std::bad_alloc: std::bad_alloc"));
}

// On an ESP32 no watchdog monitors the loop's task.
TEST(anEndlessLoopInTheLoopsTaskLetsTimePass) {
  Ended board("spin");
  EXPECT(!board.ended);
  EXPECT(board.now >= Board::bootTime + 10 * kSecond);
}

TEST(aRestartSendsPendingOutput) {
  Ended board("restart");
  EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_RESTARTING));
  EXPECT_EQUAL(board.lines().back(), std::string("restart"));
  // "restart" and CRLF are on the line when the chip restarts.
  auto output = board.received(CFC_SERIAL_OUTPUT).back();
  uint64_t sent = output.as<cfc_serial_output>().line_ns + 9 * 10 * kSecond / 115200;
  EXPECT(board.now >= sent);
}

TEST(theSketchReadsTheResetReason) {
  Board board("Fault", CFC_RESET_PANIC);
  board.run(kSecond);
  EXPECT_EQUAL(board.lines()[0], std::string("reset reason 4"));
}
