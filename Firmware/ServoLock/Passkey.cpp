#include "Passkey.h"

void Passkey::begin(uint32_t fixed) {
  _isFixed = fixed < count;
  _value = fixed;
  renew();
}

void Passkey::renew() {
  if (_isFixed) return;
  uint32_t next;
  do {
    next = draw();
  } while (next == original || next == _value);
  _value = next;
}

uint32_t Passkey::use() {
  const uint32_t used = _value;
  renew();
  return used;
}

uint32_t Passkey::decoy() const {
  uint32_t other;
  do {
    other = draw();
  } while (other == _value);
  return other;
}

uint32_t Passkey::draw() const {
  // A uniform distribution: numbers above the last whole million are drawn again.
  const uint32_t limit = UINT32_MAX / count * count;
  uint32_t value;
  do {
    value = _random();
  } while (value >= limit);
  return value % count;
}
