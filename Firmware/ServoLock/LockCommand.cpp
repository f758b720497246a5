#include "LockCommand.h"

#include <cstdio>

LockCommand parseLockCommand(const uint8_t* bytes, size_t length) {
  if (length != 1) return LockCommand::none;
  switch (bytes[0]) {
    case '0':
      return LockCommand::lock;
    case '1':
      return LockCommand::unlock;
    default:
      return LockCommand::none;
  }
}

const char* writeValue(const uint8_t* bytes, size_t length, char* text, size_t capacity) {
  size_t used = 0;
  for (size_t i = 0; i < length && used + 5 <= capacity; i++) {
    const uint8_t byte = bytes[i];
    const bool isPlain = byte >= 0x20 && byte < 0x7f && byte != '\\';
    used += snprintf(text + used, capacity - used, isPlain ? "%c" : "\\x%02x", byte);
  }
  if (capacity > 0) text[used] = '\0';
  return text;
}
