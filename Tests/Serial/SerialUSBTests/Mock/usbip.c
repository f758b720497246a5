#include "usbip.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void put32(uint8_t *at, uint32_t value) {
    value = htonl(value);
    memcpy(at, &value, 4);
}

static uint32_t get32(const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, 4);
    return ntohl(value);
}

static uint16_t get16(const uint8_t *at) { return (uint16_t)(at[0] << 8 | at[1]); }

bool usbip_read(int connection, void *data, size_t length) {
    uint8_t *at = data;
    while (length > 0) {
        ssize_t count = recv(connection, at, length, 0);
        if (count <= 0) return false;
        at += count;
        length -= (size_t)count;
    }
    return true;
}

static bool write_all(int connection, const void *data, size_t length) {
    const uint8_t *at = data;
    while (length > 0) {
        ssize_t count = send(connection, at, length, MSG_NOSIGNAL);
        if (count <= 0) return false;
        at += count;
        length -= (size_t)count;
    }
    return true;
}

static int connect_to(const char *host, const char *port) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    if (getaddrinfo(host, port, &hints, &found) != 0) return -1;
    int result = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (result >= 0 && connect(result, found->ai_addr, found->ai_addrlen) != 0) {
        close(result);
        result = -1;
    }
    freeaddrinfo(found);
    int one = 1;
    if (result >= 0) setsockopt(result, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return result;
}

int usbip_import(const char *host, const char *port, const char *busid, struct usbip_device *device) {
    int connection = connect_to(host, port);
    if (connection < 0) return -1;
    /* Version 1.1.1, OP_REQ_IMPORT, status 0, then the bus id in 32 bytes. */
    uint8_t request[40] = {0x01, 0x11, 0x80, 0x03};
    strncpy((char *)request + 8, busid, 31);
    uint8_t reply[8], body[312];
    if (!write_all(connection, request, sizeof request) || !usbip_read(connection, reply, sizeof reply) ||
        get16(reply + 2) != 0x0003 || get32(reply + 4) != 0 || !usbip_read(connection, body, sizeof body)) {
        close(connection);
        return -1;
    }
    /* path 256, busid 32, then numbers. */
    *device = (struct usbip_device){.busnum = get32(body + 288),
                                    .devnum = get32(body + 292),
                                    .speed = get32(body + 296),
                                    .vendor = get16(body + 300),
                                    .product = get16(body + 302),
                                    .release = get16(body + 304)};
    return connection;
}

bool usbip_submit(int connection, uint32_t seqnum, uint32_t direction, uint32_t endpoint, const uint8_t setup[8],
                  const uint8_t *data, uint32_t length) {
    uint8_t head[48] = {0};
    put32(head, USBIP_SUBMIT);
    put32(head + 4, seqnum);
    put32(head + 12, direction);
    put32(head + 16, endpoint);
    put32(head + 24, length);
    if (setup) memcpy(head + 40, setup, 8);
    uint8_t whole[sizeof head + 65536];
    memcpy(whole, head, sizeof head);
    size_t count = sizeof head;
    if (direction == USBIP_OUT) {
        if (length > 65536) return false;
        memcpy(whole + count, data, length);
        count += length;
    }
    return write_all(connection, whole, count);
}

bool usbip_unlink(int connection, uint32_t seqnum, uint32_t victim) {
    uint8_t head[48] = {0};
    put32(head, USBIP_UNLINK);
    put32(head + 4, seqnum);
    put32(head + 20, victim);
    return write_all(connection, head, sizeof head);
}

bool usbip_read_answer(int connection, struct usbip_answer *answer) {
    uint8_t head[48];
    if (!usbip_read(connection, head, sizeof head)) return false;
    *answer = (struct usbip_answer){.command = get32(head),
                                    .seqnum = get32(head + 4),
                                    .status = (int32_t)get32(head + 20),
                                    .length = get32(head + 24)};
    return true;
}

int usbip_control(int connection, uint32_t seqnum, const uint8_t setup[8], uint8_t *data) {
    uint32_t length = (uint32_t)(setup[6] | setup[7] << 8);
    struct usbip_answer answer;
    uint32_t direction = setup[0] & 0x80 ? USBIP_IN : USBIP_OUT;
    if (!usbip_submit(connection, seqnum, direction, 0, setup, NULL, length) ||
        !usbip_read_answer(connection, &answer) || answer.command != USBIP_RET_SUBMIT || answer.length > length ||
        !usbip_read(connection, data, answer.length) || answer.status != 0)
        return -1;
    return (int)answer.length;
}
