#include "Ssd1306.h"

#include <cstring>

// Control bytes: whether commands or pixels follow (data sheet, revision 1.1, 8.1.5.2).
static const uint8_t kCommands = 0x00;
static const uint8_t kPixels = 0x40;
static const uint8_t kOff = 0xAE;
static const uint8_t kOn = 0xAF;

bool Ssd1306::begin() {
  static const uint8_t commands[] = {
      0xA8, 63,    // 64 rows
      0xD3, 0,     // no offset
      0x40,        // from the first row of the memory on
      0xA1, 0xC8,  // as modules are mounted: the first column left, the first row on top
      0xDA, 0x12,  // alternating row pins
      0xD5, 0x80,  // clock
      0x8D, 0x14,  // charge pump on: the module has no other supply for its pixels
      0x20, 0,     // bytes from left to right, page by page
      0xA4, 0xA6,  // show the memory, not inverted
  };
  return command(commands, sizeof commands);
}

bool Ssd1306::show(const Screen& screen) {
  static const uint8_t wholePanel[] = {0x21, 0, Screen::width - 1, 0x22, 0, Screen::pages - 1};
  if (!command(wholePanel, sizeof wholePanel)) return false;
  // Halves of a page: Wire's buffer has 128 bytes.
  const size_t length = Screen::width / 2;
  uint8_t bytes[1 + length] = {kPixels};
  for (size_t half = 0; half < 2 * Screen::pages; half++) {
    memcpy(bytes + 1, screen.page(half / 2) + half % 2 * length, length);
    if (!_bus.write(_address, bytes, sizeof bytes)) return false;
  }
  return command(&kOn, 1);
}

bool Ssd1306::turnOff() { return command(&kOff, 1); }

bool Ssd1306::command(const uint8_t* bytes, size_t length) {
  uint8_t message[24] = {kCommands};
  memcpy(message + 1, bytes, length);
  return _bus.write(_address, message, length + 1);
}
