// The client of the bridge, one at a time.
//
// NimBLE calls onConnect() only after it has exchanged versions and features with the client: a
// fast client may have subscribed and written before, and one that disconnects earlier causes
// neither onConnect() nor onDisconnect(). So the client is met at its first callback of any kind,
// and leaves when the host no longer has its connection.
#pragma once

#include "Bridge.h"

class Client {
 public:
  static constexpr uint16_t kNoHandle = 0xffff;
  /// The characteristics it can subscribe to.
  enum Source { hm10, nordic, status };

  explicit Client(Bridge& bridge) : _bridge(bridge) {}

  /// First in each callback: the first connection is the client's, until it leaves. Returns whether
  /// `handle` is that connection.
  bool meet(uint16_t handle) {
    if (_handle == kNoHandle) {
      _handle = handle;
      _subscriptions = 0;
      _bridge.beginConnection();
    }
    return _handle == handle;
  }

  void leave(uint16_t handle) {
    if (_handle == handle) _handle = kNoHandle;
  }

  bool isConnected() const { return _handle != kNoHandle; }
  uint16_t handle() const { return _handle; }

  void setSubscribed(Source source, bool isSubscribed) {
    _subscriptions &= ~(1u << source);
    if (isSubscribed) _subscriptions |= 1u << source;
  }
  bool isSubscribed(Source source) const { return isConnected() && _subscriptions >> source & 1; }

 private:
  Bridge& _bridge;
  uint16_t _handle = kNoHandle;
  unsigned _subscriptions = 0;
};
