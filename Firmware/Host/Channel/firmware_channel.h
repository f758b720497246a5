// The channel between the virtual board and the firmware process: this header is its specification.
//
// One memfd mapping, inherited by the firmware as descriptor CFC_CHANNEL_FD, holds a header and two
// linear message buffers. Board and firmware take strict turns: whoever holds `turn` owns every
// byte of the mapping; the other side only waits for the turn word.
//
// A turn
//   board:    writes messages from offset 0 of `to_firmware`, sets to_firmware_length, now_ns and
//             horizon_ns, gives the turn to the firmware.
//   firmware: works, starting at now_ns; writes messages from offset 0 of `to_board`; sets
//             to_board_length, firmware_now_ns, status and, where it sleeps, wake_deadline_ns;
//             gives the turn back.
//
// Time is the board's virtual time in nanoseconds. The firmware's clock stands still but for what
// its calls cost (millis() 1 us; a full UART FIFO; a tick for a loop() that did not sleep). It
// moves its clock by itself up to horizon_ns at most; a call that would go beyond gives the turn
// back as CFC_SLEEPING with wake_deadline_ns = where it wants to be. Each message carries the
// instant at which the firmware sent it (now_ns <= time_ns <= firmware_now_ns, never decreasing).
//
// Callbacks. The messages marked "callback" run code of the sketch. The firmware runs them in order
// and one at a time, each time it sleeps, and answers each with CFC_CALLBACK_DONE as the first
// message after everything the callback sent. Those that arrive while a callback sleeps (delay()
// in onWrite) or while a call waits for its reply are kept and run later: the board may send at any
// turn and need not hold back, but whoever counts on a bounded backlog waits for CFC_CALLBACK_DONE.
//
// Calls. A firmware message marked "call" ends the turn with status CFC_CALLING; the board may let
// virtual time pass and gives the turn back with the one CFC_REPLY. It gives no turn to a calling
// firmware without that reply.
//
// Both sides run on one machine: integers are in its byte order (little-endian). A message starts
// at a multiple of 8 bytes. The board trusts nothing it reads here: it reads each field once, takes
// to_board_length beyond CFC_TO_BOARD_CAPACITY for a fault, and cfc_next checks every length.
#ifndef ESPBENCH_FIRMWARE_CHANNEL_H
#define ESPBENCH_FIRMWARE_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The descriptor on which the firmware process finds the mapping.
#define CFC_CHANNEL_FD 3
/// The descriptor through which the program was executed; the firmware closes it first of all.
#define CFC_PROGRAM_FD 4

#define CFC_MAGIC 0x46435045u  // "EPCF"
/// Raised with every change of this file's layout; a firmware built for another one is not started.
#define CFC_LAYOUT_VERSION 3u

#define CFC_TO_FIRMWARE_OFFSET 4096u
#define CFC_TO_FIRMWARE_CAPACITY 65536u
#define CFC_TO_BOARD_OFFSET (CFC_TO_FIRMWARE_OFFSET + CFC_TO_FIRMWARE_CAPACITY)
#define CFC_TO_BOARD_CAPACITY 262144u
#define CFC_MAPPING_SIZE (CFC_TO_BOARD_OFFSET + CFC_TO_BOARD_CAPACITY)

/// "For ever" in wake_deadline_ns and horizon_ns.
#define CFC_NEVER 0xffffffffffffffffull
/// NimBLE's BLE_HS_CONN_HANDLE_NONE: no connection, or all of them.
#define CFC_NO_CONNECTION 0xffffu

/// Values of cfc_header.turn.
enum { CFC_TURN_BOARD = 0, CFC_TURN_FIRMWARE = 1 };

/// Values of cfc_header.status: why the firmware gave the turn back.
enum {
  CFC_SLEEPING = 0,     ///< wake at wake_deadline_ns, or before it with messages
  CFC_CALLING = 1,      ///< the last message is a call: continue with its CFC_REPLY
  CFC_RESTARTING = 2,   ///< esp_restart(): the process has ended
  CFC_CRASHED = 3,      ///< `fault` says how; the process has ended
  CFC_HUNG = 4,         ///< one turn used CFC_HANG_CPU_SECONDS; `fault` says where; it has ended
  CFC_INCOMPATIBLE = 5  ///< magic or layout version not the firmware's; the process has ended
};

