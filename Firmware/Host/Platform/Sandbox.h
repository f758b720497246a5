// The second part of the sandbox, in which the board has started the process.
#ifndef ESPBENCH_SANDBOX_H
#define ESPBENCH_SANDBOX_H

#include <signal.h>
#include <ucontext.h>

namespace espbench {

/// Gives up what only the loader and the start needed: files, other programs, the watchdog's timer.
void closeSandbox();

/// Writes what a SIGSYS in `context` was about, such as "pause() (system call 29)".
void describeSystemCall(const siginfo_t& information, const ucontext_t& context, char* text,
                        size_t size);

}  // namespace espbench

#endif
