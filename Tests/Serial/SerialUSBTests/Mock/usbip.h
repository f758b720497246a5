/* The client side of USB/IP (Linux, Documentation/usb/usbip_protocol.rst): numbers are big-endian. */
#ifndef USBIP_H
#define USBIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { USBIP_SUBMIT = 1, USBIP_UNLINK = 2, USBIP_RET_SUBMIT = 3, USBIP_RET_UNLINK = 4 };
enum { USBIP_OUT = 0, USBIP_IN = 1 };

/* What a server says of a device that it gives away. */
struct usbip_device {
    uint32_t busnum, devnum, speed;
    uint16_t vendor, product, release;
};

/* An answer: RET_SUBMIT with its data, or RET_UNLINK. */
struct usbip_answer {
    uint32_t command, seqnum;
    int32_t status;
    uint32_t length;
};

/* Connects and imports the device `busid`; the connection, or -1. */
int usbip_import(const char *host, const char *port, const char *busid, struct usbip_device *device);

/* Submits a transfer of `length` bytes; `data` only for direction out. */
bool usbip_submit(int connection, uint32_t seqnum, uint32_t direction, uint32_t endpoint, const uint8_t setup[8],
                  const uint8_t *data, uint32_t length);

/* Asks for the end of the transfer `victim`. */
bool usbip_unlink(int connection, uint32_t seqnum, uint32_t victim);

/* Reads the header of the next answer; a RET_SUBMIT of direction in is followed by `length` bytes. */
bool usbip_read_answer(int connection, struct usbip_answer *answer);

/* Reads exactly `length` bytes. */
bool usbip_read(int connection, void *data, size_t length);

/* A control transfer to the host, or without data, that nothing else runs beside; the count of bytes, or -1. */
int usbip_control(int connection, uint32_t seqnum, const uint8_t setup[8], uint8_t *data);

#endif