/// CPU time that one turn may use.
#define CFC_HANG_CPU_SECONDS 2

#define CFC_FAULT_FRAMES 16
#define CFC_FAULT_MESSAGE_SIZE 256

/// Values of cfc_fault.kind.
enum {
  CFC_FAULT_SIGNAL = 1,  ///< a signal such as SIGSEGV
  CFC_FAULT_ABORT = 2,   ///< abort(), exit()
  CFC_FAULT_ASSERT = 3,  ///< assert() failed; `message` is its text
  CFC_FAULT_EXCEPTION =
      4,  ///< a C++ exception that nobody caught; `message` is its type and what()
  CFC_FAULT_HANG = 5
};

/// How and where the firmware ended. Addresses in `frames` and `pc` are relative to the program's
/// load base, as addr2line takes them; addresses outside the program are left out.
struct cfc_fault {
  uint32_t kind;
  uint32_t signal;         ///< signal number, 0 where there was none
  int32_t signal_code;     ///< si_code
  uint32_t frame_count;    ///< valid entries of `frames`, innermost first
  uint64_t fault_address;  ///< si_addr: the address of the access that failed (absolute)
  uint64_t pc;             ///< frames[0], 0 when unknown
  uint64_t frames[CFC_FAULT_FRAMES];
  char message[CFC_FAULT_MESSAGE_SIZE];  ///< NUL-terminated, empty where there is none
};

/// The start of the mapping.
struct cfc_header {
  uint32_t magic;           ///< board, at creation
  uint32_t layout_version;  ///< board, at creation
  uint32_t turn;            ///< futex word; only through firmware_channel_turns.h
  uint32_t board_waits;  ///< the board sleeps in the futex; only through firmware_channel_turns.h
  uint32_t firmware_waits;      ///< the same of the firmware
  uint32_t board_pid;           ///< board, at creation: a firmware whose parent is another one ends
  uint32_t status;              ///< firmware
  uint32_t in_callback;         ///< firmware: 1 when it sleeps or calls inside a callback
  uint64_t now_ns;              ///< board: the time at which this turn starts
  uint64_t horizon_ns;          ///< board: how far the firmware may move its clock by itself
  uint64_t firmware_now_ns;     ///< firmware: the time at which it gives the turn back
  uint64_t wake_deadline_ns;    ///< firmware, status CFC_SLEEPING
  uint32_t to_firmware_length;  ///< board: bytes of messages in to_firmware
  uint32_t to_board_length;     ///< firmware: bytes of messages in to_board
  struct cfc_fault fault;       ///< firmware, status CFC_CRASHED or CFC_HUNG
};

/// In front of every message. The payload follows at once; the next message starts at the next
/// multiple of 8 bytes.
struct cfc_message {
  uint16_t type;
  uint16_t flags;    ///< 0 unless the type says otherwise
  uint32_t length;   ///< bytes of payload, without this header and without padding
  uint64_t time_ns;  ///< when the sender sent it
};

/// Messages from the board to the firmware, with their payloads.
enum {
  CFC_START = 1,                      ///< cfc_start: the first message, in the first turn
  CFC_REPLY = 2,                      ///< cfc_reply, then what the call says
  CFC_SERIAL_INPUT = 3,               ///< cfc_serial, then the bytes that arrived at the UART
  CFC_PIN_INPUT = 4,                  ///< cfc_pin: the level at an input pin changed
  CFC_BLE_CONNECTED = 5,              ///< callback: cfc_connection_event (onConnect)
  CFC_BLE_DISCONNECTED = 6,           ///< callback: cfc_connection_event (onDisconnect)
  CFC_BLE_MTU = 7,                    ///< callback: cfc_connection_event (onMTUChange)
  CFC_BLE_CONNECTION_PARAMETERS = 8,  ///< callback: cfc_connection_event (onConnParamsUpdate)
  CFC_GATT_READ = 9,        ///< callback: cfc_gatt_event (onRead; then the board reads its copy)
  CFC_GATT_WRITE = 10,      ///< callback: cfc_gatt_event, then the value (stored, then onWrite)
  CFC_GATT_SUBSCRIBE = 11,  ///< callback: cfc_gatt_event (onSubscribe)
  CFC_GATT_STATUS = 12,     ///< callback: cfc_gatt_event (onStatus)
  CFC_BLE_ADVERTISING_COMPLETE = 13  ///< callback: cfc_ble_event (the duration of start() is over)
};

