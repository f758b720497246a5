// The entry point: restricts the process, waits for the board, then runs the sketch.
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "Arduino.h"
#include "Runtime.h"

namespace espbench {
void openConsole();
}

namespace {

void limit(__rlimit_resource_t resource, rlim_t value) {
  struct rlimit limits = {value, value};
  setrlimit(resource, &limits);
}

/// Runs before the constructors of the sketch's globals, which may use Serial and the clock.
__attribute__((constructor(101))) void boot() {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NPROC, 0);
  limit(RLIMIT_DATA, 64u << 20);
  limit(RLIMIT_AS, 512u << 20);
  espbench::mapChannel();
  limit(RLIMIT_NOFILE, 3);
  espbench::installFaultHandlers();
  espbench::waitForStart();
  espbench::openConsole();
}

}  // namespace

int main() {
  setup();
  for (;;) {
    uint64_t before = espbench::turnCount();
    loop();
    if (espbench::turnCount() == before) {
      espbench::sleepUntil(espbench::now() + espbench::kTickNanoseconds);
    }
  }
}
