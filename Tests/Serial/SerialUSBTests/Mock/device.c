/* Plugging a device in and out, and the answers of the server. */
#define _GNU_SOURCE
#include "device.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char* device_path(const char* busid) {
  /* Bus and first port, then the ports of hubs: each a folder in that of the hub. */
  GString* path = g_string_new("usb1");
  for (const char* end = strpbrk(busid, "."); end; end = strpbrk(end + 1, "."))
    g_string_append_printf(path, "/%.*s", (int)(end - busid), busid);
  g_string_append_printf(path, "/%s", busid);
  return g_string_free(path, FALSE);
}

/* Adds a string of the device as a file of sysfs, in UTF-8 as the kernel does; bytes as hexadecimal
 * digits, since strings may hold anything. */
static void add_string(struct device* device, GString* text, const char* name, uint8_t index) {
  uint8_t setup[8] = {0x80, 6, index, 3, 0x09, 0x04, 255, 0}, data[256];
  if (index == 0) return;
  int count = usbip_control(device->connection, ++device->seqnum, setup, data);
  if (count <= 2) return;
  g_string_append_printf(text, "H: %s=", name);
  for (int at = 2; at + 1 < count; at += 2) {
    char units[6] = "";
    int length = g_unichar_to_utf8((gunichar)(data[at] | data[at + 1] << 8), units);
    for (int i = 0; i < length; i++) g_string_append_printf(text, "%02X", (uint8_t)units[i]);
  }
  g_string_append(text, "0A\n");
}

/* Reads the device's and the configuration's descriptors, as sysfs has them. */
static bool read_descriptors(struct device* device) {
  uint8_t first[8] = {0x80, 6, 0, 1, 0, 0, 18, 0}, head[8] = {0x80, 6, 0, 2, 0, 0, 9, 0};
  uint8_t* at = device->descriptors;
  if (usbip_control(device->connection, ++device->seqnum, first, at) != 18) return false;
  if (usbip_control(device->connection, ++device->seqnum, head, at + 18) != 9) return false;
  unsigned total = at[20] | at[21] << 8;
  if (total + 18 > MAX_DESCRIPTORS) return false;
  head[6] = at[20];
  head[7] = at[21];
  /* A descriptor that announces more than there is: the kernel takes what there is. */
  int count = usbip_control(device->connection, ++device->seqnum, head, at + 18);
  if (count < 9) return false;
  device->descriptors_length = 18 + (size_t)count;
  /* SET_CONFIGURATION, as the kernel does. */
  uint8_t configure[8] = {0, 9, at[23], 0, 0, 0, 0, 0}, none[1];
  return usbip_control(device->connection, ++device->seqnum, configure, none) == 0;
}

static void set_mode(struct device* device, const char* folder, unsigned mode) {
  char* path = g_strdup_printf("%s%s%s", umockdev_testbed_get_root_dir(device->testbed), folder,
                               device->node);
  chmod(path, mode);
  g_free(path);
}

bool device_plug(struct device* device) {
  struct usbip_device info;
  int connection = usbip_import(device->host, device->port, device->busid, &info);
  if (connection < 0) return false;
  device->connection = connection;
  if (!read_descriptors(device)) {
    close(connection);
    device->connection = -1;
    return false;
  }
  const uint8_t* d = device->descriptors;
  char* path = device_path(device->busid);
  GString* text = g_string_new(NULL);
  device->devnum++;
  snprintf(device->node, sizeof device->node, "/dev/bus/usb/001/%03u", device->devnum);
  g_string_append_printf(text,
                         "P: /devices/pci0000:00/0000:00:14.0/%s\nN: %s\nE: SUBSYSTEM=usb\n"
                         "E: DEVTYPE=usb_device\nE: DEVNAME=%s\nE: BUSNUM=001\nE: DEVNUM=%03u\n"
                         "A: busnum=1\nA: devnum=%u\nA: speed=12\nA: bConfigurationValue=1\nA: "
                         "bNumConfigurations=1\n"
                         "A: idVendor=%02x%02x\nA: idProduct=%02x%02x\n",
                         path, device->node + 5, device->node, device->devnum, device->devnum, d[9],
                         d[8], d[11], d[10]);
  add_string(device, text, "product", d[15]);
  add_string(device, text, "serial", d[16]);
  g_string_append(text, "H: descriptors=");
  for (size_t i = 0; i < device->descriptors_length; i++)
    g_string_append_printf(text, "%02X", d[i]);
  g_string_append(text, "\n");
  for (int i = 0; i < MAX_INTERFACES; i++) {
    device->has_driver[i] = true;
    device->claimant[i] = NULL;
  }
  GError* error = NULL;
  /* First: a program that is told of the device opens it at once, and is aborted without the
   * socket. */
  if (!umockdev_testbed_attach_ioctl(device->testbed, device->node, device->handler, &error))
    g_error("attach %s: %s", device->node, error->message);
  set_mode(device, "/ioctl", 0777);
  if (!umockdev_testbed_add_from_string(device->testbed, text->str, &error))
    g_error("add %s: %s", device->busid, error->message);
  g_string_free(text, TRUE);
  set_mode(device, "", device->mode);
  device->syspath = g_strdup_printf("/sys/devices/pci0000:00/0000:00:14.0/%s", path);
  g_free(path);
  fprintf(device->log, "plugged %s\n", device->busid);
  return true;
}

