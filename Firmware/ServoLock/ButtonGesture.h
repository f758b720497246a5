// Tells a short press of a button from a long one.
#pragma once

#include <cstdint>

class ButtonGesture {
 public:
  enum class Gesture : uint8_t { none, shortPress, longPress };

  /// Contacts bounce for less than this.
  static constexpr uint32_t debounceMilliseconds = 30;
  static constexpr uint32_t longPressMilliseconds = 5000;

  /// Looks at the button: a short press is told when it ends, a long one as soon as it is one.
  /// A button that is down at the first look counts only once it was up.
  Gesture tick(bool isDown, uint32_t now);

 private:
  bool _isDown = true;
  bool _wasDown = true;
  bool _isSpent = true;
  uint32_t _changed = 0;
  uint32_t _pressed = 0;
};
