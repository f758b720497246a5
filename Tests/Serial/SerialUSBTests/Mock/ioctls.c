/* The ioctls of usbfs that libusb uses (Linux,
 * include/uapi/linux/usbdevice_fs.h). */
#include <errno.h>
#include <linux/usbdevice_fs.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include "device.h"

/* The interface that has the endpoint; -1 for none. */
static int interface_of(const struct device* device, uint8_t endpoint) {
  int interface = -1;
  for (size_t at = 18; at + 2 <= device->descriptors_length && device->descriptors[at] >= 2;
       at += device->descriptors[at]) {
    if (device->descriptors[at + 1] == 4) interface = device->descriptors[at + 2];
    if (device->descriptors[at + 1] == 5 && device->descriptors[at + 2] == endpoint)
      return interface;
  }
  return -1;
}

static int submit(struct device* device, UMockdevIoctlClient* client) {
  UMockdevIoctlData* urb = umockdev_ioctl_data_resolve(umockdev_ioctl_client_get_arg(client), 0,
                                                       sizeof(struct usbdevfs_urb), NULL);
  if (!urb) return EFAULT;
  struct usbdevfs_urb request;
  memcpy(&request, urb->data, sizeof request);
  UMockdevIoctlData* buffer = umockdev_ioctl_data_resolve(
      urb, offsetof(struct usbdevfs_urb, buffer), (gsize)request.buffer_length, NULL);
  if (!buffer) return EFAULT;
  if (device->connection < 0) return ENODEV;
  bool is_control = request.type == USBDEVFS_URB_TYPE_CONTROL;
  if (is_control && request.buffer_length < 8) return EINVAL;
  if (!is_control) {
    int interface = interface_of(device, request.endpoint);
    if (interface < 0 || interface >= MAX_INTERFACES) return ENOENT;
    /* The kernel would claim it, and complain in its log; a driver must not
     * need that. */
    if (device->claimant[interface] != client) return EBUSY;
  }
  uint8_t direction = is_control ? buffer->data[0] : request.endpoint;
  struct urb* made = g_new0(struct urb, 1);
  *made = (struct urb){.next = NULL,
                       .seqnum = ++device->seqnum,
                       .client = client,
                       .urb = urb,
                       .buffer = buffer,
                       .is_input = (direction & 0x80) != 0};
  struct urb** end = &device->urbs;
  while (*end) end = &(*end)->next;
  *end = made;
  const uint8_t* setup = is_control ? buffer->data : NULL;
  size_t offset = is_control ? 8 : 0;
  if (!usbip_submit(device->connection, made->seqnum, made->is_input ? USBIP_IN : USBIP_OUT,
                    is_control ? 0 : request.endpoint & 0x0F, setup, buffer->data + offset,
                    (uint32_t)request.buffer_length - (uint32_t)offset))
    device_complete(device, made, ESHUTDOWN, 0);
  return 0;
}

/* The first completed transfer of the file; waits 1 ms for it, since libusb
 * asks again at once. */
static struct urb* completed(struct device* device, UMockdevIoctlClient* client) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_nsec += 1000000;
  if (limit.tv_nsec >= 1000000000) {
    limit.tv_sec++;
    limit.tv_nsec -= 1000000000;
  }
  for (bool is_first = true;; is_first = false) {
    for (struct urb** at = &device->urbs; *at; at = &(*at)->next) {
      struct urb* urb = *at;
      if (urb->client != client || !urb->is_complete) continue;
      *at = urb->next;
      return urb;
    }
    if (!is_first) return NULL;
    pthread_cond_timedwait(&device->changed, &device->lock, &limit);
  }
}

static int reap(struct device* device, UMockdevIoctlClient* client) {
  struct urb* urb = completed(device, client);
  if (!urb) return device->connection < 0 ? ENODEV : EAGAIN;
  UMockdevIoctlData* target =
      umockdev_ioctl_data_resolve(umockdev_ioctl_client_get_arg(client), 0, sizeof(void*), NULL);
  if (!target) return EFAULT;
  umockdev_ioctl_data_set_ptr(target, 0, urb->urb);
  g_object_unref(target);
  g_object_unref(urb->buffer);
  g_object_unref(urb->urb);
  g_free(urb);
  return 0;
}

static int discard(struct device* device, UMockdevIoctlClient* client) {
  gulong address;
  memcpy(&address, umockdev_ioctl_client_get_arg(client)->data, sizeof address);
  for (struct urb* urb = device->urbs; urb; urb = urb->next) {
    if (urb->client != client || urb->is_complete || urb->urb->client_addr != address) continue;
    urb->is_cancelled = true;
    if (device->connection >= 0) usbip_unlink(device->connection, ++device->seqnum, urb->seqnum);
    /* The server may still answer; that answer then finds no transfer. */
    device_complete(device, urb, ENOENT, 0);
    return 0;
  }
  return EINVAL;
}

static int claim(struct device* device, UMockdevIoctlClient* client, unsigned interface,
                 bool detach) {
  if (interface >= MAX_INTERFACES) return EINVAL;
  if (device->connection < 0) return ENODEV;
  if (device->claimant[interface] && device->claimant[interface] != client) return EBUSY;
  if (device->has_driver[interface] && !detach) return EBUSY;
  if (device->has_driver[interface])
    fprintf(device->log, "detached %s %u\n", device->busid, interface);
  device->has_driver[interface] = false;
  device->claimant[interface] = client;
  fprintf(device->log, "claimed %s %u\n", device->busid, interface);
  return 0;
}

