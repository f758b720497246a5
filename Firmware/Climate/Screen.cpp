#include "Screen.h"

#include <cstdio>
#include <cstring>

// Five columns of seven pixels for each character.
static const struct {
  char character;
  uint8_t columns[5];
} kFont[] = {
    {'%', {0x23, 0x13, 0x08, 0x64, 0x62}}, {'-', {0x08, 0x08, 0x08, 0x08, 0x08}},
    {'.', {0x00, 0x60, 0x60, 0x00, 0x00}}, {'0', {0x3E, 0x51, 0x49, 0x45, 0x3E}},
    {'1', {0x00, 0x42, 0x7F, 0x40, 0x00}}, {'2', {0x42, 0x61, 0x51, 0x49, 0x46}},
    {'3', {0x21, 0x41, 0x45, 0x4B, 0x31}}, {'4', {0x18, 0x14, 0x12, 0x7F, 0x10}},
    {'5', {0x27, 0x45, 0x45, 0x45, 0x39}}, {'6', {0x3C, 0x4A, 0x49, 0x49, 0x30}},
    {'7', {0x01, 0x71, 0x09, 0x05, 0x03}}, {'8', {0x36, 0x49, 0x49, 0x49, 0x36}},
    {'9', {0x06, 0x49, 0x49, 0x29, 0x1E}}, {'A', {0x7E, 0x11, 0x11, 0x11, 0x7E}},
    {'B', {0x7F, 0x49, 0x49, 0x49, 0x36}}, {'C', {0x3E, 0x41, 0x41, 0x41, 0x22}},
    {'E', {0x7F, 0x49, 0x49, 0x49, 0x41}}, {'N', {0x7F, 0x04, 0x08, 0x10, 0x7F}},
    {'O', {0x3E, 0x41, 0x41, 0x41, 0x3E}}, {'R', {0x7F, 0x09, 0x19, 0x29, 0x46}},
    {'S', {0x46, 0x49, 0x49, 0x49, 0x31}}, {'T', {0x01, 0x01, 0x7F, 0x01, 0x01}},
    {'*', {0x06, 0x09, 0x09, 0x06, 0x00}},  // a degree sign
};

/// Each pixel becomes two.
static uint16_t doubled(uint8_t column) {
  uint16_t result = 0;
  for (int bit = 0; bit < 8; bit++) {
    if (column >> bit & 1) result = static_cast<uint16_t>(result | 3 << 2 * bit);
  }
  return result;
}

void Screen::show(const Measurement& measurement) {
  memset(_pages, 0, sizeof _pages);
  char number[16], text[24];
  if (measurement.hasAir) {
    writeHundredths(measurement.air.temperature, 1, number, sizeof number);
    snprintf(text, sizeof text, "%s *C", number);
    write(0, text);
    writeHundredths(measurement.air.humidity, 0, number, sizeof number);
    snprintf(text, sizeof text, "%s %%", number);
    write(3, text);
  } else {
    write(0, "NO SENSOR");
  }
  snprintf(text, sizeof text, "BAT %u%%", measurement.batteryPercent());
  write(6, text);
}

void Screen::write(size_t page, const char* text) {
  // A character is 10 pixels wide, and a gap of 2.
  for (size_t left = 0; *text != 0 && left + 10 <= width; text++, left += 12) {
    for (const auto& glyph : kFont) {
      if (glyph.character != *text) continue;
      for (size_t x = 0; x < 10; x++) {
        const uint16_t column = doubled(glyph.columns[x / 2]);
        _pages[page][left + x] = static_cast<uint8_t>(column);
        _pages[page + 1][left + x] = static_cast<uint8_t>(column >> 8);
      }
    }
  }
}
