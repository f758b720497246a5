// The board's side of a firmware process.
#if defined(__linux__)

#define _GNU_SOURCE
#include "firmware_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#include "firmware_channel_turns.h"

/// Descriptors that adddup2 places must not be overwritten before they are used: the sources are
/// copied above every target.
enum { SOURCE_FLOOR = 100 };

int cfc_create(struct cfc_header** header, int* fd) {
  int memory = memfd_create("firmware-channel", MFD_CLOEXEC);
  if (memory < 0) return errno;
  if (ftruncate(memory, CFC_MAPPING_SIZE) != 0) {
    int error = errno;
    close(memory);
    return error;
  }
  void* mapping = mmap(NULL, CFC_MAPPING_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  if (mapping == MAP_FAILED) {
    int error = errno;
    close(memory);
    return error;
  }
  struct cfc_header* created = mapping;
  created->magic = CFC_MAGIC;
  created->layout_version = CFC_LAYOUT_VERSION;
  created->turn = CFC_TURN_BOARD;
  created->board_pid = (uint32_t)getpid();
  created->spins = CFC_SPINS;
  *header = created;
  *fd = memory;
  return 0;
}

void cfc_destroy(struct cfc_header* header, int fd) {
  munmap(header, CFC_MAPPING_SIZE);
  close(fd);
}

int cfc_program_descriptor(const void* bytes, size_t length, int* fd) {
  int memory = memfd_create("firmware", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory < 0) return errno;
  int error = 0;
  for (size_t written = 0; written < length && error == 0;) {
    ssize_t count = write(memory, (const char*)bytes + written, length - written);
    if (count >= 0) {
      written += (size_t)count;
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  const int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (error == 0 && fcntl(memory, F_ADD_SEALS, seals) != 0) error = errno;
  if (error == 0) {
    // A file that is open for writing cannot be executed (ETXTBSY).
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    if (*fd < 0) error = errno;
  }
  close(memory);
  return error;
}

/// What cfc_spawn's child does with its descriptors before it executes.
static int add_descriptors(posix_spawn_file_actions_t* actions, int program, int channel,
                           int error_source) {
  int error = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
  if (error == 0) error = posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
  if (error == 0) {
    error = error_source >= 0
                ? posix_spawn_file_actions_adddup2(actions, error_source, 2)
                : posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0);
  }
  if (error == 0) error = posix_spawn_file_actions_adddup2(actions, channel, CFC_CHANNEL_FD);
  if (error == 0) error = posix_spawn_file_actions_adddup2(actions, program, CFC_PROGRAM_FD);
  if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(actions, CFC_PROGRAM_FD + 1);
  return error;
}

static int set_attributes(posix_spawnattr_t* attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int error = posix_spawnattr_setsigmask(attributes, &none);
  if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &all);
  if (error == 0) error = posix_spawnattr_setpgroup(attributes, 0);
  if (error == 0) {
    error = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  return error;
}

int cfc_spawn(int program_fd, int channel_fd, int error_fd, int32_t* pid) {
  int program = fcntl(program_fd, F_DUPFD_CLOEXEC, SOURCE_FLOOR);
  if (program < 0) return errno;
  int error = 0;
  int channel = fcntl(channel_fd, F_DUPFD_CLOEXEC, SOURCE_FLOOR);
  int error_source = error_fd < 0 ? -1 : fcntl(error_fd, F_DUPFD_CLOEXEC, SOURCE_FLOOR);
  if (channel < 0 || (error_fd >= 0 && error_source < 0)) error = errno;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (error == 0 && (error = posix_spawn_file_actions_init(&actions)) == 0) {
    if ((error = posix_spawnattr_init(&attributes)) == 0) {
      error = add_descriptors(&actions, program, channel, error_source);
      if (error == 0) error = set_attributes(&attributes);
      if (error == 0) {
        char path[32];
        snprintf(path, sizeof path, "/proc/self/fd/%d", CFC_PROGRAM_FD);
        char name[] = "firmware";
        char* arguments[] = {name, NULL};
        char* environment[] = {NULL};
        pid_t child = 0;
        // The child's addresses are the same in each run: memory that the firmware uses without
        // having set it is, too. The setting is this thread's, and inherited; where it is not
        // permitted, addresses are random.
        const int before = personality(0xffffffff);
        if (before != -1) personality((unsigned long)before | ADDR_NO_RANDOMIZE);
        error = posix_spawn(&child, path, &actions, &attributes, arguments, environment);
        if (before != -1) personality((unsigned long)before);
        if (error == 0) *pid = child;
      }
      posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
  }
  close(program);
  if (channel >= 0) close(channel);
  if (error_source >= 0) close(error_source);
  return error;
}

#endif  // __linux__
