// The display's picture: three lines of large characters.
#pragma once

#include <cstddef>
#include <cstdint>

#include "Measurement.h"

class Screen {
 public:
  static constexpr size_t width = 128;
  /// Rows of eight pixels, as in the display's memory: bit 0 is the upper one.
  static constexpr size_t pages = 8;

  void show(const Measurement& measurement);
  const uint8_t* page(size_t index) const { return _pages[index]; }

 private:
  /// Ten characters from the left border on; those that the font lacks are spaces.
  void write(size_t page, const char* text);

  uint8_t _pages[pages][width] = {};
};
