// The firmware process's interface to the board: clock, sleep, messages.
//
// All of it runs on one thread. Time only advances by the cost of calls (spend) and by sleep.
// Callbacks of the sketch run inside sleepUntil and spend, one at a time, never inside another.
#ifndef ESPBENCH_RUNTIME_H
#define ESPBENCH_RUNTIME_H

#include <cstddef>
#include <cstdint>

#include "firmware_channel.h"

namespace espbench {

/// The cost of reading the clock, a pin or a buffer, so that time advances in a sketch that polls.
constexpr uint64_t kPollNanoseconds = 1000;
/// The cost of a loop() that returned without sleeping: a FreeRTOS tick.
constexpr uint64_t kTickNanoseconds = 1000000;
/// The firmware gives back the turn at least this often, however far the board's horizon is.
constexpr uint64_t kMaximumTurnNanoseconds = 10 * kTickNanoseconds;

/// Virtual time.
uint64_t now();

/// The board's start message.
const cfc_start& startInformation();

/// Advances the clock; beyond the horizon the board runs first, and callbacks run.
void spend(uint64_t nanoseconds);

/// Sleeps until `deadline`; callbacks run meanwhile.
void sleepUntil(uint64_t deadline);

/// Like sleepUntil, but callbacks wait.
void blockUntil(uint64_t deadline);

/// Between these calls, which nest, callbacks wait, as their task would wait for a lock of the
/// loop's task.
void holdCallbacks();
void releaseCallbacks();

/// Counts the board's turns.
uint64_t turnCount();

/// Sends a message whose payload is `fixed`, then `tail`.
void send(uint16_t type, const void* fixed = nullptr, size_t fixedLength = 0,
          const void* tail = nullptr, size_t tailLength = 0);

/// Adds bytes to the last message if it has `type` and there is space for them.
bool extendLastMessage(uint16_t type, const void* bytes, size_t length);

/// Sends a call and waits for its reply. Returns the reply's status; its data are copied to
/// `reply`, at most `replyLength` bytes, the rest of which is zeroed.
int32_t call(uint16_t type, const void* fixed = nullptr, size_t fixedLength = 0,
             const void* tail = nullptr, size_t tailLength = 0, void* reply = nullptr,
             size_t replyLength = 0);

/// Ends the process with `status`, after sent messages have been delivered.
[[noreturn]] void endTurnAndExit(uint32_t status);

/// The mapping, for data outside of messages (a fault).
cfc_header* channel();

// Startup, in this order, before any constructor of the sketch.
void mapChannel();
void installFaultHandlers();
void waitForStart();

// Handlers called when a message arrives ...
void serialInput(uint32_t port, const uint8_t* bytes, size_t length);
/// `value`: CFC_PIN_... Returns whether the pin's interrupt must run, and at which level.
bool pinInput(uint32_t pin, uint32_t value, bool& level);
// ... or when callbacks may run.
void pinInterrupt(uint32_t pin, bool level);
/// Runs the callback of a message that has one and returns its token.
uint32_t runCallback(uint16_t type, const uint8_t* payload, size_t length);

}  // namespace espbench

#endif
