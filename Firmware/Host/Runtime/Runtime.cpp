#include "Runtime.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "Cores.h"
#include "Heap.h"
#include "RTCMemory.h"
#include "firmware_channel_turns.h"

namespace espbench {
namespace {

/// The longest wait for the turn before the firmware checks that its board still runs.
constexpr uint64_t kParentCheckNanoseconds = 500000000;

// Plain data: used before and during the constructors of the sketch's globals.
cfc_header* header;
cfc_start startMessage;
uint64_t turnStart;
uint64_t turnHorizon;
uint64_t lastTime;  ///< latest time of a message; the cores' clocks differ
uint64_t turns;
uint32_t sent;         // bytes of messages in to_board
uint32_t lastMessage;  // offset of the last message in to_board

// Messages for tasks, in order; [pendingStart, pendingEnd) of pending.
uint8_t* pending;
uint32_t pendingStart, pendingEnd, pendingCapacity;
uint8_t* taken;  ///< the payload of the message taken last
uint32_t takenCapacity;

/// The blocks of NimBLE's pool that are known to be free.
uint32_t transmitBlocks;

TransferHandler transferHandler;

// The reply to the current call.
bool replied;
int32_t replyStatus;
void* replyBuffer;
size_t replyCapacity;
void (*replyTaker)(const uint8_t* data, size_t length);

void keep(const cfc_message& message, const uint8_t* payload) {
  uint32_t size = static_cast<uint32_t>(cfc_message_size(message.length));
  if (pendingStart == pendingEnd) pendingStart = pendingEnd = 0;
  if (pendingCapacity - pendingEnd < size) {
    HostScope own;
    pendingCapacity = std::max(pendingCapacity * 2, pendingEnd + size);
    pending = static_cast<uint8_t*>(realloc(pending, pendingCapacity));
    if (pending == nullptr) abort();
  }
  cfc_append(pending, pendingCapacity, &pendingEnd, message.type, message.time_ns, payload,
             message.length, nullptr, 0);
  wakeByBoard(messageWaiters);
}

void takeReply(const uint8_t* payload, size_t length) {
  cfc_reply reply = {};
  memcpy(&reply, payload, std::min(length, sizeof reply));
  replied = true;
  replyStatus = reply.status;
  if (replyTaker != nullptr && length >= sizeof reply) {
    replyTaker(payload + sizeof reply, length - sizeof reply);
  }
  if (replyBuffer == nullptr) return;
  memset(replyBuffer, 0, replyCapacity);
  if (length > sizeof reply) {
    memcpy(replyBuffer, payload + sizeof reply, std::min(length - sizeof reply, replyCapacity));
  }
}

void receive(const cfc_message& message, const uint8_t* payload) {
  switch (message.type) {
    case CFC_START:
      memcpy(&startMessage, payload, std::min<size_t>(message.length, sizeof startMessage));
      openRTCMemory(startMessage.random_seed);
      break;
    case CFC_RTC_MEMORY:
      restoreRTCMemory(payload, message.length);
      break;
    case CFC_REPLY:
      takeReply(payload, message.length);
      break;
    case CFC_TX_BLOCKS:
      if (message.length >= sizeof(cfc_number)) {
        cfc_number blocks;
        memcpy(&blocks, payload, sizeof blocks);
        setTransmitBlocks(static_cast<uint32_t>(std::max(blocks.value, 0)));
      }
      break;
    case CFC_SERIAL_INPUT:
      if (message.length >= sizeof(cfc_serial)) {
        cfc_serial serial;
        memcpy(&serial, payload, sizeof serial);
        serialInput(serial.port, payload + sizeof serial, message.length - sizeof serial);
      }
      break;
    case CFC_SERIAL_CLEAR:
      if (message.length >= sizeof(cfc_serial_line)) {
        cfc_serial_line line;
        memcpy(&line, payload, sizeof line);
        serialClearToSend(line.port, line.is_active != 0);
      }
      break;
    case CFC_PIN_INPUT:
      if (message.length >= sizeof(cfc_pin)) {
        cfc_pin pin;
        memcpy(&pin, payload, sizeof pin);
        pinInput(pin.pin, pin.value);
      }
      break;
    case CFC_PIN_ANSWERED:
      if (message.length >= sizeof(cfc_pin)) {
        cfc_pin pin;
        memcpy(&pin, payload, sizeof pin);
        pinAnswered(pin.pin, pin.value != 0);
      }
      break;
    case CFC_PIN_LEVELS:
      pinLevels(payload, message.length);
      break;
    case CFC_I2C_TRANSFER:
      if (transferHandler != nullptr) transferHandler(payload, message.length, message.time_ns);
      break;
    default:
      keep(message, payload);
  }
}

void awaitTurn() {
  while (!cfc_wait_turn(header, CFC_TURN_FIRMWARE, kParentCheckNanoseconds)) {
    if (getppid() != static_cast<pid_t>(header->board_pid)) exitProcess(0);
  }
}

/// Waits for the turn and receives the turn's messages.
void takeTurn() {
  awaitTurn();
  while (header->inquiry != 0) {
    answerInquiry();
    cfc_give_turn(header, CFC_TURN_BOARD);
    awaitTurn();
  }
  sent = 0;
  lastMessage = UINT32_MAX;
  turnStart = std::max(turnStart, header->now_ns);
  lastTime = std::max(lastTime, turnStart);
  turnHorizon =
      std::max(turnStart, std::min(header->horizon_ns, turnStart + kMaximumTurnNanoseconds));
  uint32_t used = std::min(header->to_firmware_length, CFC_TO_FIRMWARE_CAPACITY);
  uint32_t offset = 0;
  cfc_message message;
  const uint8_t* payload;
  while (cfc_next(cfc_to_firmware(header), used, &offset, &message, &payload)) {
    receive(message, payload);
  }
}

void giveTurn(uint32_t status, uint64_t deadline) {
  header->status = status;
  header->firmware_now_ns = lastTime;
  header->wake_deadline_ns = deadline;
  header->to_board_length = sent;
  header->heap_size = static_cast<uint32_t>(heapSize());
  header->heap_free = static_cast<uint32_t>(freeHeap());
  header->heap_minimum_free = static_cast<uint32_t>(minimumFreeHeap());
  header->lost_output = lostOutput();
  turns++;
  cfc_give_turn(header, CFC_TURN_BOARD);
}

/// The time of a message: the clock of the core that sends it, never before the time of an earlier
/// message.
uint64_t stamp() { return lastTime = std::max(lastTime, now()); }

/// Waits for the reply to a call; meanwhile both cores are stopped. Returns its status.
int32_t waitForReply() {
  while (!replied) handOver(CFC_CALLING, CFC_NEVER);
  for (Core& core : cores) core.clock = std::max(core.clock, turnStart);
  limit = 0;
  // An interrupt's handler may call, too.
  const int32_t status = replyStatus;
  replyBuffer = nullptr;
  replyTaker = nullptr;
  if (!inCritical()) deliverInterrupts();
  return status;
}

void flushMessages() {
  replied = false;
  cfc_append(cfc_to_board(header), CFC_TO_BOARD_CAPACITY, &sent, CFC_FLUSH, stamp(), nullptr, 0,
             nullptr, 0);
  waitForReply();
}

}  // namespace

WaitList messageWaiters;

const cfc_start& startInformation() { return startMessage; }
uint64_t tickAt(uint64_t instant) {
  return (instant - startMessage.timer_zero_ns) / kTickNanoseconds;
}
uint64_t instantOfTick(uint64_t tick) {
  return startMessage.timer_zero_ns + tick * kTickNanoseconds;
}
uint64_t turnCount() { return turns; }
cfc_header* channel() { return header; }

uint64_t horizon() { return turnHorizon; }
bool hasSent() { return sent > 0; }
uint64_t boardTime() { return turnStart; }

void handOver(uint32_t status, uint64_t deadline) {
  giveTurn(status, deadline);
  takeTurn();
}

bool takeMessage(cfc_message& message, const uint8_t*& payload) {
  const uint8_t* bytes;
  if (!cfc_next(pending, pendingEnd, &pendingStart, &message, &bytes)) return false;
  if (takenCapacity < message.length) {
    HostScope own;
    takenCapacity = message.length * 2;
    taken = static_cast<uint8_t*>(realloc(taken, takenCapacity));
    if (taken == nullptr) abort();
  }
  // A copy: more messages may arrive while this one is processed.
  if (message.length > 0) memcpy(taken, bytes, message.length);
  payload = taken;
  return true;
}

void mapChannel() {
  void* mapping =
      mmap(nullptr, CFC_MAPPING_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, CFC_CHANNEL_FD, 0);
  close(CFC_CHANNEL_FD);
  header = static_cast<cfc_header*>(mapping);
  if (mapping == MAP_FAILED || header->magic != CFC_MAGIC) {
    static const char text[] = "This program runs on espbench's virtual board only.\n";
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    exitProcess(64);
  }
  if (header->layout_version != CFC_LAYOUT_VERSION) endTurnAndExit(CFC_INCOMPATIBLE);
}

void waitForStart() {
  takeTurn();
  for (Core& core : cores) core.clock = turnStart;
  here->busySince = turnStart;
}

void send(uint16_t type, const void* fixed, size_t fixedLength, const void* tail,
          size_t tailLength) {
  // Space for a CFC_FLUSH is always reserved.
  const uint32_t capacity = CFC_TO_BOARD_CAPACITY - sizeof(cfc_message);
  for (int attempt = 0; attempt < 2; attempt++) {
    uint32_t start = sent;
    if (cfc_append(cfc_to_board(header), capacity, &sent, type, stamp(), fixed,
                   static_cast<uint32_t>(fixedLength), tail, static_cast<uint32_t>(tailLength))) {
      lastMessage = start;
      return;
    }
    flushMessages();
  }
  abort();  // No message of the firmware is longer than the buffer.
}

bool extendLastOutput(uint32_t port, const void* bytes, size_t length) {
  if (lastMessage == UINT32_MAX) return false;
  uint8_t* at = cfc_to_board(header) + lastMessage;
  cfc_message message;
  memcpy(&message, at, sizeof message);
  uint64_t end = lastMessage + cfc_message_size(message.length + length);
  if (message.type != CFC_SERIAL_OUTPUT || end > CFC_TO_BOARD_CAPACITY - sizeof(cfc_message)) {
    return false;
  }
  cfc_serial_output output;
  memcpy(&output, at + sizeof message, sizeof output);
  if (output.port != port) return false;
  memcpy(at + sizeof message + message.length, bytes, length);
  message.length += static_cast<uint32_t>(length);
  memcpy(at, &message, sizeof message);
  sent = static_cast<uint32_t>(end);
  return true;
}

int32_t call(uint16_t type, const void* fixed, size_t fixedLength, const void* tail,
             size_t tailLength, void* reply, size_t replyLength) {
  send(type, fixed, fixedLength, tail, tailLength);
  replied = false;
  replyBuffer = reply;
  replyCapacity = replyLength;
  return waitForReply();
}

int32_t callAndTake(uint16_t type, const void* fixed, size_t fixedLength,
                    void (*take)(const uint8_t* data, size_t length)) {
  send(type, fixed, fixedLength);
  replied = false;
  replyTaker = take;
  return waitForReply();
}

bool takeTransmitBlocks(uint32_t count) {
  if (transmitBlocks < count) return false;
  transmitBlocks -= count;
  return true;
}

void setTransmitBlocks(uint32_t count) { transmitBlocks = count; }

void setTransferHandler(TransferHandler handler) { transferHandler = handler; }

void endTurnAndExit(uint32_t status) {
  // A fault before the board gave the first turn is reported in that turn.
  awaitTurn();
  if (status != CFC_INCOMPATIBLE) keepRTCMemory(status == CFC_DEEP_SLEEP);
  stamp();
  giveTurn(status, CFC_NEVER);
  exitProcess(status == CFC_RESTARTING || status == CFC_DEEP_SLEEP ? 0 : 1);
}

}  // namespace espbench
