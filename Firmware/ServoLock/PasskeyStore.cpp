#include "PasskeyStore.h"

static const char* kPasskeyKey = "passkey";

void PasskeyStore::begin(uint32_t fixed) {
  _isNew = false;
  _passkey = fixed;
  if (_passkey < count) return;
  _passkey = _store.number(kPasskeyKey, none);
  if (_passkey < count && _passkey != original) return;
  do {
    _passkey = draw();
  } while (_passkey == original);
  _store.setNumber(kPasskeyKey, _passkey);
  _isNew = true;
}

uint32_t PasskeyStore::decoy() const {
  uint32_t other;
  do {
    other = draw();
  } while (other == _passkey);
  return other;
}

uint32_t PasskeyStore::draw() const {
  // All passkeys are equally likely: what is above the last whole million is drawn again.
  const uint32_t limit = UINT32_MAX / count * count;
  uint32_t value;
  do {
    value = _random();
  } while (value >= limit);
  return value % count;
}
