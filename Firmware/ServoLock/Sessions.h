// The connections there are, and what the lock keeps for each of them.
//
// NimBLE calls onConnect() only after it has exchanged versions and features with the client, some
// 60 ms after the connection: a quick one has encrypted, subscribed and written by then, one that
// leaves earlier causes neither onConnect() nor onDisconnect(), and one that never answers stays
// unheard of. So sessions follow the host's own list of connections.
#pragma once

#include <cstddef>
#include <cstdint>

#include "Timer.h"

struct Session {
  bool isConnected = false;
  uint16_t connection = 0;
  /// Its owner has proven who he is.
  bool isTrusted = false;
  bool wantsState = false;
  bool wantsBolt = false;
  /// Runs until the client is trusted, and again until it is gone.
  Timer deadline;
  /// The deadline has passed: the client has to go.
  bool isLate = false;
};

class Sessions {
 public:
  /// As many as NimBLE-Arduino accepts connections by default.
  static constexpr size_t capacity = 3;

  /// Null when there is no room, which the host sees to that there is.
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
