#include "Compensation.h"

static int32_t unsigned16(const uint8_t* bytes) { return bytes[0] | bytes[1] << 8; }
static int32_t signed16(const uint8_t* bytes) { return static_cast<int16_t>(unsigned16(bytes)); }

RawAir::RawAir(const uint8_t* bytes)
    : pressure(bytes[0] << 12 | bytes[1] << 4 | bytes[2] >> 4),
      temperature(bytes[3] << 12 | bytes[4] << 4 | bytes[5] >> 4),
      humidity(bytes[6] << 8 | bytes[7]) {}

Trimming::Trimming(const uint8_t* low, const uint8_t* high)
    : _t1(unsigned16(low)), _t2(signed16(low + 2)), _t3(signed16(low + 4)) {
  _p[1] = unsigned16(low + 6);
  for (int i = 2; i < 10; i++) _p[i] = signed16(low + 4 + 2 * i);
  _h1 = low[25];
  _h2 = signed16(high);
  _h3 = high[2];
  // H4 and H5 have 12 bits each and share a byte; their upper bytes have the sign (table 16).
  _h4 = static_cast<int8_t>(high[3]) * 16 + (high[4] & 0xF);
  _h5 = static_cast<int8_t>(high[5]) * 16 + (high[4] >> 4);
  _h6 = static_cast<int8_t>(high[6]);
}

Air Trimming::compensate(const RawAir& raw) const {
  const int32_t fine = fineTemperature(raw.temperature);
  Air air;
  air.temperature = (fine * 5 + 128) >> 8;
  air.pressure =
      static_cast<int32_t>((static_cast<int64_t>(pressure(raw.pressure, fine)) * 10) / 256);
  air.humidity = static_cast<int32_t>((humidity(raw.humidity, fine) * 100 + 512) / 1024);
  return air;
}

/// 5120 per degree: the other formulas need it.
int32_t Trimming::fineTemperature(int32_t raw) const {
  const int32_t linear = (((raw >> 3) - (_t1 << 1)) * _t2) >> 11;
  const int32_t offset = (raw >> 4) - _t1;
  return linear + ((((offset * offset) >> 12) * _t3) >> 14);
}

/// 256 per pascal.
uint32_t Trimming::pressure(int32_t raw, int32_t fine) const {
  // Factors in place of Bosch's shifts to the left: a negative number has none in C++ before 20.
  int64_t a = static_cast<int64_t>(fine) - 128000;
  int64_t b = a * a * _p[6];
  b += a * _p[5] * (1LL << 17);
  b += _p[4] * (1LL << 35);
  a = ((a * a * _p[3]) >> 8) + a * _p[2] * (1LL << 12);
  a = ((1LL << 47) + a) * _p[1] >> 33;
  if (a == 0) return 0;
  int64_t p = 1048576 - raw;
  p = (p * (1LL << 31) - b) * 3125 / a;
  const int64_t square = (_p[9] * (p >> 13) * (p >> 13)) >> 25;
  const int64_t linear = (_p[8] * p) >> 19;
  return static_cast<uint32_t>(((p + square + linear) >> 8) + _p[7] * 16);
}

/// 1024 per percent.
uint32_t Trimming::humidity(int32_t raw, int32_t fine) const {
  int32_t v = fine - 76800;
  const int32_t level = ((raw << 14) - _h4 * (1 << 20) - _h5 * v + 16384) >> 15;
  const int32_t square = (((v * _h6) >> 10) * (((v * _h3) >> 11) + 32768)) >> 10;
  v = level * (((square + 2097152) * _h2 + 8192) >> 14);
  v -= (((((v >> 15) * (v >> 15)) >> 7) * _h1) >> 4);
  if (v < 0) v = 0;
  if (v > 419430400) v = 419430400;
  return static_cast<uint32_t>(v) >> 12;
}
