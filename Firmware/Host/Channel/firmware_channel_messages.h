// The messages of the firmware channel (firmware_channel.h): their types and their payloads.
#ifndef ESPBENCH_FIRMWARE_CHANNEL_MESSAGES_H
#define ESPBENCH_FIRMWARE_CHANNEL_MESSAGES_H

#include <stddef.h>
#include <stdint.h>

#include "firmware_channel_pins.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Messages from the board to the firmware, with their payloads.
enum {
  CFC_START = 1,                      ///< cfc_start: the first message, in the first turn
  CFC_REPLY = 2,                      ///< cfc_reply, then the data defined by the call
  CFC_SERIAL_INPUT = 3,               ///< cfc_serial, then the bytes that arrived at the UART
  CFC_PIN_INPUT = 4,                  ///< cfc_pin, value = CFC_PIN_...: the new external level
  CFC_BLE_CONNECTED = 5,              ///< callback: cfc_connection_event (onConnect)
  CFC_BLE_DISCONNECTED = 6,           ///< callback: cfc_connection_event (onDisconnect)
  CFC_BLE_MTU = 7,                    ///< callback: cfc_connection_event (onMTUChange)
  CFC_BLE_CONNECTION_PARAMETERS = 8,  ///< callback: cfc_connection_event (onConnParamsUpdate)
  CFC_GATT_READ = 9,        ///< callback: cfc_gatt_event (onRead; then the board reads its copy)
  CFC_GATT_WRITE = 10,      ///< callback: cfc_gatt_event, then the value (stored, then onWrite)
  CFC_GATT_SUBSCRIBE = 11,  ///< callback: cfc_gatt_event (onSubscribe)
  CFC_GATT_STATUS = 12,     ///< callback: cfc_gatt_event (onStatus)
  CFC_BLE_ADVERTISING_COMPLETE = 13,  ///< callback: cfc_ble_event (the duration of start() is over)
  CFC_BLE_PASSKEY_ACTION = 14,  ///< callback: cfc_connection_event, value = the number to compare,
                                ///< detail = CFC_PASSKEY_... (BLE_GAP_EVENT_PASSKEY_ACTION)
  CFC_BLE_ENCRYPTION = 15,      ///< callback: cfc_connection_event, value = BLE_HS_... status
                                ///< (BLE_GAP_EVENT_ENC_CHANGE: onAuthenticationComplete; the
                                ///< clients' settings are stored after it)
  CFC_BLE_IDENTITY = 16,        ///< callback: cfc_connection_event (onIdentity)
  CFC_BLE_LINK_STATE = 17,      ///< callback: cfc_connection_event: a new link (sent before
                                ///< CFC_BLE_CONNECTED, which follows the exchange of versions and
                                ///< features) or a new state of a link; calls no function of the
                                ///< sketch
  CFC_BLE_LINK_ENDED = 18,      ///< callback: cfc_connection_event: a link ended before
                                ///< CFC_BLE_CONNECTED; calls no function of the sketch
  CFC_HCI_PACKET = 19,          ///< an H4 packet of the controller, for a host in the firmware
  CFC_RTC_MEMORY = 20,  ///< cfc_rtc_memory, then bytes kept in deep sleep; sent after CFC_START,
                        ///< before the first turn
  CFC_TX_BLOCKS = 21,   ///< cfc_number: number of free blocks of NimBLE's pool at the start of this
                        ///< turn; 0 before the first such message. CFC_GATT_NOTIFY takes
                        ///< some of them
  CFC_FORGET_BONDS = 22,  ///< cfc_address: the identity; no payload: all bonds. A host in the
                          ///< firmware deletes the bonds, also in its memory, and answers with
                          ///< CFC_BONDS_FORGOTTEN
  CFC_SERIAL_CLEAR = 23,  ///< cfc_serial_line: active while the far end of a UART asserts CTS
  CFC_PIN_ANSWERED = 24,  ///< cfc_pin, value = 1: a part answers changes of this pin, which the
                          ///< firmware reports by CFC_PIN_DRIVEN from now on; 0: none does
  CFC_PIN_LEVELS = 25,    ///< any number of cfc_level: external levels in the future
  CFC_I2C_TRANSFER = 26   ///< cfc_i2c, then the bytes that a master writes to the firmware as a
                          ///< slave. The answer is CFC_I2C_TRANSFERRED
};