/// Messages from the firmware to the board, with their payloads.
enum {
  CFC_FLUSH = 64,               ///< call, no payload: to_board was full. The reply adds nothing
  CFC_SERIAL_BEGIN = 65,        ///< cfc_serial_begin
  CFC_SERIAL_OUTPUT = 66,       ///< cfc_serial_output, then the bytes
  CFC_PIN_MODE = 67,            ///< cfc_pin, value = Arduino's mode (INPUT 0x01, OUTPUT 0x03, ...)
  CFC_PIN_OUTPUT = 68,          ///< cfc_pin, value = 0 or 1
  CFC_BLE_INIT = 69,            ///< call, no payload: controller and host start; the reply adds
                                ///< cfc_address, the device's own. CFC_BLE_NAME comes before it
  CFC_BLE_DEINIT = 70,          ///< call, no payload: connections end, the host stops
  CFC_BLE_NAME = 71,            ///< the GAP device name, 0 to 31 bytes
  CFC_BLE_PREFERRED_MTU = 72,   ///< cfc_number (23 to 527)
  CFC_BLE_TX_POWER = 73,        ///< cfc_tx_power
  CFC_GATT_REGISTER = 74,       ///< call: cfc_gatt_register, then `count` cfc_attribute; replaces
                                ///< the sketch's services. The reply adds `count` uint16_t
                                ///< handles in that order (of a characteristic: its value)
  CFC_GATT_CALLBACKS = 75,      ///< cfc_gatt_callbacks
  CFC_GATT_VALUE = 76,          ///< cfc_gatt_value, then the value: what a read answers from now on
  CFC_GATT_NOTIFY = 77,         ///< cfc_gatt_notify, then the value if it carries one
  CFC_ADVERTISING_DATA = 78,    ///< 0 to 31 bytes of AD structures
  CFC_SCAN_RESPONSE_DATA = 79,  ///< 0 to 31 bytes of AD structures
  CFC_ADVERTISING_START = 80,   ///< call: cfc_advertising
  CFC_ADVERTISING_STOP = 81,    ///< call, no payload
  CFC_DISCONNECT = 82,          ///< cfc_disconnect
  CFC_UPDATE_CONNECTION = 83,   ///< cfc_update_connection
  CFC_CALLBACK_DONE = 84        ///< cfc_callback_done
};

/// esp_reset_reason_t of ESP-IDF 5.
enum {
  CFC_RESET_UNKNOWN = 0,
  CFC_RESET_POWER_ON = 1,
  CFC_RESET_EXTERNAL = 2,
  CFC_RESET_SOFTWARE = 3,
  CFC_RESET_PANIC = 4,
  CFC_RESET_INTERRUPT_WATCHDOG = 5,
  CFC_RESET_TASK_WATCHDOG = 6,
  CFC_RESET_WATCHDOG = 7,
  CFC_RESET_DEEP_SLEEP = 8,
  CFC_RESET_BROWNOUT = 9
};

struct cfc_start {
  uint32_t reset_reason;   ///< CFC_RESET_...
  uint32_t flash_size;     ///< bytes
  uint64_t timer_zero_ns;  ///< the time at which micros() was 0
  uint64_t random_seed;    ///< of esp_random()
  uint32_t cpu_frequency_mhz;
  uint16_t chip_revision;  ///< major * 100 + minor
  uint8_t chip_cores;
  uint8_t reserved;
  uint8_t mac[6];       ///< base MAC, first byte first as printed
  char chip_model[26];  ///< NUL-terminated, such as "ESP32-D0WDQ6"
};

struct cfc_reply {
  int32_t status;  ///< NimBLE host code (BLE_HS_...), 0 = done
  uint32_t reserved;
};

struct cfc_serial {
  uint32_t port;  ///< UART number, 0 = Serial
  uint32_t reserved;
};

struct cfc_serial_begin {
  uint32_t port;
  uint32_t baud;  ///< 0: end()
};

/// The transmitter sends byte i from line_ns + i * 10 / baud on: after the bytes already in the
/// FIFO.
struct cfc_serial_output {
  uint32_t port;
  uint32_t reserved;
  uint64_t line_ns;  ///< when the start bit of the first byte begins
};

