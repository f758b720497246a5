// The values that a client may write: "0" locks, "1" unlocks.
#pragma once

#include <cstddef>
#include <cstdint>

enum class LockCommand : uint8_t { none, lock, unlock };

/// Exactly one byte, '0' or '1'; anything else is not a command.
LockCommand parseLockCommand(const uint8_t* bytes, size_t length);

/// A refused value as console text: printable characters unchanged, others as \xNN, so that it
/// cannot forge a line. `text` holds 4 characters per byte and the NUL.
const char* writeValue(const uint8_t* bytes, size_t length, char* text, size_t capacity);