/// Messages from the firmware to the board, with their payloads.
enum {
  CFC_FLUSH = 64,          ///< call, no payload: to_board was full. The reply adds nothing
  CFC_SERIAL_BEGIN = 65,   ///< cfc_serial_begin
  CFC_SERIAL_OUTPUT = 66,  ///< cfc_serial_output, then the bytes
  CFC_PIN_MODE = 67,       ///< cfc_pin, value = the new mode of the pin, in Arduino's bits:
                      ///< 0x01 input, 0x02 driven, 0x04 pull-up, 0x08 pull-down, 0x10 open drain
  CFC_PIN_OUTPUT = 68,         ///< cfc_pin, value = CFC_PIN_...; floating: no longer driven
  CFC_BLE_INIT = 69,           ///< call, no payload: controller and host start. The reply adds
                               ///< cfc_address, the device's own. Sent after CFC_BLE_NAME
  CFC_BLE_DEINIT = 70,         ///< call, no payload: connections end, the host stops
  CFC_BLE_NAME = 71,           ///< the GAP device name, 0 to 31 bytes
  CFC_BLE_PREFERRED_MTU = 72,  ///< cfc_number (23 to 527)
  CFC_BLE_TX_POWER = 73,       ///< cfc_tx_power
  CFC_GATT_REGISTER = 74,      ///< call: cfc_gatt_register, then `count` cfc_attribute; replaces
                               ///< the sketch's services. The reply adds `count` uint16_t
                               ///< handles in that order (characteristic: its value handle)
  CFC_GATT_CALLBACKS = 75,     ///< cfc_gatt_callbacks
  CFC_GATT_VALUE = 76,         ///< cfc_gatt_value, then the value, which reads return from now on
  CFC_GATT_NOTIFY = 77,       ///< cfc_gatt_notify, then the value if has_value is 1. A notification
                              ///< to one connection uses this message only if its blocks
                              ///< (cfc_notification_blocks) are free: CFC_TX_BLOCKS minus the
                              ///< blocks taken since
  CFC_ADVERTISING_DATA = 78,  ///< 0 to 31 bytes of AD structures
  CFC_SCAN_RESPONSE_DATA = 79,  ///< 0 to 31 bytes of AD structures
  CFC_ADVERTISING_START = 80,   ///< call: cfc_advertising
  CFC_ADVERTISING_STOP = 81,    ///< call, no payload
  CFC_DISCONNECT = 82,          ///< cfc_disconnect
  CFC_UPDATE_CONNECTION = 83,   ///< cfc_update_connection
  CFC_CALLBACK_DONE = 84,       ///< cfc_callback_done
  CFC_SECURITY = 85,            ///< cfc_security: for pairings that begin from now on
  CFC_OWN_ADDRESS_TYPE = 86,    ///< call: cfc_number (BLE_OWN_ADDR_...)
  CFC_START_SECURITY = 87,      ///< call: cfc_number, the connection (ble_gap_security_initiate)
  CFC_PASSKEY_ANSWER = 88,      ///< call: cfc_passkey_answer (ble_sm_inject_io)
  CFC_BONDS = 89,               ///< call, no payload. The reply adds cfc_bonds
  CFC_DELETE_BOND = 90,         ///< call: cfc_address, an identity (ble_gap_unpair)
  CFC_NVS_OPEN = 91,            ///< call: cfc_nvs_open, then the namespace's name. The reply adds
                                ///< cfc_number: the namespace
  CFC_NVS_SET = 92,             ///< call: cfc_nvs_item, then the value
  CFC_NVS_GET = 93,             ///< call: cfc_nvs_item. The reply adds cfc_number, the value's
                                ///< length, then the value
  CFC_NVS_ERASE = 94,           ///< call: cfc_nvs_item; its type has no meaning
  CFC_NVS_ERASE_ALL = 95,       ///< call: cfc_number, the namespace, or CFC_WHOLE_PARTITION,
                                ///< which also closes all namespaces
  CFC_NVS_FREE_ENTRIES = 96,    ///< call, no payload. The reply adds cfc_number
  CFC_SERVO = 97,               ///< cfc_servo
  CFC_ACCEPT_LIST = 98,         ///< call: any number of cfc_address (ble_gap_wl_set)
  CFC_RECORD = 99,           ///< call: cfc_record_query. The reply adds cfc_record, or has status
                             ///< 5 (BLE_HS_ENOENT)
  CFC_DELETE_RECORDS = 100,  ///< call: cfc_address, an identity (ble_store_util_delete_peer)
  CFC_HCI_OPEN = 101,     ///< call: cfc_hci_open. The firmware contains a Bluetooth host, and the
                          ///< board is its controller, in the reset state. The reply adds
                          ///< cfc_address, the public address
  CFC_HCI_SEND = 102,     ///< an H4 packet to the controller
  CFC_SLEEP = 103,        ///< cfc_sleep: settings of the sleep that CFC_DEEP_SLEEP begins
  CFC_KEEP_MEMORY = 104,  ///< cfc_rtc_memory, then bytes that the next start gets as
                          ///< CFC_RTC_MEMORY, unless power was off
  CFC_NIMBLE = 105,       ///< the name and version of the Bluetooth host, as text
  CFC_GATT_NOTIFY_CALL = 106,  ///< call: like CFC_GATT_NOTIFY to one connection. The reply has the
                               ///< status of ble_gattc_notify_custom or ble_gattc_indicate_custom,
                               ///< such as 6 (BLE_HS_ENOMEM), and adds cfc_number: the free blocks,
                               ///< as in CFC_TX_BLOCKS
  CFC_HCI_CLOSE = 107,         ///< no payload: the firmware no longer has a Bluetooth host
  CFC_BONDS_FORGOTTEN = 108,   ///< no payload: one CFC_FORGET_BONDS is done
  CFC_SERIAL_READY = 109,      ///< cfc_serial_line: active while a UART asserts RTS
  CFC_SERIAL_FLOW = 110,       ///< cfc_serial_line: active if a UART sends only with CTS
  CFC_PIN_IGNORED = 111,    ///< cfc_pin, value = CFC_IGNORED_... (each once): a call had no effect
  CFC_PIN_DRIVEN = 112,     ///< call: as CFC_PIN_OUTPUT, of a pin with CFC_PIN_ANSWERED. The reply
                            ///< adds cfc_number, the number of levels, then as many cfc_level
  CFC_PWM = 113,            ///< cfc_pwm
  CFC_ANALOG_READ = 114,    ///< call: cfc_analog_read. The reply adds cfc_analog
  CFC_ANALOG_OUTPUT = 115,  ///< cfc_pin, value = 0 to 255, or CFC_ANALOG_OFF: the pin's DAC
  CFC_I2C = 116,         ///< call: cfc_i2c, then the bytes to write. The reply adds cfc_i2c_result,
                         ///< then the bytes that were read
  CFC_PULSES = 117,      ///< cfc_pulses, then `count` cfc_pulse: a transmission that begins now
  CFC_TOUCH_READ = 118,  ///< call: cfc_number, the pin. The reply adds cfc_number
  CFC_SPI = 119,        ///< call: cfc_spi, then the bytes of MOSI. The reply adds the bytes of MISO
  CFC_I2C_SLAVE = 120,  ///< cfc_i2c_slave: the firmware has begun, or ended, to be a slave
  CFC_I2C_TRANSFERRED = 121  ///< cfc_i2c_transferred, then the bytes that the master has read: the
                             ///< end of a CFC_I2C_TRANSFER
};

