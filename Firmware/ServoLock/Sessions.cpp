#include "Sessions.h"

Session* Sessions::add(uint16_t connection) {
  remove(connection);
  for (Session& session : _sessions) {
    if (session.isConnected) continue;
    session.isConnected = true;
    session.connection = connection;
    return &session;
  }
  return nullptr;
}

void Sessions::remove(uint16_t connection) {
  if (Session* session = find(connection)) *session = Session();
}

Session* Sessions::find(uint16_t connection) {
  for (Session& session : _sessions) {
    if (session.isConnected && session.connection == connection) return &session;
  }
  return nullptr;
}

size_t Sessions::count() const {
  size_t count = 0;
  for (const Session& session : _sessions) count += session.isConnected ? 1 : 0;
  return count;
}

bool Sessions::hasUntrusted() const {
  for (const Session& session : _sessions) {
    if (session.isConnected && !session.isTrusted) return true;
  }
  return false;
}
