#include "Bridge.h"

static void write(uint8_t* to, uint32_t value) {
  for (int i = 0; i < 4; i++) to[i] = static_cast<uint8_t>(value >> 8 * i);
}

static uint32_t read(const uint8_t* from) {
  uint32_t value = 0;
  for (int i = 0; i < 4; i++) value |= static_cast<uint32_t>(from[i]) << 8 * i;
  return value;
}

void Bridge::begin(uint32_t boot, uint32_t baudRate, bool hasFlowControl) {
  _boot = boot;
  _baudRate = baudRate;
  _hasFlowControl = hasFlowControl;
}

void Bridge::beginConnection() {
  // Bytes of former connections take room from this one's: they are below 0.
  _sent = _notifiedSent = 0u - static_cast<uint32_t>(_toUART.unsent());
  _notifiedLosses = losses();
  _isStalled = false;
  _isAcknowledged = false;
  _toClient.rewind();
}

bool Bridge::receiveFromClient(const uint8_t* bytes, size_t length, uint32_t waited) {
  if (length > _toUART.room()) {
    if (waited < kWriteHold && !_isStalled) return false;
    _isStalled = true;
  }
  const uint32_t lost = length - _toUART.append(bytes, length);
  _accepted += length;
  _lostFromClient += lost;
  // A client that counts its credits must get these back, too.
  _sent += lost;
  return true;
}

void Bridge::sentToUART(size_t count) {
  _toUART.advance(count);
  _toUART.removeSent();
  _sent += count;
  if (count > 0) _isStalled = false;
}

void Bridge::receiveFromUART(const uint8_t* bytes, size_t length, uint32_t now) {
  if (_toClient.unsent() == 0) _waitingSince = now;
  _lostFromUART += length - _toClient.append(bytes, length);
}

size_t Bridge::peekForClient(uint8_t* bytes, size_t length, uint32_t now) const {
  if (_toClient.unsent() < length && now - _waitingSince < kGathering) return 0;
  return _toClient.peek(bytes, length);
}

void Bridge::sentToClient(size_t count, uint32_t now) {
  _toClient.advance(count);
  if (!_isAcknowledged) _toClient.removeSent();
  _waitingSince = now;
}

void Bridge::acknowledge(const uint8_t* bytes, size_t length) {
  if (length != 4) return;
  _isAcknowledged = true;
  _toClient.acknowledge(read(bytes));
}

void Bridge::status(uint8_t (&bytes)[kStatusSize]) const {
  write(bytes, _sent);
  write(bytes + 4, kCapacity);
  write(bytes + 8, _lostFromClient);
  write(bytes + 12, _lostFromUART);
  write(bytes + 16, _baudRate | (_hasFlowControl ? 0x80000000u : 0));
}

void Bridge::position(uint8_t (&bytes)[kPositionSize]) const {
  write(bytes, _boot);
  write(bytes + 4, _accepted);
  write(bytes + 8, _toClient.first());
}

bool Bridge::isStatusDue() const {
  const uint32_t sent = _sent - _notifiedSent;
  return sent >= kCapacity / 4 || (sent > 0 && _toUART.unsent() == 0) ||
         losses() != _notifiedLosses;
}

void Bridge::statusNotified() {
  _notifiedSent = _sent;
  _notifiedLosses = losses();
}
