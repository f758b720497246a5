// The board's side of a firmware process: channel, program and start.
#ifndef ESPBENCH_FIRMWARE_PROCESS_H
#define ESPBENCH_FIRMWARE_PROCESS_H

#if defined(__linux__)

#include "firmware_channel.h"

#ifdef __cplusplus
extern "C" {
#endif

// Each returns 0 or an errno value.

/// Creates a channel: a memfd (close-on-exec) and its mapping. The header is filled in, and the
/// turn is the board's.
int cfc_create(struct cfc_header** header, int* fd);

/// Unmaps and closes.
void cfc_destroy(struct cfc_header* header, int fd);

/// Copies a program to memory and returns a read-only, close-on-exec descriptor to execute.
int cfc_program_descriptor(const void* bytes, size_t length, int* fd);

/// Starts the program behind `program_fd`, a sealed copy in memory, in a sandbox (Sources/Board's
/// README) with the channel `channel_fd` as CFC_CHANNEL_FD. The process gets no other descriptors
/// but standard error (`error_fd`, or /dev/null if negative; standard input and output are
/// /dev/null), no arguments, an empty environment, default signals and its own process group. With
/// `is_sanitized` it may use more memory and read its own folder of /proc. It ends when this
/// process ends; to end it sooner, send SIGKILL and wait for it.
int cfc_spawn(int program_fd, int channel_fd, int error_fd, bool is_sanitized, int32_t* pid);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // __linux__
#endif  // ESPBENCH_FIRMWARE_PROCESS_H
