#include "ButtonGesture.h"

ButtonGesture::Gesture ButtonGesture::tick(bool isDown, uint32_t now) {
  if (isDown != _wasDown) {
    _wasDown = isDown;
    _changed = now;
  }
  if (isDown != _isDown && now - _changed >= debounceMilliseconds) {
    _isDown = isDown;
    if (isDown) {
      _pressed = _changed;
      _isSpent = false;
    } else if (!_isSpent) {
      _isSpent = true;
      return Gesture::shortPress;
    }
  }
  if (_isDown && !_isSpent && now - _pressed >= longPressMilliseconds) {
    _isSpent = true;
    return Gesture::longPress;
  }
  return Gesture::none;
}
