// The sandbox of a firmware process: limits, Landlock, seccomp.
#ifndef ESPBENCH_FIRMWARE_SANDBOX_H
#define ESPBENCH_FIRMWARE_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// The descriptor through which a program is executed: above the limit of
/// descriptors, so that the program can never have one with this number.
enum { CFC_PROGRAM_FD = 200 };

/// The longest path of a program's loader.
enum { CFC_LOADER_SIZE = 256 };

struct cfc_sandbox {
  bool is_32_bit;                ///< a program for i386 on x86-64
  bool is_sanitized;             ///< no memory limits; may read /proc/self
  char loader[CFC_LOADER_SIZE];  ///< the dynamic loader; empty: none
};

/// Reads the properties of the ELF file `program` that its sandbox depends on. Returns 0 or an
/// errno value.
int cfc_read_program(int program, struct cfc_sandbox* sandbox);

/// Puts this process, the child of vfork(), into the sandbox, from which it can only execute
/// CFC_PROGRAM_FD and end. Rules that the kernel does not support are left out. Returns 0 or an
/// errno value.
int cfc_enter_sandbox(const struct cfc_sandbox* sandbox);

#endif  // ESPBENCH_FIRMWARE_SANDBOX_H
