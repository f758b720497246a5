// A display with Solomon Systech's SSD1306, 128 x 64.
#pragma once

#include "I2cBus.h"
#include "Screen.h"

class Ssd1306 {
 public:
  Ssd1306(I2cBus& bus, uint8_t address) : _bus(bus), _address(address) {}

  /// All three return false without a display.
  bool begin();
  bool show(const Screen& screen);
  /// It keeps its picture, and needs some microamperes.
  bool turnOff();

 private:
  bool command(const uint8_t* bytes, size_t length);

  I2cBus& _bus;
  const uint8_t _address;
};
