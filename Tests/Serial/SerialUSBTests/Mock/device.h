/* A device of a USB/IP server behind an emulated node of usbfs. */
#ifndef DEVICE_H
#define DEVICE_H

#include <pthread.h>
#include <stdio.h>
#include <umockdev.h>

#include "usbip.h"

enum { MAX_INTERFACES = 8, MAX_DESCRIPTORS = 1024 };

/* A transfer that a program has submitted, until it reaps it. */
struct urb {
  struct urb* next;
  uint32_t seqnum;
  UMockdevIoctlClient* client;
  UMockdevIoctlData *urb, *buffer;
  bool is_input, is_cancelled, is_complete;
};

struct device {
  const char *host, *port, *busid;
  unsigned mode;
  FILE* log;
  UMockdevTestbed* testbed;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  /* The connection to the server; -1 while the device is unplugged. */
  int connection;
  uint32_t seqnum;
  unsigned devnum;
  char node[32], *syspath;
  uint8_t descriptors[MAX_DESCRIPTORS];
  size_t descriptors_length;
  struct urb* urbs;
  /* Per interface: the file that has claimed it, and whether the kernel's driver is bound. */
  UMockdevIoctlClient* claimant[MAX_INTERFACES];
  bool has_driver[MAX_INTERFACES];
  UMockdevIoctlBase* handler;
};

/* The folder of a device or hub with this bus id below that of the controller; to be freed. */
char* device_path(const char* busid);

/* Makes the device appear; false when the server does not have it now. */
bool device_plug(struct device* device);

/* Follows the server: relays answers, removes the device when the connection ends, plugs it in
   again when the server has it again. Never returns; for a thread. */
void* device_follow(void* device);

/* Handles the ioctls of its node. */
gboolean device_ioctl(UMockdevIoctlBase* base, UMockdevIoctlClient* client, struct device* device);

/* A program has closed the node. */
void device_closed(UMockdevIoctlBase* base, UMockdevIoctlClient* client, struct device* device);

/* Ends all transfers in flight with `status`, an errno; the lock is held. */
void device_end_urbs(struct device* device, int status);

/* Completes a transfer; the lock is held. */
void device_complete(struct device* device, struct urb* urb, int status, uint32_t length);

#endif
