// A calculator's request: two operands and an operation.
#pragma once

#include <cstddef>
#include <cstdint>

struct Request {
  enum Operation : uint8_t { add = 0, subtract = 1, multiply = 2 };
  enum class Parsed { ok, malformed, unknownOperation };

  uint8_t a = 0;
  uint8_t b = 0;
  uint8_t operation = add;

  /// Parses the three bytes of a request; any other length leaves the request unchanged.
  Parsed parse(const uint8_t* bytes, size_t length);
  /// The operation's name on the console: "Adding".
  const char* verb() const;
  /// Unsigned 8-bit arithmetic that wraps around.
  uint8_t result() const;
};