/* The folder that is removed, for the callback of nftw; one device is unplugged
 * at a time. */
static pthread_mutex_t removing = PTHREAD_MUTEX_INITIALIZER;
static const char* removed;

static int remove_entry(const char* path, const struct stat* status, int kind, struct FTW* place) {
  (void)status;
  (void)place;
  char target[PATH_MAX] = "";
  if (kind == FTW_SL && readlink(path, target, sizeof target - 1) < 0) return 0;
  size_t length = strlen(target), suffix = strlen(removed);
  bool links = length >= suffix && strcmp(target + length - suffix, removed) == 0;
  const char* inside = strstr(path, removed);
  if (links || (inside && (inside[suffix] == '\0' || inside[suffix] == '/'))) remove(path);
  return 0;
}

/* Removes the device's folder in sysfs and all links to it.
 * umockdev_testbed_remove_device ends the program when the program under test
 * has just removed or created a file there. */
static void remove_device(struct device* device) {
  char* suffix = g_strdup_printf("/%s", strstr(device->syspath, "usb1/"));
  pthread_mutex_lock(&removing);
  removed = suffix;
  char* root = umockdev_testbed_get_root_dir(device->testbed);
  nftw(root, remove_entry, 16, FTW_PHYS | FTW_DEPTH);
  g_free(root);
  pthread_mutex_unlock(&removing);
  g_free(suffix);
}

static void unplug(struct device* device) {
  umockdev_testbed_uevent(device->testbed, device->syspath, "remove");
  remove_device(device);
  char* path =
      g_strdup_printf("%s%s", umockdev_testbed_get_root_dir(device->testbed), device->node);
  unlink(path);
  g_free(path);
  g_free(device->syspath);
  device->syspath = NULL;
  fprintf(device->log, "unplugged %s\n", device->busid);
}

void device_complete(struct device* device, struct urb* urb, int status, uint32_t length) {
  struct usbdevfs_status {
    int32_t status;
  } end = {urb->is_cancelled ? -ENOENT : -status};
  int32_t actual = (int32_t)length;
  /* struct usbdevfs_urb: type, endpoint, status at 4, flags, buffer,
   * buffer_length, actual_length at 28. */
  umockdev_ioctl_data_update(urb->urb, 4, (guint8*)&end, 4);
  umockdev_ioctl_data_update(urb->urb, 28, (guint8*)&actual, 4);
  urb->is_complete = true;
  pthread_cond_broadcast(&device->changed);
}

void device_end_urbs(struct device* device, int status) {
  for (struct urb* urb = device->urbs; urb; urb = urb->next)
    if (!urb->is_complete) device_complete(device, urb, status, 0);
}

static struct urb* find(struct device* device, uint32_t seqnum) {
  for (struct urb* urb = device->urbs; urb; urb = urb->next)
    if (urb->seqnum == seqnum && !urb->is_complete) return urb;
  return NULL;
}

/* Reads an answer and completes its transfer; false at the end of the
 * connection. */
static bool relay(struct device* device) {
  static const size_t limit = 65536;
  struct usbip_answer answer;
  if (!usbip_read_answer(device->connection, &answer)) return false;
  if (answer.command == USBIP_RET_UNLINK) return true;
  pthread_mutex_lock(&device->lock);
  struct urb* urb = find(device, answer.seqnum);
  bool is_input = urb == NULL || urb->is_input;
  pthread_mutex_unlock(&device->lock);
  uint8_t data[65536];
  if (is_input && (answer.length > limit || !usbip_read(device->connection, data, answer.length)))
    return false;
  pthread_mutex_lock(&device->lock);
  urb = find(device, answer.seqnum);
  if (urb) {
    size_t start = urb->is_input && urb->buffer->data_len > 0 ? (size_t)urb->buffer->data_len : 0;
    /* The data of a control transfer follows its setup packet. */
    int32_t type = urb->urb->data[0] == 2 ? 8 : 0;
    if (urb->is_input && answer.length > 0 && (size_t)type + answer.length <= start)
      umockdev_ioctl_data_update(urb->buffer, (gsize)type, data, (gint)answer.length);
    device_complete(device, urb, -answer.status, answer.length);
  }
  pthread_mutex_unlock(&device->lock);
  return true;
}

void* device_follow(void* argument) {
  struct device* device = argument;
  for (;;) {
    if (device->connection >= 0) {
      while (relay(device)) {
      }
      pthread_mutex_lock(&device->lock);
      close(device->connection);
      device->connection = -1;
      device_end_urbs(device, ESHUTDOWN);
      unplug(device);
      pthread_mutex_unlock(&device->lock);
    }
    usleep(20000);
    pthread_mutex_lock(&device->lock);
    bool is_back = device_plug(device);
    pthread_mutex_unlock(&device->lock);
    if (is_back) umockdev_testbed_uevent(device->testbed, device->syspath, "add");
  }
  return NULL;
}
