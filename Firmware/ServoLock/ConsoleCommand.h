// Console commands of the owner: "relock SECONDS", 0 for never.
#pragma once

#include <cstddef>
#include <cstdint>

class ConsoleCommand {
 public:
  enum class Parsed : uint8_t { nothing, relock, unknown };

  /// Receives one character; returns a command at the end of its line.
  Parsed feed(char character);
  /// The seconds of the last relock command.
  uint32_t seconds() const { return _seconds; }

 private:
  Parsed parse();

  char _line[24];
  size_t _length = 0;
  uint32_t _seconds = 0;
};
