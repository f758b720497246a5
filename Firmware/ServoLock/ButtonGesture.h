// Distinguishes short and long presses of a button.
#pragma once

#include <cstdint>

class ButtonGesture {
 public:
  enum class Gesture : uint8_t { none, shortPress, longPress };

  /// The debounce time.
  static constexpr uint32_t debounceMilliseconds = 30;
  static constexpr uint32_t longPressMilliseconds = 5000;

  /// Polls the button: reports a short press at its end, a long one as soon as it is long enough. A
  /// button pressed at the first call is ignored until its release.
  Gesture tick(bool isDown, uint32_t now);

 private:
  bool _isDown = true;
  bool _wasDown = true;
  bool _isSpent = true;
  uint32_t _changed = 0;
  uint32_t _pressed = 0;
};
