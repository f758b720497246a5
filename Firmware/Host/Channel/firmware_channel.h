// The channel between the virtual board and the firmware process: this header is its specification,
// firmware_channel_messages.h that of its messages.
//
// One memfd mapping, inherited by the firmware as descriptor CFC_CHANNEL_FD, holds a header and two
// linear message buffers. Board and firmware take strict turns: the side named in `turn` owns every
// byte of the mapping; the other side only waits for the turn word.
//
// A turn
//   board:    writes messages from offset 0 of `to_firmware`, sets to_firmware_length, now_ns and
//             horizon_ns, gives the turn to the firmware.
//   firmware: works, starting at now_ns; writes messages from offset 0 of `to_board`; sets
//             to_board_length, firmware_now_ns, status and, where it sleeps, wake_deadline_ns;
//             gives the turn back.
//
// Time is the board's virtual time in nanoseconds. The firmware's clock only advances by the cost
// of its calls (millis() 1 us; a full UART FIFO; a tick for a loop() that did not sleep). It
// advances its clock itself up to horizon_ns at most; a call that would exceed it gives the turn
// back as CFC_SLEEPING with wake_deadline_ns = the end of the call. Each message carries the
// instant at which the firmware sent it (now_ns <= time_ns <= firmware_now_ns, never decreasing).
//
// Callbacks. The messages marked "callback" run code of the sketch. The firmware runs them in order
// and one at a time, each time it sleeps, and answers each with CFC_CALLBACK_DONE as the first
// message after everything the callback sent. Callbacks that arrive while a callback sleeps
// (delay() in onWrite) or while a call waits for its reply are queued and run later. The board may
// send in any turn, but a sender that needs a bounded queue waits for CFC_CALLBACK_DONE.
//
// Calls. A firmware message marked "call" ends the turn with status CFC_CALLING; the board may let
// virtual time pass and gives the turn back with the one CFC_REPLY. It gives no turn to a calling
// firmware without that reply.
//
// Inquiries. With `inquiry` set, the board gives a turn that takes no time and changes nothing,
// also to a calling firmware: the firmware writes a cfc_task for each task to `to_board`, sets
// to_board_length, and gives the turn back.
//
// Both sides run on one machine: integers are in its byte order (little-endian). A message starts
// at a multiple of 8 bytes. The board does not trust the content: it reads each field once, treats
// a to_board_length beyond CFC_TO_BOARD_CAPACITY as a fault, and cfc_next checks every length.
#ifndef ESPBENCH_FIRMWARE_CHANNEL_H
#define ESPBENCH_FIRMWARE_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "firmware_channel_messages.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The descriptor on which the firmware process finds the mapping.
#define CFC_CHANNEL_FD 3

#define CFC_MAGIC 0x46435045u  // "EPCF"
/// Increased with every change of this file's layout; a firmware built for another version is not
/// started.
#define CFC_LAYOUT_VERSION 15u

#define CFC_TO_FIRMWARE_OFFSET 4096u
#define CFC_TO_FIRMWARE_CAPACITY 65536u
#define CFC_TO_BOARD_OFFSET (CFC_TO_FIRMWARE_OFFSET + CFC_TO_FIRMWARE_CAPACITY)
#define CFC_TO_BOARD_CAPACITY 262144u
#define CFC_MAPPING_SIZE (CFC_TO_BOARD_OFFSET + CFC_TO_BOARD_CAPACITY)

/// "Never" in wake_deadline_ns and horizon_ns.
#define CFC_NEVER 0xffffffffffffffffull
/// NimBLE's BLE_HS_CONN_HANDLE_NONE: no connection, or all of them.
#define CFC_NO_CONNECTION 0xffffu

/// Values of cfc_header.turn.
enum { CFC_TURN_BOARD = 0, CFC_TURN_FIRMWARE = 1 };

