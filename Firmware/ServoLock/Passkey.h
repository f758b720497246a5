// The passkey: six digits, each valid for one pairing.
//
// Passkey entry of LE Secure Connections commits to the passkey bit by bit, and all inputs of those
// commitments except the bit are transmitted: an eavesdropper on one pairing knows its passkey. So
// another one is drawn before a pairing uses the displayed one. None is ever stored, so that a
// power loss leaves no passkey that could be used again.
#pragma once

#include <cstdint>

#include "Ports.h"

class Passkey {
 public:
  static constexpr uint32_t none = UINT32_MAX;
  static constexpr uint32_t count = 1000000;
  /// The original's, which is published in its source.
  static constexpr uint32_t original = 123456;

  explicit Passkey(RandomSource random) : _random(random) {}

  /// Unless `fixed` is `none`, it is the passkey of all pairings, and none is drawn.
  void begin(uint32_t fixed);
  bool isFixed() const { return _isFixed; }
  /// Draws another one, which must be displayed.
  void renew();
  /// The passkey of the next pairing.
  uint32_t value() const { return _value; }
  /// Returns the value for a pairing that begins; no other pairing uses it from then on.
  uint32_t use();
  /// A number other than the passkey, for attempts that must fail.
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
