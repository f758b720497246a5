// The promises of the table in Sources/Board/README.md, by a sketch that attacks each of them.
#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "Board.h"
#include "Testing.h"

namespace {

/// Why the kernel cannot keep the promises; empty when it can.
std::string missing() {
  if (prctl(PR_GET_SECCOMP) < 0 ||
      (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr, 0, 0) < 0 && errno == EINVAL)) {
    return "this kernel has no seccomp filters";
  }
  return "";
}

bool hasLandlock() { return syscall(444, nullptr, 0, 1) > 0; }

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A board whose sketch has done `how`.
struct Attacked : Board {
  explicit Attacked(const std::string& how) : Board("Hostile") {
    run(kSecond / 10);
    sendSerial(how + "\n");
    run(kSecond);
  }
};

void expectRefused(const std::string& how, const std::string& call, const std::string& function) {
  if (const std::string reason = missing(); !reason.empty()) return skip(reason);
  Attacked board(how);
  EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_CRASHED));
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_SYSTEM_CALL));
  EXPECT(contains(board.fault().message, call));
  bool isNamed = false;
  for (uint32_t i = 0; i < board.fault().frame_count; i++) {
    isNamed |= contains(functionAt("Hostile", board.fault().frames[i]), function);
  }
  EXPECT(isNamed);
}

}  // namespace

TEST(aHostileSketchReachesNothingOfTheMachine) {
  if (const std::string reason = missing(); !reason.empty()) return skip(reason);
  const int victim = open("/tmp/hostile-victim", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  // One that a program without care would inherit.
  dup2(victim, 5);
  Attacked board("attack");
  int attempts = 0;
  for (const std::string& line : board.lines()) {
    attempts += contains(line, ": at the start ");
    // Without Landlock the loader's right to read files is the constructors', too.
    const bool isExempt = !hasLandlock() && contains(line, "start DONE, later refused") &&
                          (contains(line, "read ") || contains(line, "list "));
    if (contains(line, "DONE") && !isExempt) addFailure(__FILE__, __LINE__, line);
  }
  EXPECT_EQUAL(attempts, 28);
  EXPECT(unlink("/tmp/hostile-victim") == 0);
  EXPECT(access("/tmp/hostile", F_OK) != 0);
  close(victim);
  close(5);
}

TEST(whatIsOpenedBeforeTheStartIsClosed) {
  if (const std::string reason = missing(); !reason.empty()) return skip(reason);
  Attacked board("library");
  EXPECT_EQUAL(board.lines().back(), std::string("opened 1, read later 0"));
}

TEST(aWaitForAnotherThreadIsReportedWithItsPlace) {
  expectRefused("wait", "a wait for another thread", "waitForNobody");
}

TEST(pauseIsReportedWithItsPlace) { expectRefused("pause", "pause()", "pauseForEver"); }

TEST(aWaitForAnotherWordThanTheTurnIsReported) {
  expectRefused("wait elsewhere", "a wait for another thread", "loop");
}

TEST(the64BitCallsOfA32BitProgramEndIt) {
#if defined(__x86_64__)
  if (const std::string reason = missing(); !reason.empty()) return skip(reason);
  int ends[2];
  EXPECT(pipe(ends) == 0);
  const pid_t parent = fork();
  if (parent == 0) {
    dup2(ends[1], STDERR_FILENO);
    // Does not return: it says how the process has ended.
    Attacked board("64 bits");
    _exit(board.lines().empty() ? 1 : 2);
  }
  close(ends[1]);
  std::string text;
  char part[256];
  for (ssize_t count; (count = read(ends[0], part, sizeof part)) > 0;) text.append(part, count);
  int status = 0;
  EXPECT(waitpid(parent, &status, 0) == parent);
  EXPECT_EQUAL(status, 70 << 8);
  char expected[32];
  snprintf(expected, sizeof expected, "wait status %#x\n", SIGSYS);
  EXPECT(contains(text, expected));
  close(ends[0]);
#else
  skip("only x86-64 has programs of two kinds");
#endif
}

TEST(firmwareEndsWithItsBoard) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  int ends[2];
  EXPECT(pipe(ends) == 0);
  const pid_t parent = fork();
  if (parent == 0) {
    Board board("Hostile");
    board.run(kSecond / 10);
    const pid_t firmware = board.process();
    (void)!write(ends[1], &firmware, sizeof firmware);
    board.sendSerial("spin\n");
    board.run(kSecond);
    _exit(0);
  }
  pid_t firmware = 0;
  EXPECT(read(ends[0], &firmware, sizeof firmware) == static_cast<ssize_t>(sizeof firmware));
  const timespec while_ = {0, 100'000'000};
  nanosleep(&while_, nullptr);
  kill(parent, SIGKILL);
  EXPECT(waitpid(parent, nullptr, 0) == parent);
  // Waits for ever where it goes on.
  int status = 0;
  alarm(10);
  EXPECT(waitpid(firmware, &status, 0) == firmware);
  alarm(0);
  EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  close(ends[0]);
  close(ends[1]);
}
