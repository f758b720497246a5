// Tests each guarantee of the table in Sources/Board/README.md with a sketch that attacks it.
#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <map>

#include "Board.h"
#include "Testing.h"

namespace {

/// The reason why the kernel cannot give the guarantees; empty when it can.
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

/// A board whose sketch has made the attack `how`.
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

/// Cases without a guarantee in the table: they succeed at the start, and in loop() where noted.
const std::map<std::string, const char*> kNotPromised = {
    {"read a library", "at the start DONE, later refused"},
    {"use the channel's descriptor", "at the start DONE, later refused"},
    {"see that a file exists", "at the start DONE, later refused"},
    {"see the machine's name", "at the start DONE, later DONE"},
    {"see the machine's clock", "at the start DONE, later DONE"},
};

TEST(aHostileSketchReachesNothingOfTheMachine) {
  if (const std::string reason = missing(); !reason.empty()) return skip(reason);
  const int victim = open("/tmp/hostile-victim", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  EXPECT(write(victim, "intact", 6) == 6);
  // A descriptor that a program would inherit without precautions.
  dup2(victim, 5);
  Attacked board("attack");
  int attempts = 0;
  size_t exceptions = 0;
  for (const std::string& line : board.lines()) {
    const size_t end = line.find(": at the start ");
    if (end == std::string::npos) continue;
    attempts++;
    const std::string outcome = line.substr(end + 2);
    const auto exception = kNotPromised.find(line.substr(0, end));
    if (exception != kNotPromised.end()) {
      exceptions++;
      EXPECT_EQUAL(outcome, std::string(exception->second));
      continue;
    }
    // Without Landlock, constructors have the loader's right to read files, too.
    const bool isExempt = !hasLandlock() && outcome == "at the start DONE, later refused" &&
                          (contains(line, "read ") || contains(line, "list "));
    if (!isExempt && outcome != "at the start refused, later refused") {
      addFailure(__FILE__, __LINE__, line);
    }
  }
  EXPECT_EQUAL(attempts, 58);
  EXPECT_EQUAL(exceptions, kNotPromised.size());
  struct stat status = {};
  EXPECT(fstat(victim, &status) == 0);
  EXPECT_EQUAL(status.st_size, 6);
  EXPECT_EQUAL(status.st_mode & 0777u, 0600u);
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

TEST(callsThatReachOthersAreReportedWithTheirPlace) {
  expectRefused("signal", "kill()", "signalParent");
  expectRefused("execute", "execve()", "executeShell");
}

TEST(the64BitCallsOfA32BitProgramEndIt) {
#if defined(__x86_64__)
  expectRefused("64 bits", "system call 62 of a program with 64 bits", "callAs64BitProgram");
#else
  skip("only x86-64 has programs of two kinds");
#endif
}

TEST(aProgramThatEndsItselfSaysWhere) {
  expectRefused("exit", "exit(3)", "endItself");
  if (const std::string reason = missing(); !reason.empty()) return;
  // The C library's message, as on the chip.
  Attacked board("_exit");
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_ABORT));
  EXPECT_EQUAL(std::string(board.fault().message), std::string("_exit() was called"));
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
  // This waits forever if the process continues.
  int status = 0;
  alarm(10);
  EXPECT(waitpid(firmware, &status, 0) == firmware);
  alarm(0);
  EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  close(ends[0]);
  close(ends[1]);
}
