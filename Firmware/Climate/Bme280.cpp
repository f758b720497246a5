#include "Bme280.h"

// Data sheet BST-BME280-DS001, 5.3.
static const uint8_t kIdentifier = 0xD0;
static const uint8_t kLowTrimming = 0x88;
static const uint8_t kHighTrimming = 0xE1;
static const uint8_t kHumidityControl = 0xF2;
static const uint8_t kStatus = 0xF3;
static const uint8_t kMeasurementControl = 0xF4;
static const uint8_t kData = 0xF7;

static const uint8_t kChip = 0x60;
static const uint8_t kIsCopying = 1 << 0;
static const uint8_t kIsMeasuring = 1 << 3;
/// One sample each, forced mode: Bosch's choice for a weather station (3.5.1).
static const uint8_t kOneSample = 1;
static const uint8_t kForced = kOneSample << 5 | kOneSample << 2 | 1;
/// 9.3 ms at most (9.1), and a reserve.
static const int kLongestMeasurement = 20;

Bme280::Result Bme280::measure(Air* air) {
  Result result = _isReady ? Result::ok : begin();
  if (result == Result::ok) result = convert(air);
  _isReady = result == Result::ok;
  return result;
}

Bme280::Result Bme280::begin() {
  uint8_t chip;
  if (!_bus.read(_address, kIdentifier, &chip, 1)) return Result::noAnswer;
  if (chip != kChip) return Result::otherChip;
  // After power on it copies its trimming values for 2 ms; until then they read as something else.
  uint8_t status = kIsCopying;
  for (int i = 0; i < 5 && status & kIsCopying; i++) {
    if (i > 0) _bus.wait(1);
    if (!_bus.read(_address, kStatus, &status, 1)) return Result::lost;
  }
  if (status & kIsCopying) return Result::late;
  uint8_t low[Trimming::lowLength], high[Trimming::highLength];
  if (!_bus.read(_address, kLowTrimming, low, sizeof low)) return Result::lost;
  if (!_bus.read(_address, kHighTrimming, high, sizeof high)) return Result::lost;
  _trimming = Trimming(low, high);
  return Result::ok;
}

Bme280::Result Bme280::convert(Air* air) {
  // The humidity's setting takes effect with the next write to the other register (5.4.3).
  if (!set(kHumidityControl, kOneSample) || !set(kMeasurementControl, kForced)) return Result::lost;
  uint8_t status = kIsMeasuring;
  for (int waited = 0; status & kIsMeasuring; waited++) {
    if (waited > kLongestMeasurement) return Result::late;
    _bus.wait(waited == 0 ? 8 : 1);
    if (!_bus.read(_address, kStatus, &status, 1)) return Result::lost;
  }
  uint8_t data[RawAir::length];
  if (!_bus.read(_address, kData, data, sizeof data)) return Result::lost;
  const RawAir raw(data);
  // A sensor that lost its supply in between has the values of a reset.
  if (raw.isSkipped()) return Result::lost;
  *air = _trimming.compensate(raw);
  return Result::ok;
}

bool Bme280::set(uint8_t reg, uint8_t value) {
  const uint8_t bytes[] = {reg, value};
  return _bus.write(_address, bytes, sizeof bytes);
}

const char* Bme280::text(Result result) {
  switch (result) {
    case Result::ok:
      return "works";
    case Result::noAnswer:
      return "does not answer";
    case Result::otherChip:
      return "is another chip";
    case Result::lost:
      return "stopped answering";
    default:
      return "does not finish";
  }
}
