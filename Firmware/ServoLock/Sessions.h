// The current connections, and the lock's state for each of them.
//
// NimBLE calls onConnect() only after it has exchanged versions and features with the client, some
// 60 ms after the connection: a fast client may have encrypted, subscribed and written before, one
// that disconnects earlier causes neither onConnect() nor onDisconnect(), and one that never
// answers causes no callback at all. So sessions follow the host's list of connections.
#pragma once

#include <cstddef>
#include <cstdint>

#include "Timer.h"

struct Session {
  bool isConnected = false;
  uint16_t connection = 0;
  /// The client is authenticated as an owner.
  bool isTrusted = false;
  bool wantsState = false;
  bool wantsBolt = false;
  /// Runs until the client is trusted, and again until it has disconnected.
  Timer deadline;
  /// The deadline has passed: the client must disconnect.
  bool isLate = false;
};

class Sessions {
 public:
  /// As many as NimBLE-Arduino accepts connections by default.
  static constexpr size_t capacity = 3;

  /// Null when there is no free session; the host accepts no more connections than that.
  Session* add(uint16_t connection);
  void remove(uint16_t connection);
  Session* find(uint16_t connection);
  size_t count() const;
  bool hasUntrusted() const;

  Session* begin() { return _sessions; }
  Session* end() { return _sessions + capacity; }

 private:
  Session _sessions[capacity];
};
