#include "ConsoleCommand.h"

#include <cstring>

ConsoleCommand::Parsed ConsoleCommand::feed(char character) {
  if (character != '\r' && character != '\n') {
    // The extra character makes a too long line unknown, and is overwritten by the rest.
    if (_length < sizeof _line) _line[_length++] = character;
    return Parsed::nothing;
  }
  const Parsed parsed = parse();
  _length = 0;
  return parsed;
}

ConsoleCommand::Parsed ConsoleCommand::parse() {
  static const char kRelock[] = "relock ";
  const size_t start = sizeof kRelock - 1;
  const size_t mostDigits = 9;
  if (_length == 0) return Parsed::nothing;
  if (_length <= start || _length > start + mostDigits) return Parsed::unknown;
  if (memcmp(_line, kRelock, start) != 0) return Parsed::unknown;
  uint32_t seconds = 0;
  for (size_t i = start; i < _length; i++) {
    if (_line[i] < '0' || _line[i] > '9') return Parsed::unknown;
    seconds = seconds * 10 + static_cast<uint32_t>(_line[i] - '0');
  }
  _seconds = seconds;
  return Parsed::relock;
}
