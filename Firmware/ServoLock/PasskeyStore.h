// Which six digits a client has to know.
#pragma once

#include <cstdint>

#include "Ports.h"

class PasskeyStore {
 public:
  static constexpr uint32_t none = UINT32_MAX;
  static constexpr uint32_t count = 1000000;
  /// The original's, known to everyone who has read its source.
  static constexpr uint32_t original = 123456;

  PasskeyStore(Store& store, RandomSource random) : _store(store), _random(random) {}

  /// Takes `fixed` unless it is `none`, else the stored one, else a random one that is stored.
  void begin(uint32_t fixed);
  uint32_t passkey() const { return _passkey; }
  /// Whether begin() made it: the time to show it.
  bool isNew() const { return _isNew; }
  /// Any but the passkey, for attempts that must fail.
  uint32_t decoy() const;

 private:
  uint32_t draw() const;

  Store& _store;
  RandomSource _random;
  uint32_t _passkey = none;
  bool _isNew = false;
};

/// The value of six decimal digits; `none` for any other text. (As a number in the source, 012345
/// would be octal.)
constexpr uint32_t parsePasskey(const char* text) {
  uint32_t value = 0;
  int digits = 0;
  for (; text[digits] != '\0'; digits++) {
    if (digits == 6 || text[digits] < '0' || text[digits] > '9') return PasskeyStore::none;
    value = value * 10 + static_cast<uint32_t>(text[digits] - '0');
  }
  return digits == 6 ? value : PasskeyStore::none;
}