/// The chip for whose controller the host is built.
struct cfc_hci_open {
  uint16_t chip_id;  ///< esp_chip_id_t: 0 is the ESP32, 9 the ESP32-S3
  uint16_t reserved;
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
  uint8_t mac[6];         ///< base MAC, in the order in which it is printed
  char chip_model[26];    ///< NUL-terminated, such as "ESP32-D0WDQ6"
  uint32_t wakeup_cause;  ///< esp_sleep_wakeup_cause_t (CFC_WAKEUP_...)
  uint32_t reserved2;
  uint64_t wakeup_pins;  ///< CFC_WAKEUP_EXT1: the pins that woke the chip, one bit per pin
};

/// esp_sleep_wakeup_cause_t of ESP-IDF 5.
enum { CFC_WAKEUP_UNDEFINED = 0, CFC_WAKEUP_EXT0 = 2, CFC_WAKEUP_EXT1 = 3, CFC_WAKEUP_TIMER = 4 };

/// The events that end a deep sleep.
struct cfc_sleep {
  uint64_t timer_ns;   ///< the sleep's duration; CFC_NEVER: no timer
  uint64_t ext1_pins;  ///< a bit for each pin, 0: none
  int32_t ext0_pin;    ///< -1: none
  uint8_t ext0_level;  ///< 0 or 1
  uint8_t ext1_mode;   ///< esp_sleep_ext1_wakeup_mode_t: 0 all low, 1 any high
  uint16_t reserved;
};

