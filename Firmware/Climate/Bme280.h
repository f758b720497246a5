// Bosch's BME280 in forced mode: it sleeps between measurements, and so does not heat itself.
#pragma once

#include "Compensation.h"
#include "I2cBus.h"

class Bme280 {
 public:
  enum class Result {
    ok,
    noAnswer,  ///< nobody acknowledges the address
    otherChip,
    lost,  ///< it answered first, and not any more
    late   ///< the measurement does not end
  };

  Bme280(I2cBus& bus, uint8_t address) : _bus(bus), _address(address) {}

  /// Measures once, which takes about 10 ms. After a failure it reads the trimming values again:
  /// the sensor on the wires may be another one. Sets `air` only if the result is `ok`.
  Result measure(Air* air);
  /// For the console: "does not answer".
  static const char* text(Result result);

 private:
  Result begin();
  Result convert(Air* air);
  bool set(uint8_t reg, uint8_t value);

  I2cBus& _bus;
  const uint8_t _address;
  Trimming _trimming;
  bool _isReady = false;
};
