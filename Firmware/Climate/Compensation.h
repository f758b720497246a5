// From the BME280's converter values to those of the air: Bosch's integer formulas (data sheet
// BST-BME280-DS001, 4.2.3), and the bytes of its registers.
#pragma once

#include <cstddef>
#include <cstdint>

/// In the units of the services: 0.01 degrees Celsius, 0.01 percent, 0.1 pascal.
struct Air {
  int32_t temperature = 0;
  int32_t humidity = 0;
  int32_t pressure = 0;
};

/// Registers 0xF7...0xFE.
struct RawAir {
  static constexpr size_t length = 8;

  RawAir() = default;
  explicit RawAir(const uint8_t* bytes);
  /// The values of a measurement that did not take place.
  bool isSkipped() const { return temperature == 0x80000 && pressure == 0x80000; }

  int32_t pressure = 0;
  int32_t temperature = 0;
  int32_t humidity = 0;
};

class Trimming {
 public:
  /// Registers 0x88...0xA1 and 0xE1...0xE7.
  static constexpr size_t lowLength = 26;
  static constexpr size_t highLength = 7;

  Trimming() = default;
  Trimming(const uint8_t* low, const uint8_t* high);
  Air compensate(const RawAir& raw) const;

 private:
  int32_t fineTemperature(int32_t raw) const;
  uint32_t pressure(int32_t raw, int32_t fine) const;
  uint32_t humidity(int32_t raw, int32_t fine) const;

  int32_t _t1 = 0, _t2 = 0, _t3 = 0;
  int32_t _p[10] = {};
  int32_t _h1 = 0, _h2 = 0, _h3 = 0, _h4 = 0, _h5 = 0, _h6 = 0;
};