struct cfc_pin {
  uint32_t pin;
  uint32_t value;
};

struct cfc_number {
  int32_t value;
};

/// In dBm. Before the first such message both are +3.
struct cfc_tx_power {
  int32_t advertising;
  int32_t connection;
};

struct cfc_address {
  uint8_t type;      ///< 0 public, 1 random
  uint8_t bytes[6];  ///< least significant first, as over the air
  uint8_t reserved;
};

/// Bits of cfc_connection.security.
enum { CFC_LINK_ENCRYPTED = 1, CFC_LINK_AUTHENTICATED = 2, CFC_LINK_BONDED = 4 };

/// What NimBLEConnInfo shows.
struct cfc_connection {
  uint16_t handle;
  uint16_t interval;  ///< 1.25 ms
  uint16_t latency;   ///< connection events
  uint16_t timeout;   ///< 10 ms
  uint16_t mtu;
  uint8_t security;
  uint8_t key_size;
  struct cfc_address peer_over_the_air;
  struct cfc_address peer_identity;
};

struct cfc_ble_event {
  uint32_t token;  ///< comes back in CFC_CALLBACK_DONE
  int32_t value;   ///< advertising complete: BLE_HS_ETIMEOUT (13)
};

struct cfc_connection_event {
  uint32_t token;
  int32_t value;  ///< disconnected: NimBLE's reason (0x200 + HCI code); MTU: the MTU; else 0
  struct cfc_connection connection;
  uint32_t reserved;
};

struct cfc_gatt_event {
  uint32_t token;
  uint16_t connection;  ///< connection handle
  uint16_t attribute;   ///< handle of the characteristic's value or of the descriptor
  int32_t value;        ///< subscribe: 1 notify + 2 indicate; status: BLE_HS_... (an acknowledged
                        ///< indication: BLE_HS_EDONE = 14); else 0
  uint32_t reserved;
};

struct cfc_callback_done {
  uint32_t token;
  uint32_t reserved;
};

/// Values of cfc_attribute.kind.
enum { CFC_SERVICE = 1, CFC_CHARACTERISTIC = 2, CFC_DESCRIPTOR = 3 };

/// A service is followed by its characteristics, a characteristic by its descriptors (without the
/// CCCD, which the server adds).
struct cfc_attribute {
  uint8_t kind;
  uint8_t uuid_length;  ///< 2, 4 or 16
  uint16_t
      properties;  ///< NIMBLE_PROPERTY bits (BLE_GATT_CHR_F_..., of a descriptor BLE_ATT_F_...)
  uint16_t maximum_length;  ///< of the value
  uint16_t reserved;
  uint8_t uuid[16];  ///< least significant first
};

struct cfc_gatt_register {
  uint32_t count;  ///< attributes that follow
  uint32_t reserved;
};

/// Bits of cfc_gatt_callbacks.mask: the callbacks that the sketch has overridden. The board sends
/// CFC_GATT_READ, _SUBSCRIBE and _STATUS only where the bit is set; CFC_GATT_WRITE always, since
/// the sketch may poll the value.
enum { CFC_ON_READ = 1, CFC_ON_WRITE = 2, CFC_ON_STATUS = 4, CFC_ON_SUBSCRIBE = 8 };

struct cfc_gatt_callbacks {
  uint16_t attribute;
  uint16_t mask;
  uint32_t reserved;
};

struct cfc_gatt_value {
  uint16_t attribute;
  uint16_t reserved[3];
};

/// Without a value it is the stored one: with CFC_NO_CONNECTION ble_gatts_chr_updated (to all that
/// subscribed, after the callback, the last value once), else ble_gattc_notify_custom(NULL) or
/// ble_gattc_indicate_custom(NULL). With a value (always to one connection) it is sent at once and
/// whatever the CCCD says. CFC_GATT_STATUS follows as NimBLE's BLE_GAP_EVENT_NOTIFY_TX: of each
/// notification that was sent, of each indication that was acknowledged, of each that failed.
struct cfc_gatt_notify {
  uint16_t attribute;
  uint16_t connection;  ///< handle or CFC_NO_CONNECTION
  uint8_t indicate;     ///< 1: indication
  uint8_t has_value;    ///< 1: the value follows (0 bytes are a value, too)
  uint16_t reserved;
};

