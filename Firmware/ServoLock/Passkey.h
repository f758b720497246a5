// The six digits that a client has to know. Each is good for one pairing.
//
// Passkey entry of LE Secure Connections commits to the passkey bit by bit, and everything that
// goes into those commitments but the bit itself is on the air: whoever recorded one pairing knows
// its passkey. So another one is drawn before a pairing gets to use the one that was shown. None is
// ever stored: power that goes in the middle leaves nothing to use again.
#pragma once

#include <cstdint>

#include "Ports.h"

class Passkey {
 public:
  static constexpr uint32_t none = UINT32_MAX;
  static constexpr uint32_t count = 1000000;
  /// The original's, known to everyone who has read its source.
  static constexpr uint32_t original = 123456;

  explicit Passkey(RandomSource random) : _random(random) {}

  /// With `fixed`, unless it is `none`, nothing is drawn: it stays the passkey of all pairings.
  void begin(uint32_t fixed);
  bool isFixed() const { return _isFixed; }
  /// Draws another one, to be shown before a client can know it.
  void renew();
  /// The next pairing's.
  uint32_t value() const { return _value; }
  /// For the pairing that begins: the value, which is no other pairing's from then on.
  uint32_t use();
  /// Any but the passkey, for attempts that must fail.
  uint32_t decoy() const;

 private:
  uint32_t draw() const;

  RandomSource _random;
  uint32_t _value = none;
  bool _isFixed = false;
};

/// The value of six decimal digits; `none` for any other text. (As a number in the source, 012345
/// would be octal.)
constexpr uint32_t parsePasskey(const char* text) {
  uint32_t value = 0;
  int digits = 0;
  for (; text[digits] != '\0'; digits++) {
    if (digits == 6 || text[digits] < '0' || text[digits] > '9') return Passkey::none;
    value = value * 10 + static_cast<uint32_t>(text[digits] - '0');
  }
  return digits == 6 ? value : Passkey::none;
}
