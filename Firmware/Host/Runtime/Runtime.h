// The firmware process's side of the board: its clock, its sleep, its messages.
//
// All of it runs on one thread. Time stands still but for what calls cost (spend) and for sleep.
// Callbacks of the sketch run inside sleepUntil and spend, one at a time, never inside another.
#ifndef ESPBENCH_RUNTIME_H
#define ESPBENCH_RUNTIME_H

#include <cstddef>
#include <cstdint>

#include "firmware_channel.h"

namespace espbench {

/// What a look at the clock, a pin or a buffer costs: so that a sketch that waits by looking moves
/// time on.
constexpr uint64_t kLookNanoseconds = 1000;
/// What loop() costs that returned without having slept: a FreeRTOS tick.
constexpr uint64_t kTickNanoseconds = 1000000;
/// The firmware hands over at least this often, however far the board's horizon is.
constexpr uint64_t kLongestAloneNanoseconds = 10 * kTickNanoseconds;

/// Virtual time.
uint64_t now();

/// What the board said at start.
const cfc_start& startInformation();

/// Moves the clock; beyond the horizon the board moves first, and callbacks run.
void spend(uint64_t nanoseconds);

/// Sleeps until the clock is at `deadline`; callbacks run meanwhile.
void sleepUntil(uint64_t deadline);

/// Like sleepUntil, but callbacks wait.
void blockUntil(uint64_t deadline);

/// Between these, which nest, callbacks wait: their task would wait for what the loop's task holds.
void holdCallbacks();
void releaseCallbacks();

/// Counts the times the board has had the turn.
uint64_t handOverCount();

/// Sends a message whose payload is `fixed`, then `tail`.
void send(uint16_t type, const void* fixed = nullptr, size_t fixedLength = 0,
          const void* tail = nullptr, size_t tailLength = 0);

/// Adds bytes to the last message if it is one of `type` and there is room for them.
bool extendLastMessage(uint16_t type, const void* bytes, size_t length);

/// Sends a call and waits for its reply. Returns the reply's status; what the reply adds is copied
/// to `reply`, at most `replyLength` bytes, the rest of which is cleared.
int32_t call(uint16_t type, const void* fixed = nullptr, size_t fixedLength = 0,
             const void* tail = nullptr, size_t tailLength = 0, void* reply = nullptr,
             size_t replyLength = 0);

/// Ends the process with `status`; what was sent is still delivered.
[[noreturn]] void endTurnAndExit(uint32_t status);

/// The mapping, for what goes beside the messages (a fault).
cfc_header* channel();

// Start-up, in this order, before any constructor of the sketch.
void mapChannel();
void installFaultHandlers();
void waitForStart();

// What arrives is given to these, as soon as it arrives ...
void serialInput(uint32_t port, const uint8_t* bytes, size_t length);
/// `value`: CFC_PIN_... Returns whether the pin's interrupt is due, and at which level.
bool pinInput(uint32_t pin, uint32_t value, bool& level);
// ... or when callbacks may run.
void pinInterrupt(uint32_t pin, bool level);
/// Runs the callback of a message that wants one and returns its token.
uint32_t runCallback(uint16_t type, const uint8_t* payload, size_t length);

}  // namespace espbench

#endif