/// ble_gap_adv_start: its parameters and its meaning of 0.
struct cfc_advertising {
  uint8_t connectable_mode;   ///< BLE_GAP_CONN_MODE_NON 0, DIR 1, UND 2
  uint8_t discoverable_mode;  ///< BLE_GAP_DISC_MODE_NON 0, LTD 1, GEN 2
  uint8_t own_address_type;   ///< BLE_OWN_ADDR_...
  uint8_t reserved;
  uint16_t interval_minimum;  ///< 0.625 ms, 0 = the default (30 ms connectable, 100 ms not)
  uint16_t interval_maximum;  ///< 0.625 ms, 0 = the default (60 ms connectable, 150 ms not)
  uint32_t duration_ms;       ///< 0 = for ever
  uint32_t reserved2;
  struct cfc_address peer;  ///< mode DIR
};

struct cfc_disconnect {
  uint16_t connection;
  uint16_t reason;  ///< HCI error code
  uint32_t reserved;
};

struct cfc_update_connection {
  uint16_t connection;
  uint16_t interval_minimum;  ///< 1.25 ms
  uint16_t interval_maximum;
  uint16_t latency;
  uint16_t timeout;  ///< 10 ms
  uint16_t reserved[3];
};

// Access to the mapping

static inline uint8_t* cfc_to_firmware(struct cfc_header* header) {
  return (uint8_t*)header + CFC_TO_FIRMWARE_OFFSET;
}

static inline uint8_t* cfc_to_board(struct cfc_header* header) {
  return (uint8_t*)header + CFC_TO_BOARD_OFFSET;
}

/// The bytes that a message with this payload takes in a buffer.
static inline uint64_t cfc_message_size(uint64_t payload_length) {
  return sizeof(struct cfc_message) + ((payload_length + 7) & ~(uint64_t)7);
}

/// Appends a message whose payload is `fixed`, then `tail`, and moves *used on.
/// Returns false, and writes nothing, where it does not fit into `capacity`.
static inline bool cfc_append(uint8_t* buffer, uint32_t capacity, uint32_t* used, uint16_t type,
                              uint64_t time_ns, const void* fixed, uint32_t fixed_length,
                              const void* tail, uint32_t tail_length) {
  uint64_t length = (uint64_t)fixed_length + tail_length;
  uint64_t size = cfc_message_size(length);
  if (*used > capacity || size > capacity - *used) return false;
  struct cfc_message message = {type, 0, (uint32_t)length, time_ns};
  uint8_t* at = buffer + *used;
  memcpy(at, &message, sizeof message);
  at += sizeof message;
  if (fixed_length) memcpy(at, fixed, fixed_length);
  if (tail_length) memcpy(at + fixed_length, tail, tail_length);
  memset(at + length, 0, (size_t)(size - sizeof message - length));
  *used += (uint32_t)size;
  return true;
}

/// The message at *offset of a buffer with `used` bytes of messages; moves *offset behind it.
/// *payload is set to its payload (message->length bytes).
/// Returns false at the end (*offset == used) and on a message that is not whole (*offset < used).
static inline bool cfc_next(const uint8_t* buffer, uint32_t used, uint32_t* offset,
                            struct cfc_message* message, const uint8_t** payload) {
  if (*offset > used || used - *offset < sizeof *message) return false;
  memcpy(message, buffer + *offset, sizeof *message);
  uint64_t size = cfc_message_size(message->length);
  if (size > used - *offset) return false;
  *payload = buffer + *offset + sizeof *message;
  *offset += (uint32_t)size;
  return true;
}

#ifdef __cplusplus
}  // extern "C"

static_assert(sizeof(cfc_header) <= CFC_TO_FIRMWARE_OFFSET,
              "the header fits in front of the buffers");
static_assert(sizeof(cfc_message) == 16, "layout");
static_assert(sizeof(cfc_start) == 64, "layout");
static_assert(sizeof(cfc_connection) == 28, "layout");
static_assert(sizeof(cfc_connection_event) == 40, "layout");
static_assert(sizeof(cfc_gatt_event) == 16, "layout");
static_assert(sizeof(cfc_attribute) == 24, "layout");
static_assert(sizeof(cfc_advertising) == 24, "layout");
#endif

#endif  // ESPBENCH_FIRMWARE_CHANNEL_H
