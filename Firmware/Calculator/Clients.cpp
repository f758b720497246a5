#include "Clients.h"

void Clients::add(uint16_t connection, uint64_t address) {
  if (const Client* known = find(connection)) {
    if (known->address == address) return;
    remove(connection);
  }
  for (Client& client : _clients) {
    if (client.isConnected) continue;
    client.isConnected = true;
    client.connection = connection;
    client.address = address;
    return;
  }
}

void Clients::remove(uint16_t connection) {
  if (Client* client = find(connection)) *client = Client();
}

void Clients::removeUnless(bool (*isConnected)(uint16_t connection)) {
  for (Client& client : _clients) {
    if (client.isConnected && !isConnected(client.connection)) client = Client();
  }
}

void Clients::setSubscribed(uint16_t connection, bool isSubscribed) {
  if (Client* client = find(connection)) client->isSubscribed = isSubscribed;
}

bool Clients::isSubscribed(uint16_t connection) const {
  const Client* client = find(connection);
  return client != nullptr && client->isSubscribed;
}

void Clients::setResult(uint16_t connection, uint8_t result) {
  if (Client* client = find(connection)) client->result = result;
}

uint8_t Clients::result(uint16_t connection) const {
  const Client* client = find(connection);
  return client != nullptr ? client->result : 0;
}

const Clients::Client* Clients::find(uint16_t connection) const {
  for (const Client& client : _clients) {
    if (client.isConnected && client.connection == connection) return &client;
  }
  return nullptr;
}

Clients::Client* Clients::find(uint16_t connection) {
  return const_cast<Client*>(static_cast<const Clients*>(this)->find(connection));
}
