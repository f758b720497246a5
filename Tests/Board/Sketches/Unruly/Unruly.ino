// Passes the host core by, as the line says that it reads: calls of this
// machine, and nonsense in the memory that it shares with the board.
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace espbench {
void* channel();
}

namespace {

/// Words of the channel's header (firmware_channel.h).
enum { kTurn = 2, kStatus = 6, kTime = 12, kWake = 14, kLength = 17 };
/// Where messages to the board are.
constexpr unsigned kToBoard = 4096 + 65536;

volatile uint32_t* words;
/// Never: calls that return for all that the compiler knows have places of
/// their own.
volatile bool isOver;

/// Gives the turn to the board by itself, again and again. With a wake-up time
/// that has passed, no time passes.
__attribute__((no_sanitize_coverage, noinline)) void giveTurn(uint32_t status, uint32_t length) {
  while (!isOver) {
    words[kStatus] = status;
    words[kLength] = length;
    words[kWake] = words[kWake + 1] = 0;
    __atomic_store_n(&words[kTurn], 0, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &words[kTurn], FUTEX_WAKE, 1, nullptr);
    while (__atomic_load_n(&words[kTurn], __ATOMIC_SEQ_CST) == 0) {
    }
  }
}

/// One message of 8 bytes that says it is of this type and length, and `later`
/// times 4.3 s late.
__attribute__((noinline)) void sendMessage(uint16_t type, uint32_t length, uint32_t later = 0,
                                           uint32_t status = 0) {
  volatile uint32_t* message = words + kToBoard / 4;
  message[0] = type;
  message[1] = length;
  message[2] = words[kTime];
  message[3] = words[kTime + 1] + later;
  giveTurn(status, 16 + length % 16);
}

__attribute__((noinline)) void pauseForEver() {
  pause();
  Serial.println("awake");
}

__attribute__((noinline)) void exitByCall(int status) { syscall(SYS_exit_group, status); }

}  // namespace

void setup() {
  Serial.begin(115200);
  Serial.println("ready");
}

void loop() {
  if (Serial.available() == 0) {
    delay(10);
    return;
  }
  words = static_cast<volatile uint32_t*>(espbench::channel());
  const String how = Serial.readStringUntil('\n');
  if (how == "stand") giveTurn(0, 0);
  if (how == "call again") sendMessage(64, 0, 0, 1);
  if (how == "type") sendMessage(500, 8);
  if (how == "short") sendMessage(97, 8);
  if (how == "cut") sendMessage(66, 2000);
  if (how == "late") sendMessage(102, 8, 1);
  if (how == "ahead") {
    words[kTime + 1] = words[kTime + 1] + 1;
    giveTurn(0, 0);
  }
  if (how == "long") giveTurn(0, 300000);
  if (how == "status") giveTurn(77, 0);
  if (how == "call") giveTurn(1, 0);
  if (how == "fault") giveTurn(3, 0);
  if (how == "pause") pauseForEver();
  if (how == "exit") exitByCall(3);
  // With the mark of the host core's own exits.
  if (how == "leave") exitByCall(0x45500003);
  if (how == "_exit") _exit(3);
  if (how == "unheard") {
    signal(SIGSYS, SIG_DFL);
    pauseForEver();
  }
  if (how == "kill") {
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
  }
}
