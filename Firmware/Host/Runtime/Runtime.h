// The firmware process's interface to the board: clock, messages, calls.
//
// The whole process runs on one thread; Kernel.h describes how tasks share it.
#ifndef ESPBENCH_RUNTIME_H
#define ESPBENCH_RUNTIME_H

#include <cstddef>
#include <cstdint>

#include "Kernel.h"
#include "firmware_channel.h"

namespace espbench {

/// The cost of reading the clock, a pin or a buffer, so that time advances in a sketch that polls.
constexpr uint64_t kPollNanoseconds = 1000;
/// The cost of a loop() that returned without sleeping: a FreeRTOS tick.
constexpr uint64_t kTickNanoseconds = 1000000;
/// The ticks of both cores occur at whole milliseconds of esp_timer_get_time(). tickAt() returns
/// the number of ticks at an instant, instantOfTick() the instant of a tick.
uint64_t tickAt(uint64_t instant);
uint64_t instantOfTick(uint64_t tick);
/// The firmware gives back the turn at least this often, however far the board's horizon is.
constexpr uint64_t kMaximumTurnNanoseconds = 10 * kTickNanoseconds;

/// Virtual time: the clock of the current core.
uint64_t now();

/// The board's start message.
const cfc_start& startInformation();

/// Advances the clock of the current core; due timers and tasks run first, unless they must wait
/// for the end of an interrupt or a critical section.
void spend(uint64_t nanoseconds);

/// Like spend(), but the board has received all sent messages before it returns.
void spendTurn(uint64_t nanoseconds);

/// The current task waits until `deadline`.
void sleepUntil(uint64_t deadline);

/// Counts the board's turns.
uint64_t turnCount();

/// Sends a message whose payload is `fixed`, then `tail`.
void send(uint16_t type, const void* fixed = nullptr, size_t fixedLength = 0,
          const void* tail = nullptr, size_t tailLength = 0);

/// Appends bytes to the last message if this message is output of the UART and has space for them.
bool extendLastOutput(uint32_t port, const void* bytes, size_t length);

/// Sends a call and waits for its reply. Returns the reply's status. Copies at most `replyLength`
/// bytes of the reply's data to `reply`, and sets the remaining bytes to 0.
int32_t call(uint16_t type, const void* fixed = nullptr, size_t fixedLength = 0,
             const void* tail = nullptr, size_t tailLength = 0, void* reply = nullptr,
             size_t replyLength = 0);

/// Like call(), and `take` gets the reply's data while the reply is received.
int32_t callAndTake(uint16_t type, const void* fixed, size_t fixedLength,
                    void (*take)(const uint8_t* data, size_t length));

/// Takes the next message that needs a task (callbacks, packets of the controller), in order; false
/// when no message waits. `payload` is valid until the next call.
bool takeMessage(cfc_message& message, const uint8_t*& payload);
/// The tasks that wait for such messages.
extern WaitList messageWaiters;

/// Takes `count` blocks of NimBLE's pool for a notification; returns false, and takes none, if
/// fewer blocks are known to be free (CFC_TX_BLOCKS).
bool takeTransmitBlocks(uint32_t count);
/// Sets the number of free blocks.
void setTransmitBlocks(uint32_t count);

/// Ends the process with `status`, after sent messages have been delivered.
[[noreturn]] void endTurnAndExit(uint32_t status);

/// Ends the process, which the sandbox permits only to the host core (Platform/Sandbox.cpp).
[[noreturn]] void exitProcess(int status);

/// The header of the mapped channel, for data that are not messages, such as a fault.
cfc_header* channel();

// Startup, in this order, before any constructor of the sketch.
void mapChannel();
void installFaultHandlers();
void waitForStart();

// Handlers called when a message arrives ...
void serialInput(uint32_t port, const uint8_t* bytes, size_t length);
void serialClearToSend(uint32_t port, bool isGiven);
/// `value`: CFC_PIN_...
void pinInput(uint32_t pin, uint32_t value);
void pinAnswered(uint32_t pin, bool isAnswered);
/// `levels`: any number of cfc_level.
void pinLevels(const uint8_t* levels, size_t length);
/// The one for CFC_I2C_TRANSFER, while a bus has a slave.
using TransferHandler = void (*)(const uint8_t* payload, size_t length, uint64_t time);
void setTransferHandler(TransferHandler handler);

}  // namespace espbench

#endif
