// The second part of the sandbox, in which the board has started the process.
#ifndef ESPBENCH_SANDBOX_H
#define ESPBENCH_SANDBOX_H

#include <signal.h>
#include <ucontext.h>

namespace espbench {

/// Drops the rights that only the loader and the start needed: files, other programs, the
/// watchdog's timer.
void closeSandbox();

/// Writes the system call of a SIGSYS in `context`, such as "pause() (system call 29)".
void describeSystemCall(const siginfo_t& information, const ucontext_t& context, char* text,
                        size_t size);

}  // namespace espbench

#endif
