// The board's side of a firmware process.
#if defined(__linux__)

#define _GNU_SOURCE
#include "firmware_process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "firmware_channel_turns.h"
#include "firmware_sandbox.h"

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

// The start of a process. As with posix_spawn(), the child shares this process's memory until it
// executes, so the cost does not depend on the size of the memory. The child enters the sandbox
// before it executes, so that the program's loader and the constructors of its globals run in the
// sandbox, too.

/// One start, and its result.
struct start {
  struct cfc_sandbox sandbox;
  int program, channel, error_output;
  pid_t parent;
  pid_t child;
  volatile int error;
};

/// Descriptors that dup2 places must not be overwritten before they are used:
/// the sources are copied above every target.
enum { SOURCE_FLOOR = CFC_PROGRAM_FD + 1 };

static int place(int source, int target, int flags) {
  return source < 0 || dup3(source, target, flags) < 0 ? errno : 0;
}

static void close_range_of(unsigned first, unsigned last) {
  if (syscall(SYS_close_range, first, last, 0) == 0) return;
  // Linux before 5.9.
  const long open = sysconf(_SC_OPEN_MAX);
  for (unsigned file = first; file <= last && file < (unsigned long)open; file++) close((int)file);
}

static int place_descriptors(const struct start* start) {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  const int above = fcntl(nothing, F_DUPFD_CLOEXEC, SOURCE_FLOOR);
  int error = place(above, 0, 0);
  if (error == 0) error = place(above, 1, 0);
  if (error == 0) error = place(start->error_output >= 0 ? start->error_output : above, 2, 0);
  if (error == 0) error = place(start->channel, CFC_CHANNEL_FD, 0);
  if (error == 0) error = place(start->program, CFC_PROGRAM_FD, O_CLOEXEC);
  close_range_of(CFC_CHANNEL_FD + 1, CFC_PROGRAM_FD - 1);
  close_range_of(CFC_PROGRAM_FD + 1, ~0u);
  return error;
}

/// Runs in the child: until it executes, it may call only functions that are permitted after
/// vfork().
static int execute(void* argument) {
  struct start* start = argument;
  struct sigaction standard;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < _NSIG; signal++) sigaction(signal, &standard, NULL);
  setpgid(0, 0);
  // The child is killed whenever this process ends. If the parent has ended already, the child has
  // another parent.
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  int error = getppid() == start->parent ? 0 : ECHILD;
  // The program gets the same addresses in each run, so that uninitialised memory has the same
  // contents. Where this is not permitted, addresses are random.
  const int before = personality(0xffffffff);
  if (before != -1) personality((unsigned long)before | ADDR_NO_RANDOMIZE);
  if (error == 0) error = place_descriptors(start);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (error == 0) error = cfc_enter_sandbox(&start->sandbox);
  if (error == 0) {
    char name[] = "firmware";
    char* arguments[] = {name, NULL};
    char* environment[] = {NULL};
    syscall(SYS_execveat, CFC_PROGRAM_FD, "", arguments, environment, AT_EMPTY_PATH);
    error = errno;
  }
  start->error = error;
  _exit(127);
}

/// The thread that starts all processes. The kernel sends the "parent's death" signal when the
/// thread that started the process ends, and the threads that run boards do end.
static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool is_running;
  struct start* next;
} starter = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void* start_processes(void* unused) {
  (void)unused;
  static _Alignas(16) char stack[64 << 10];
  pthread_mutex_lock(&starter.lock);
  for (;;) {
    while (starter.next == NULL || starter.next->child != 0) {
      pthread_cond_wait(&starter.changed, &starter.lock);
    }
    struct start* start = starter.next;
    const pid_t child =
        clone(execute, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, start);
    if (child < 0) {
      start->error = errno;
    } else if (start->error != 0) {
      while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    }
    start->child = child;
    pthread_cond_broadcast(&starter.changed);
  }
  return NULL;
}

/// In the child of a fork(), which has no such thread.
static void forget_starter(void) {
  pthread_mutex_init(&starter.lock, NULL);
  pthread_cond_init(&starter.changed, NULL);
  starter.is_running = false;
  starter.next = NULL;
}

/// Creates the thread, which receives no signals of this process. The caller has the lock.
static int run_starter(void) {
  if (starter.is_running) return 0;
  static bool is_registered;
  if (!is_registered) pthread_atfork(NULL, NULL, forget_starter);
  is_registered = true;
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int error = pthread_create(&thread, NULL, start_processes, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error != 0) return error;
  pthread_detach(thread);
  starter.is_running = true;
  return 0;
}

int cfc_spawn(int program_fd, int channel_fd, int error_fd, bool is_sanitized, int32_t* pid) {
  struct start start = {.sandbox = {.is_sanitized = is_sanitized}, .parent = getpid()};
  int error = cfc_read_program(program_fd, &start.sandbox);
  if (error != 0) return error;
  start.program = fcntl(program_fd, F_DUPFD_CLOEXEC, SOURCE_FLOOR);
  start.channel = fcntl(channel_fd, F_DUPFD_CLOEXEC, SOURCE_FLOOR);
  start.error_output = error_fd < 0 ? -1 : fcntl(error_fd, F_DUPFD_CLOEXEC, SOURCE_FLOOR);
  if (start.program < 0 || start.channel < 0 || (error_fd >= 0 && start.error_output < 0)) {
    error = errno;
  } else {
    pthread_mutex_lock(&starter.lock);
    error = run_starter();
    while (error == 0 && starter.next != NULL) pthread_cond_wait(&starter.changed, &starter.lock);
    if (error == 0) {
      starter.next = &start;
      pthread_cond_broadcast(&starter.changed);
      while (start.child == 0) pthread_cond_wait(&starter.changed, &starter.lock);
      starter.next = NULL;
      pthread_cond_broadcast(&starter.changed);
      error = start.error;
    }
    pthread_mutex_unlock(&starter.lock);
    if (error == 0) *pid = start.child;
  }
  if (start.program >= 0) close(start.program);
  if (start.channel >= 0) close(start.channel);
  if (start.error_output >= 0) close(start.error_output);
  return error;
}

#endif  // __linux__
