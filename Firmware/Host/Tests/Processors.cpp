#include "Processors.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

BusyProcessors::BusyProcessors() {
  for (long i = 2 * sysconf(_SC_NPROCESSORS_ONLN); i > 0; i--) {
    const pid_t process = fork();
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (volatile unsigned counter = 0;; counter = counter + 1) {
      }
    }
    if (process > 0) _processes.push_back(process);
  }
}

BusyProcessors::~BusyProcessors() {
  for (int process : _processes) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
}
