// What a client may write: "0" locks, "1" unlocks.
#pragma once

#include <cstddef>
#include <cstdint>

enum class LockCommand : uint8_t { none, lock, unlock };

/// Exactly one byte, '0' or '1'; anything else is no command.
LockCommand parseLockCommand(const uint8_t* bytes, size_t length);

/// What a refused value looks like on the console: printable characters as they are, others as
/// \xNN, nothing that could forge a line. `text` holds 4 characters a byte and the end.
const char* writeValue(const uint8_t* bytes, size_t length, char* text, size_t capacity);
