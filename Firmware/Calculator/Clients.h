// The connected clients and what the calculator keeps for each of them.
//
// NimBLE calls onConnect() only after it has exchanged versions and features with the client: a
// quick one has subscribed and written by then, and one that leaves earlier causes neither
// onConnect() nor onDisconnect(). So a client is kept from its first callback of any kind on, and
// goes when the host has no such connection any more, or when another client has its handle.
#pragma once

#include <cstddef>
#include <cstdint>

class Clients {
 public:
  /// As many as NimBLE-Arduino accepts connections by default.
  static constexpr size_t capacity = 3;

  /// Keeps a client, as the first thing in each of its callbacks: not subscribed, result 0; one
  /// that is known already as it is. One more than `capacity` is not kept.
  void add(uint16_t connection, uint64_t address);
  void remove(uint16_t connection);
  /// Removes the clients that `isConnected` does not know.
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
