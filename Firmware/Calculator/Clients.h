// The connected clients and the calculator's state for each of them.
//
// NimBLE calls onConnect() only after it has exchanged versions and features with the client: a
// fast client may have subscribed and written before, and one that disconnects earlier causes
// neither onConnect() nor onDisconnect(). So a client is added at its first callback of any kind,
// and removed when the host no longer has its connection, or when another client has its handle.
#pragma once

#include <cstddef>
#include <cstdint>

class Clients {
 public:
  /// NimBLE-Arduino's default number of connections.
  static constexpr size_t capacity = 3;

  /// Adds a client, first in each of its callbacks: not subscribed, result 0; a known client is not
  /// changed. Does nothing beyond `capacity`.
  void add(uint16_t connection, uint64_t address);
  void remove(uint16_t connection);
  /// Removes the clients for which `isConnected` is false.
  void removeUnless(bool (*isConnected)(uint16_t connection));

  void setSubscribed(uint16_t connection, bool isSubscribed);
  bool isSubscribed(uint16_t connection) const;

  void setResult(uint16_t connection, uint8_t result);
  /// The client's last result; 0 before its first.
  uint8_t result(uint16_t connection) const;

 private:
  struct Client {
    bool isConnected = false;
    uint16_t connection = 0;
    uint64_t address = 0;
    bool isSubscribed = false;
    uint8_t result = 0;
  };

  Client* find(uint16_t connection);
  const Client* find(uint16_t connection) const;

  Client _clients[capacity];
};