/// A part of the memory that deep sleep keeps.
struct cfc_rtc_memory {
  uint32_t offset;
  uint32_t is_noinit;  ///< 1: RTC_NOINIT_ATTR, which every reset but power-on keeps; 0:
                       ///< RTC_DATA_ATTR, which only deep sleep keeps
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

/// A control line of a UART.
struct cfc_serial_line {
  uint32_t port;
  uint32_t is_active;
};

/// The transmitter sends byte i from line_ns + i * 10 / baud on: after the bytes already in the
/// FIFO.
struct cfc_serial_output {
  uint32_t port;
  uint32_t reserved;
  uint64_t line_ns;  ///< when the start bit of the first byte begins
};

struct cfc_number {
  int32_t value;
};

/// In dBm. The default of both is +3.
struct cfc_tx_power {
  int32_t advertising;
  int32_t connection;
};

struct cfc_address {
  uint8_t type;      ///< 0 public, 1 random
  uint8_t bytes[6];  ///< least significant first, as on air
  uint8_t reserved;
};

/// Bits of cfc_connection.security.
enum { CFC_LINK_ENCRYPTED = 1, CFC_LINK_AUTHENTICATED = 2, CFC_LINK_BONDED = 4 };

/// The content of NimBLEConnInfo.
struct cfc_connection {
  uint16_t handle;
  uint16_t interval;  ///< unit 1.25 ms
  uint16_t latency;   ///< in connection events
  uint16_t timeout;   ///< unit 10 ms
  uint16_t mtu;
  uint8_t security;
  uint8_t key_size;
  struct cfc_address peer_over_the_air;
  struct cfc_address peer_identity;
};

struct cfc_ble_event {
  uint32_t token;  ///< returned in CFC_CALLBACK_DONE
  int32_t value;   ///< advertising complete: BLE_HS_ETIMEOUT (13)
};

struct cfc_connection_event {
  uint32_t token;
  int32_t value;  ///< disconnected: NimBLE's reason (0x200 + HCI code); MTU: the MTU; else as
                  ///< defined by the message, or 0
  struct cfc_connection connection;
  uint32_t detail;  ///< as defined by the message, or 0
};

struct cfc_gatt_event {
  uint32_t token;
  uint16_t connection;  ///< connection handle
  uint16_t attribute;   ///< handle of the characteristic's value or of the descriptor
  int32_t value;        ///< subscribe: 1 notify + 2 indicate; status: BLE_HS_... (a confirmed
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
/// CFC_GATT_READ, _SUBSCRIBE and _STATUS only if the bit is set, but always CFC_GATT_WRITE, since
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

/// Without a value, the stored value is sent: with CFC_NO_CONNECTION like ble_gatts_chr_updated (to
/// all subscribers, after the callback, only the last value), otherwise like
/// ble_gattc_notify_custom(NULL) or ble_gattc_indicate_custom(NULL). With a value (always to one
/// connection), that value is sent at once and independently of the CCCD. The firmware itself
/// reports the result to the sketch; for values sent later, and for each indication that is
/// confirmed or fails, CFC_GATT_STATUS follows (NimBLE's BLE_GAP_EVENT_NOTIFY_TX).
struct cfc_gatt_notify {
  uint16_t attribute;
  uint16_t connection;  ///< handle or CFC_NO_CONNECTION
  uint8_t indicate;     ///< 1: indication
  uint8_t has_value;    ///< 1: the value follows (possibly 0 bytes)
  uint16_t reserved;
};

/// The blocks of NimBLE's pool (MSYS 1) that a notification of `length` bytes takes, in blocks of
/// `block_size` bytes: the blocks of its value, each with a header of 16 bytes and the first with
/// 21 more, and one block for the headers of the packet. They are free again when the controller
/// has accepted the notification.
static inline uint32_t cfc_notification_blocks(uint32_t length, uint32_t block_size) {
  uint32_t room = block_size > 16 ? block_size - 16 : 1;
  uint32_t first = room > 21 ? room - 21 : 0;
  return 2 + (length > first ? (length - first + room - 1) / room : 0);
}

/// The parameters of ble_gap_adv_start; 0 has the same meaning as there.
struct cfc_advertising {
  uint8_t connectable_mode;   ///< BLE_GAP_CONN_MODE_NON 0, DIR 1, UND 2
  uint8_t discoverable_mode;  ///< BLE_GAP_DISC_MODE_NON 0, LTD 1, GEN 2
  uint8_t own_address_type;   ///< BLE_OWN_ADDR_...
  uint8_t filter_policy;      ///< accept list only: 1 for scan requests, 2 for connections
  uint16_t interval_minimum;  ///< unit 0.625 ms, 0 = default (30 ms if connectable, else 100 ms)
  uint16_t interval_maximum;  ///< unit 0.625 ms, 0 = default (60 ms if connectable, else 150 ms)
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
  uint16_t interval_minimum;  ///< unit 1.25 ms
  uint16_t interval_maximum;
  uint16_t latency;
  uint16_t timeout;  ///< unit 10 ms
  uint16_t reserved[3];
};

// Security

/// ble_hs_cfg.sm_... Before the first such message, NimBLE-Arduino's defaults apply: all 0 but
/// io_capability 3 (no input, no output), both key distributions 3, and capacity for 3 bonds, 8
/// subscriptions, the supported features of 3 clients and one pairing at a time, and 12 blocks of
/// 256 bytes.
struct cfc_security {
  uint8_t io_capability;  ///< BLE_HS_IO_...
  uint8_t bonding;
  uint8_t mitm;
  uint8_t secure_connections;
  uint8_t our_keys;    ///< BLE_SM_PAIR_KEY_DIST_...
  uint8_t their_keys;  ///< BLE_SM_PAIR_KEY_DIST_...
  uint8_t secure_connections_only;
  uint8_t maximum_bonds;          ///< MYNEWT_VAL_BLE_STORE_MAX_BONDS, 1 to CFC_MAXIMUM_BONDS
  uint8_t maximum_subscriptions;  ///< MYNEWT_VAL_BLE_STORE_MAX_CCCDS
  uint8_t maximum_features;       ///< MYNEWT_VAL_BLE_STORE_MAX_CSFCS
  uint8_t maximum_pairings;       ///< MYNEWT_VAL_BLE_SM_MAX_PROCS
  uint8_t reserved;
  uint16_t block_count;  ///< MYNEWT_VAL_MSYS_1_BLOCK_COUNT
  uint16_t block_size;   ///< MYNEWT_VAL_MSYS_1_BLOCK_SIZE, bytes
};

/// Values of cfc_passkey_answer.action and, in CFC_BLE_PASSKEY_ACTION, of detail: BLE_SM_IOACT_...
enum {
  CFC_PASSKEY_OUT_OF_BAND = 1,
  CFC_PASSKEY_INPUT = 2,
  CFC_PASSKEY_DISPLAY = 3,
  CFC_PASSKEY_COMPARE = 4
};

struct cfc_passkey_answer {
  uint16_t connection;
  uint16_t action;
  uint32_t value;  ///< the passkey; for CFC_PASSKEY_COMPARE: 1 (equal) or 0
};

#define CFC_MAXIMUM_BONDS 8

struct cfc_bonds {
  uint32_t count;
  struct cfc_address peers[CFC_MAXIMUM_BONDS];  ///< identities, oldest first
};

/// Values of cfc_record_query.type: NimBLE's BLE_STORE_OBJ_TYPE_...
enum { CFC_RECORD_SUBSCRIPTION = 3, CFC_RECORD_FEATURES = 8 };

struct cfc_record_query {
  uint32_t type;   ///< CFC_RECORD_...
  uint32_t index;  ///< counted from 0
};

/// Data other than keys that the host stores for a client.
struct cfc_record {
  struct cfc_address peer;  ///< identity
  uint16_t handle;          ///< subscription: handle of the characteristic's value
  uint16_t value;           ///< subscription: CCCD flags; features: the octet
  uint32_t has_changed;     ///< 1: the value was notified after the subscription was stored
};

// Non-volatile storage. Replies carry ESP-IDF's codes (ESP_ERR_NVS_...).

#define CFC_NVS_NAME_SIZE 16

/// Values of cfc_nvs_item.type: ESP-IDF's nvs_type_t.
enum {
  CFC_NVS_U8 = 0x01,
  CFC_NVS_I8 = 0x11,
  CFC_NVS_U16 = 0x02,
  CFC_NVS_I16 = 0x12,
  CFC_NVS_U32 = 0x04,
  CFC_NVS_I32 = 0x14,
  CFC_NVS_U64 = 0x08,
  CFC_NVS_I64 = 0x18,
  CFC_NVS_STRING = 0x21,  ///< the value is the text with its NUL
  CFC_NVS_BLOB = 0x42
};

/// The value in CFC_NVS_ERASE_ALL for the whole partition.
#define CFC_WHOLE_PARTITION (-1)

struct cfc_nvs_open {
  uint32_t may_write;  ///< 1: a missing namespace is created
  uint32_t reserved;
};

struct cfc_nvs_item {
  uint32_t name_space;
  uint32_t type;
  char key[CFC_NVS_NAME_SIZE];  ///< NUL-terminated
};

#ifdef __cplusplus
}  // extern "C"

// Structures with 64-bit members have the same layout in all processes, whatever alignment such
// members have there: their offsets are multiples of 8 bytes without padding.
static_assert(sizeof(cfc_start) == 80, "layout");
static_assert(offsetof(cfc_start, timer_zero_ns) == 8, "layout");
static_assert(offsetof(cfc_start, random_seed) == 16, "layout");
static_assert(offsetof(cfc_start, wakeup_pins) == 72, "layout");
static_assert(sizeof(cfc_sleep) == 24, "layout");
static_assert(offsetof(cfc_sleep, ext1_pins) == 8, "layout");
static_assert(offsetof(cfc_sleep, ext0_pin) == 16, "layout");
static_assert(sizeof(cfc_serial_output) == 16, "layout");
static_assert(offsetof(cfc_serial_output, line_ns) == 8, "layout");
static_assert(sizeof(cfc_rtc_memory) == 8, "layout");
static_assert(sizeof(cfc_connection) == 28, "layout");
static_assert(sizeof(cfc_connection_event) == 40, "layout");
static_assert(sizeof(cfc_gatt_event) == 16, "layout");
static_assert(sizeof(cfc_attribute) == 24, "layout");
static_assert(sizeof(cfc_advertising) == 24, "layout");
static_assert(sizeof(cfc_security) == 16, "layout");
static_assert(sizeof(cfc_bonds) == 68, "layout");
static_assert(sizeof(cfc_record) == 16, "layout");
static_assert(sizeof(cfc_nvs_item) == 24, "layout");
#endif

#endif  // ESPBENCH_FIRMWARE_CHANNEL_MESSAGES_H
