// The bridge's buffers and counters, without Arduino and BLE. README.md has their meaning.
#pragma once

#include "Configuration.h"
#include "StreamBuffer.h"

class Bridge {
 public:
  /// The sizes of FFE2 and FFE3.
  static constexpr size_t kStatusSize = 20, kPositionSize = 12;

  /// Both streams are counted from `first`: 0, except in tests.
  explicit Bridge(uint32_t first = 0) : _toUART(first), _toClient(first), _accepted(first) {}

  /// `boot` distinguishes this start of the board from others; not 0.
  void begin(uint32_t boot, uint32_t baudRate, bool hasFlowControl);
  /// A client has connected: its writes are counted from 0, and all kept bytes are sent to it.
  void beginConnection();

  // From the client to the UART

  /// Adds what a client wrote, if all of it fits. If it does not, and has waited for `waited` ms:
  /// false, to try again later, or, when it has waited for long enough, the bytes that do not fit
  /// are lost.
  bool receiveFromClient(const uint8_t* bytes, size_t length, uint32_t waited);
  size_t peekForUART(uint8_t* bytes, size_t length) const { return _toUART.peek(bytes, length); }
  /// The UART has taken this many bytes.
  void sentToUART(size_t count);

  // From the UART to the client

  /// How many bytes may be read from the UART without loss.
  size_t roomForUART() const { return _toClient.room(); }
  /// Adds bytes that arrived at `now` (ms); those that do not fit are lost.
  void receiveFromUART(const uint8_t* bytes, size_t length, uint32_t now);
  /// The next notification, of at most `length` bytes: a full one, or what has waited long enough.
  size_t peekForClient(uint8_t* bytes, size_t length, uint32_t now) const;
  /// The BLE host has taken this many bytes.
  void sentToClient(size_t count, uint32_t now);
  /// FFE3 was written: from now on bytes are kept until they are acknowledged.
  void acknowledge(const uint8_t* bytes, size_t length);

  // Values that clients read

  void status(uint8_t (&bytes)[kStatusSize]) const;
  void position(uint8_t (&bytes)[kPositionSize]) const;
  /// True if enough has changed since the last notification of the status.
  bool isStatusDue() const;
  void statusNotified();
  uint32_t lostFromClient() const { return _lostFromClient; }
  uint32_t lostFromUART() const { return _lostFromUART; }

 private:
  uint32_t losses() const { return _lostFromClient + _lostFromUART; }

  StreamBuffer<kCapacity> _toUART, _toClient;
  uint32_t _boot = 0, _baudRate = 0;
  bool _hasFlowControl = false;
  uint32_t _accepted, _sent = 0, _lostFromClient = 0, _lostFromUART = 0;
  /// A write has waited in vain, and the UART has taken nothing since: others do not wait.
  bool _isStalled = false;
  /// True if this connection's client acknowledges.
  bool _isAcknowledged = false;
  uint32_t _waitingSince = 0;  ///< When the next byte for the client began to wait, ms.
  uint32_t _notifiedSent = 0, _notifiedLosses = 0;
};
