/* Runs a program that finds the devices of a USB/IP server in place of the
   machine's: umockdev stands for sysfs, udev and usbfs, and the program's
   libusb is the system's.

     umockdev-wrapper usbmock [--mode OCTAL] [--user UID] [--log FILE] HOST PORT
   BUSID… -- PROGRAM [ARGUMENT…]

   --mode is that of the devices' nodes (0666), --user runs the program as
   another user. The log has a line for each event: plugged, unplugged,
   detached, attached, claimed, released. Ends with the program's exit code. */
#define _GNU_SOURCE
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"

enum { MAX_DEVICES = 8 };

static void fail(const char* what) {
  fprintf(stderr, "usbmock: %s\n", what);
  exit(99);
}

/* A hub, which gives its devices their place. */
static void add_hub(UMockdevTestbed* testbed, const char* path, unsigned devnum) {
  char* text = g_strdup_printf(
      "P: /devices/pci0000:00/0000:00:14.0/%s\nN: bus/usb/001/%03u\nE: SUBSYSTEM=usb\n"
      "E: DEVTYPE=usb_device\nE: DEVNAME=/dev/bus/usb/001/%03u\nE: BUSNUM=001\nE: DEVNUM=%03u\n"
      "A: busnum=1\nA: devnum=%u\nA: speed=480\nA: bConfigurationValue=1\nA: bNumConfigurations=1\n"
      "A: idVendor=1d6b\nA: idProduct=0002\n"
      "H: descriptors=12010002090001406B1D020014060302010109021900010100E000090400000109000000"
      "0705810304000C\n",
      path, devnum, devnum, devnum, devnum);
  GError* error = NULL;
  if (!umockdev_testbed_add_from_string(testbed, text, &error)) fail(error->message);
  g_free(text);
}

/* The hubs between the root and the device `busid`; numbers from `devnum` on. */
static unsigned add_hubs(UMockdevTestbed* testbed, const char* busid, unsigned devnum) {
  for (const char* end = strchr(busid, '.'); end; end = strchr(end + 1, '.')) {
    char* hub = g_strndup(busid, (gsize)(end - busid));
    char* path = device_path(hub);
    char* whole = g_strdup_printf("/sys/devices/pci0000:00/0000:00:14.0/%s", path);
    char* file = g_strconcat(umockdev_testbed_get_root_dir(testbed), whole, NULL);
    if (access(file, F_OK) != 0) add_hub(testbed, path, devnum++);
    g_free(hub);
    g_free(path);
    g_free(whole);
    g_free(file);
  }
  return devnum;
}

static volatile sig_atomic_t program;

/* Ctrl-C is for the program. */
static void forward(int number) {
  if (program > 0) kill((pid_t)program, number);
}

static int run(char** command, int user, UMockdevTestbed* testbed) {
  pid_t child = fork();
  if (child == 0) {
    if (user >= 0) {
      /* udev's events come through sockets that programs make there. */
      chmod(umockdev_testbed_get_root_dir(testbed), 0777);
      if (setgid((gid_t)user) != 0 || setuid((uid_t)user) != 0) fail("--user needs root");
    }
    execvp(command[0], command);
    fail("the program cannot be run");
  }
  program = child;
  /* Who started this may have blocked them. */
  sigset_t signals;
  sigfillset(&signals);
  sigprocmask(SIG_UNBLOCK, &signals, NULL);
  signal(SIGINT, forward);
  signal(SIGTERM, forward);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int remove_entry(const char* path, const struct stat* status, int kind, struct FTW* place) {
  (void)status;
  (void)kind;
  (void)place;
  remove(path);
  return 0;
}

int main(int count, char** arguments) {
  unsigned mode = 0666;
  int user = -1, at = 1;
  FILE* log = NULL;
  for (; at + 1 < count && strncmp(arguments[at], "--", 2) == 0; at += 2) {
    if (strcmp(arguments[at], "--mode") == 0)
      mode = (unsigned)strtoul(arguments[at + 1], NULL, 8);
    else if (strcmp(arguments[at], "--user") == 0)
      user = atoi(arguments[at + 1]);
    else if (strcmp(arguments[at], "--log") == 0)
      log = fopen(arguments[at + 1], "ae");
    else
      fail("unknown option");
  }
  if (at + 4 > count) fail("expected HOST PORT BUSID… -- PROGRAM");
  if (!log) log = fopen("/dev/null", "we");
  setlinebuf(log);
  const char *host = arguments[at++], *port = arguments[at++];
  UMockdevTestbed* testbed = umockdev_testbed_new();
  if (!umockdev_in_mock_environment()) fail("run it under umockdev-wrapper");
  add_hub(testbed, "usb1", 1);
  unsigned hubs = 200;
  static struct device devices[MAX_DEVICES];
  unsigned found = 0;
  for (; at < count && strcmp(arguments[at], "--") != 0 && found < MAX_DEVICES; at++, found++) {
    struct device* device = &devices[found];
    hubs = add_hubs(testbed, arguments[at], hubs);
    *device = (struct device){.host = host,
                              .port = port,
                              .busid = arguments[at],
                              .mode = mode,
                              .log = log,
                              .testbed = testbed,
                              .connection = -1,
                              .devnum = 2 + 20 * found};
    pthread_mutex_init(&device->lock, NULL);
    pthread_cond_init(&device->changed, NULL);
    device->handler = umockdev_ioctl_base_new();
    g_signal_connect(device->handler, "handle-ioctl", G_CALLBACK(device_ioctl), device);
    g_signal_connect(device->handler, "client-vanished", G_CALLBACK(device_closed), device);
    device_plug(device);
    pthread_t thread;
    if (pthread_create(&thread, NULL, device_follow, device) != 0) fail("no threads left");
  }
  if (at + 1 >= count) fail("expected -- PROGRAM");
  int status = run(arguments + at + 1, user, testbed);
  /* Not by destroying the testbed, whose folders the threads still use, nor by
   * umockdev_testbed_clear, which aborts when a socket in it vanishes
   * meanwhile. */
  char* root = umockdev_testbed_get_root_dir(testbed);
  nftw(root, remove_entry, 16, FTW_PHYS | FTW_DEPTH);
  fflush(log);
  _exit(status);
}