/// Values of cfc_header.status: the reason why the firmware gave the turn back.
enum {
  CFC_SLEEPING = 0,      ///< wake at wake_deadline_ns, or earlier with messages
  CFC_CALLING = 1,       ///< the last message is a call: continue with its CFC_REPLY
  CFC_RESTARTING = 2,    ///< esp_restart(): the process has ended
  CFC_CRASHED = 3,       ///< `fault` has the cause; the process has ended
  CFC_HUNG = 4,          ///< a turn used CFC_HANG_CPU_SECONDS (see `fault`); the process has ended
  CFC_INCOMPATIBLE = 5,  ///< wrong magic or layout version; the process has ended
  CFC_DEEP_SLEEP = 6     ///< deep sleep as set by the last CFC_SLEEP; the process has ended
};

/// CPU time that one turn may use.
#define CFC_HANG_CPU_SECONDS 2

#define CFC_FAULT_FRAMES 16
#define CFC_FAULT_MESSAGE_SIZE 2048
/// A task's name with its NUL.
#define CFC_TASK_NAME_SIZE 16

/// Values of cfc_fault.kind.
enum {
  CFC_FAULT_SIGNAL = 1,         ///< a signal such as SIGSEGV
  CFC_FAULT_ABORT = 2,          ///< abort(), exit()
  CFC_FAULT_ASSERT = 3,         ///< assert() failed; `message` is its text
  CFC_FAULT_EXCEPTION = 4,      ///< an uncaught C++ exception; `message` is its type and what()
  CFC_FAULT_HANG = 5,           ///< CFC_HUNG: a hang that the chip's watchdogs do not detect
  CFC_FAULT_STACK = 6,          ///< stack overflow of the task
  CFC_FAULT_TASK_WATCHDOG = 7,  ///< `message` lists the tasks that did not reset it, one a line,
                                ///< such as "IDLE0 (CPU 0)"; `running` lists the running tasks
  CFC_FAULT_INTERRUPT_WATCHDOG = 8,  ///< interrupts were off for too long on `core`
  CFC_FAULT_PANIC = 9,               ///< `message` is all that the chip prints before its backtrace
  CFC_FAULT_SANITIZER = 10,          ///< `message` is the report of AddressSanitizer or UBSan
  CFC_FAULT_SYSTEM_CALL = 11  ///< the sandbox has refused the system call that `message` names
};

/// Values of cfc_fault.access: the access that failed at the fault address.
enum {
  CFC_ACCESS_UNKNOWN = 0,  ///< no access, or the machine does not report it
  CFC_ACCESS_LOAD = 1,
  CFC_ACCESS_STORE = 2,
  CFC_ACCESS_FETCH = 3  ///< instruction fetch
};

/// The reason and place of the firmware's end. Addresses in `frames` and `pc` have the form that
/// addr2line expects: absolute for a program at a fixed address (32-bit), otherwise relative to its
/// load base; addresses outside the program are omitted.
struct cfc_fault {
  uint32_t kind;
  uint32_t signal;         ///< signal number, 0 where there was none
  uint32_t access;         ///< CFC_ACCESS_...
  uint32_t frame_count;    ///< valid entries of `frames`, innermost first
  uint64_t fault_address;  ///< si_addr: the address of the access that failed (absolute)
  uint64_t pc;             ///< frames[0], 0 when unknown
  uint64_t frames[CFC_FAULT_FRAMES];
  uint32_t stack_pointers[CFC_FAULT_FRAMES];  ///< of each of `frames`; 0: unknown
  uint32_t core;                              ///< the core of the fault
  uint32_t in_interrupt;                      ///< 1: in an interrupt's handler
  char task[CFC_TASK_NAME_SIZE];              ///< the task that ran, NUL-terminated
  char running[2][CFC_TASK_NAME_SIZE];        ///< the tasks on core 0 and core 1, such as "IDLE0"
  char message[CFC_FAULT_MESSAGE_SIZE];       ///< NUL-terminated, empty where there is none
};