static void release(struct device* device, unsigned interface) {
  device->claimant[interface] = NULL;
  fprintf(device->log, "released %s %u\n", device->busid, interface);
}

/* DISCONNECT and CONNECT of the kernel's driver. */
static int change_driver(struct device* device, const struct usbdevfs_ioctl* request) {
  unsigned interface = (unsigned)request->ifno;
  if (interface >= MAX_INTERFACES) return EINVAL;
  bool wanted = (unsigned)request->ioctl_code == USBDEVFS_CONNECT;
  if (wanted && device->claimant[interface]) return EBUSY;
  if (device->has_driver[interface] == wanted) return wanted ? 0 : ENODATA;
  device->has_driver[interface] = wanted;
  fprintf(device->log, "%s %s %u\n", wanted ? "attached" : "detached", device->busid, interface);
  return 0;
}

static int handle(struct device* device, UMockdevIoctlClient* client, unsigned request,
                  long* result) {
  UMockdevIoctlData* argument = umockdev_ioctl_client_get_arg(client);
  switch (request) {
    case USBDEVFS_SUBMITURB:
      return submit(device, client);
    case USBDEVFS_REAPURB:
    case USBDEVFS_REAPURBNDELAY:
      return reap(device, client);
    case USBDEVFS_DISCARDURB:
      return discard(device, client);
    default:
      break;
  }
  /* The rest has an argument of the size in the request's code. */
  UMockdevIoctlData* data = umockdev_ioctl_data_resolve(argument, 0, _IOC_SIZE(request), NULL);
  if (!data) return EFAULT;
  int status = 0;
  uint32_t number = 0;
  memcpy(&number, data->data, sizeof number);
  switch (request) {
    case USBDEVFS_GET_CAPABILITIES:
      number = USBDEVFS_CAP_ZERO_PACKET | USBDEVFS_CAP_BULK_CONTINUATION |
               USBDEVFS_CAP_NO_PACKET_SIZE_LIM | USBDEVFS_CAP_REAP_AFTER_DISCONNECT;
      umockdev_ioctl_data_update(data, 0, (guint8*)&number, 4);
      break;
    case USBDEVFS_CLAIMINTERFACE:
      status = claim(device, client, number, false);
      break;
    case USBDEVFS_DISCONNECT_CLAIM:
      status = claim(device, client, number, true);
      break;
    case USBDEVFS_RELEASEINTERFACE:
      if (number >= MAX_INTERFACES || device->claimant[number] != client)
        status = EINVAL;
      else
        release(device, number);
      break;
    case USBDEVFS_GETDRIVER:
      if (number >= MAX_INTERFACES || (!device->has_driver[number] && !device->claimant[number])) {
        status = ENODATA;
      } else {
        struct usbdevfs_getdriver answer = {.interface = number};
        strcpy(answer.driver, device->claimant[number] ? "usbfs" : "usbserial");
        umockdev_ioctl_data_update(data, 0, (guint8*)&answer, sizeof answer);
      }
      break;
    case USBDEVFS_IOCTL: {
      struct usbdevfs_ioctl inner;
      memcpy(&inner, data->data, sizeof inner);
      status = change_driver(device, &inner);
      *result = status == 0 ? 1 : 0;
      break;
    }
    case USBDEVFS_CLEAR_HALT:
    case USBDEVFS_SETINTERFACE:
      break;
    default:
      status = ENOTTY;
      fprintf(device->log, "unknown ioctl %x\n", request);
  }
  g_object_unref(data);
  return status;
}

gboolean device_ioctl(UMockdevIoctlBase* base, UMockdevIoctlClient* client, struct device* device) {
  (void)base;
  long result = 0;
  pthread_mutex_lock(&device->lock);
  /* A node of an earlier plugging stays without its device. */
  bool is_current = strcmp(umockdev_ioctl_client_get_devnode(client), device->node) == 0;
  unsigned request = (unsigned)umockdev_ioctl_client_get_request(client);
  bool reaps = request == USBDEVFS_REAPURBNDELAY || request == USBDEVFS_REAPURB;
  int status = is_current || reaps ? handle(device, client, request, &result) : ENODEV;
  if (!is_current && status == EAGAIN) status = ENODEV;
  pthread_mutex_unlock(&device->lock);
  umockdev_ioctl_client_complete(client, status == 0 ? result : -1, status);
  return TRUE;
}

void device_closed(UMockdevIoctlBase* base, UMockdevIoctlClient* client, struct device* device) {
  (void)base;
  pthread_mutex_lock(&device->lock);
  for (unsigned i = 0; i < MAX_INTERFACES; i++)
    if (device->claimant[i] == client) release(device, i);
  for (struct urb** at = &device->urbs; *at;) {
    struct urb* urb = *at;
    if (urb->client != client) {
      at = &urb->next;
      continue;
    }
    if (!urb->is_complete && device->connection >= 0)
      usbip_unlink(device->connection, ++device->seqnum, urb->seqnum);
    *at = urb->next;
    g_object_unref(urb->buffer);
    g_object_unref(urb->urb);
    g_free(urb);
  }
  pthread_mutex_unlock(&device->lock);
}
