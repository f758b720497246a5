// A bus with a BME280 whose registers the test sets.
#ifndef CLIMATE_FAKE_BUS_H
#define CLIMATE_FAKE_BUS_H

#include <cstring>
#include <vector>

#include "I2cBus.h"

class FakeBus : public I2cBus {
 public:
  FakeBus() {
    registers[0xD0] = 0x60;
    // The example of BMP280's data sheet (BST-BMP280-DS001, 3.12), and a device's humidity.
    const int16_t words[] = {27504, 26435, -1000, -29059, -10685, 3024,
                             2855,  140,   -7,    15500,  -14600, 6000};
    for (size_t i = 0; i < 12; i++) {
      registers[0x88 + 2 * i] = static_cast<uint8_t>(words[i]);
      registers[0x89 + 2 * i] = static_cast<uint8_t>(words[i] >> 8);
    }
    registers[0xA1] = 75;
    const uint8_t humidity[] = {0x6B, 0x01, 0, 0x13, 0x29, 0x03, 30};
    memcpy(registers + 0xE1, humidity, sizeof humidity);
    setAir(519888, 415148, 30000);
  }

  void setAir(int32_t temperature, int32_t pressure, int32_t humidity) {
    const int32_t data[] = {pressure >> 12,   pressure >> 4,    pressure << 4, temperature >> 12,
                            temperature >> 4, temperature << 4, humidity >> 8, humidity};
    for (size_t i = 0; i < 8; i++) registers[0xF7 + i] = static_cast<uint8_t>(data[i]);
  }

  bool write(uint8_t device, const uint8_t* bytes, size_t length) override {
    written.emplace_back(bytes, bytes + length);
    if (!transact(device)) return false;
    if (length == 2) registers[bytes[0]] = bytes[1];
    if (length == 2 && bytes[0] == 0xF4 && (bytes[1] & 3) == 1) remaining = measurementTime;
    return true;
  }
  bool read(uint8_t device, uint8_t reg, uint8_t* bytes, size_t length) override {
    if (!transact(device)) return false;
    registers[0xF3] = static_cast<uint8_t>((remaining > 0 ? 8 : 0) | (isCopying ? 1 : 0));
    memcpy(bytes, registers + reg, length);
    return true;
  }
  void wait(uint32_t milliseconds) override {
    waited += milliseconds;
    remaining -= static_cast<int>(milliseconds);
  }

  uint8_t address = 0x76;
  uint8_t registers[256] = {};
  std::vector<std::vector<uint8_t>> written;
  /// In milliseconds.
  int measurementTime = 9;
  uint32_t waited = 0;
  bool isCopying = false;
  /// Transactions until nobody answers; negative: always.
  int lifetime = -1;

 private:
  bool transact(uint8_t device) {
    if (device != address || lifetime == 0) return false;
    if (lifetime > 0) lifetime--;
    return true;
  }

  int remaining = 0;
};

#endif