/// The start of the mapping.
struct cfc_header {
  uint32_t magic;           ///< board, at creation
  uint32_t layout_version;  ///< board, at creation
  uint32_t turn;            ///< futex word; access only by firmware_channel_turns.h
  uint32_t board_waits;  ///< the board sleeps in the futex; access only by firmware_channel_turns.h
  uint32_t firmware_waits;      ///< the same for the firmware
  uint32_t board_pid;           ///< board, at creation: a firmware with another parent process ends
  uint32_t status;              ///< firmware
  uint32_t inquiry;             ///< board: 1 in a turn that only asks for the tasks, otherwise 0
  uint64_t now_ns;              ///< board: the time at which this turn starts
  uint64_t horizon_ns;          ///< board: latest time to which the firmware may advance its clock
  uint64_t firmware_now_ns;     ///< firmware: the time at which it gives the turn back
  uint64_t wake_deadline_ns;    ///< firmware, with status CFC_SLEEPING
  uint32_t to_firmware_length;  ///< board: bytes of messages in to_firmware
  uint32_t to_board_length;     ///< firmware: bytes of messages in to_board
  uint32_t spins;  ///< board: polls of `turn` by each side before it sleeps, at most CFC_SPINS;
                   ///< 0 if both sides share a processor
  uint32_t reserved;
  struct cfc_fault fault;  ///< firmware, with status CFC_CRASHED or CFC_HUNG
  // Bytes of the chip's heap, at the end of the turn, set by the firmware; all 0 before the first
  // turn.
  uint32_t heap_size;
  uint32_t heap_free;
  uint32_t heap_minimum_free;  ///< since the start
  uint32_t lost_output;        ///< firmware: bytes printed to Serial while it was not begun
};

/// Values of cfc_task.state.
enum {
  CFC_TASK_RUNNING = 0,    ///< has a core
  CFC_TASK_READY = 1,      ///< waits for a core
  CFC_TASK_WAITING = 2,    ///< waits for an event or for until_ns
  CFC_TASK_SUSPENDED = 3,  ///< vTaskSuspend()
};

#define CFC_TASK_FRAMES 32

/// A task of the firmware, and its place: the answer to an inquiry is an array of them.
struct cfc_task {
  char name[CFC_TASK_NAME_SIZE];  ///< NUL-terminated
  uint32_t state;                 ///< CFC_TASK_...
  uint32_t frame_count;           ///< valid entries of `frames`; 0: it has not run yet, or unknown
  uint64_t until_ns;              ///< the end of its wait; CFC_NEVER: none
  uint64_t frames[CFC_TASK_FRAMES];  ///< as in cfc_fault, innermost first
};

/// The header of every message. The payload follows directly; the next message starts at the next
/// multiple of 8 bytes.
struct cfc_message {
  uint16_t type;
  uint16_t flags;    ///< 0 unless the type says otherwise
  uint32_t length;   ///< bytes of payload, without this header and without padding
  uint64_t time_ns;  ///< when the sender sent it
};

// Access to the mapping

static inline uint8_t* cfc_to_firmware(struct cfc_header* header) {
  return (uint8_t*)header + CFC_TO_FIRMWARE_OFFSET;
}

static inline uint8_t* cfc_to_board(struct cfc_header* header) {
  return (uint8_t*)header + CFC_TO_BOARD_OFFSET;
}

/// The bytes that a message with this payload occupies in a buffer.
static inline uint64_t cfc_message_size(uint64_t payload_length) {
  return sizeof(struct cfc_message) + ((payload_length + 7) & ~(uint64_t)7);
}

/// Appends a message whose payload is `fixed`, then `tail`, and advances *used. Returns false, and
/// writes nothing, when it does not fit into `capacity`.
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

/// The message at *offset of a buffer with `used` bytes of messages; advances *offset past it.
/// *payload is set to its payload (message->length bytes). Returns false at the end (*offset ==
/// used) and on an incomplete message (*offset < used).
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
static_assert(offsetof(cfc_message, time_ns) == 8, "layout");
static_assert(sizeof(cfc_fault) == 2328, "layout");
static_assert(offsetof(cfc_fault, fault_address) == 16, "layout");
static_assert(offsetof(cfc_fault, pc) == 24, "layout");
static_assert(offsetof(cfc_fault, frames) == 32, "layout");
static_assert(offsetof(cfc_fault, message) == 280, "layout");
static_assert(offsetof(cfc_header, now_ns) == 32, "layout");
static_assert(offsetof(cfc_header, wake_deadline_ns) == 56, "layout");
static_assert(offsetof(cfc_header, fault) == 80, "layout");
static_assert(sizeof(cfc_task) == 288, "layout");
static_assert(offsetof(cfc_task, frames) == 32, "layout");
#endif

#endif  // ESPBENCH_FIRMWARE_CHANNEL_H
