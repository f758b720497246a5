#include "Gatekeeper.h"

static unsigned seconds(uint32_t milliseconds) { return (milliseconds + 999) / 1000; }

void Gatekeeper::begin(uint32_t fixedPasskey, uint32_t now) {
  _passkey.begin(fixedPasskey);
  if (_passkey.isNew()) {
    _console.print("Passkey: %06u - shown only now, write it down",
                   static_cast<unsigned>(_passkey.passkey()));
  } else if (_passkey.passkey() == PasskeyStore::original) {
    _console.line("Passkey: 123456 - everybody knows it");
  }
  _bonds.begin();
  compareBonds();
  _limiter.begin(now);
  _radio.setPairable(_isPairable);
  update(now);
}

void Gatekeeper::tick(uint32_t now) {
  if (_window.isDue(now)) closeWindow();
  if (_limiter.tick(now)) attemptFailed(now);
  for (Session& session : _sessions) {
    if (!session.isConnected || !session.deadline.isDue(now)) continue;
    session.deadline.stop();
    _console.line("Client not authenticated in time - disconnecting client");
    _radio.disconnect(session.connection);
  }
  if (isClearing() && (_sessions.count() == 0 || _clearing.isDue(now))) finishClearing(now);
  update(now);
}

// The button

void Gatekeeper::openWindow(uint32_t now) {
  if (isClearing()) return;
  if (!_limiter.isReady(now) && !_limiter.isUnderWay()) {
    _console.print("Pairing locked for another %u s", seconds(_limiter.remaining(now)));
    return;
  }
  _console.print("Pairing window open for %u s", seconds(windowMilliseconds));
  _window.start(now, windowMilliseconds);
  for (Session& session : _sessions) {
    if (session.isConnected && !session.isTrusted) session.deadline.start(now, windowMilliseconds);
  }
  update(now);
}

/// The host refuses to drop bonds while it advertises, and its task must not be busy with them: so
/// all connections end first.
void Gatekeeper::clearBonds(uint32_t now) {
  if (isClearing()) return;
  _console.line("Clearing bonds");
  if (_window.isRunning()) closeWindow();
  _clearing.start(now, clearingMilliseconds);
  update(now);
  for (Session& session : _sessions) {
    if (session.isConnected) _radio.disconnect(session.connection);
  }
}

void Gatekeeper::finishClearing(uint32_t now) {
  _clearing.stop();
  while (_radio.bondCount() > 0) {
    const int before = _radio.bondCount();
    _radio.removeBond(_radio.bondedPeer(before - 1));
    if (_radio.bondCount() >= before) {
      // Still on the lists: the next long press tries again.
      _console.line("Bonds could not be cleared");
      return;
    }
  }
  _bonds.clear();
  _console.line("Bonds cleared");
  update(now);
}

// The host's callbacks

void Gatekeeper::connected(uint16_t connection, uint32_t now) {
  Session* session = _sessions.add(connection);
  if (session == nullptr || isClearing()) {
    _radio.disconnect(connection);
    return;
  }
  session->deadline.start(now, isPairingTime(now) ? windowMilliseconds : graceMilliseconds);
}

void Gatekeeper::disconnected(uint16_t connection, uint32_t now) {
  _sessions.remove(connection);
  if (_limiter.isUnderWay() && !_sessions.hasUntrusted()) {
    _limiter.attemptFailed(now);
    attemptFailed(now);
  }
  compareBonds();
  update(now);
}

uint32_t Gatekeeper::passkeyRequested(uint32_t now) {
  _console.line("Server Passkey Request");
  // By now the host has dropped the bond of an address that pairs anew.
  compareBonds();
  if (!isPairingTime(now) || !_limiter.isReady(now)) return _passkey.decoy();
  _limiter.attemptBegins(now);
  update(now);
  return _passkey.passkey();
}

bool Gatekeeper::authenticated(uint16_t connection, const Peer& peer, const LinkSecurity& security,
                               uint32_t now) {
  compareBonds();
  Session* session = _sessions.find(connection);
  if (session == nullptr || isClearing()) return false;
  session->isTrusted = session->isTrusted && security.isTrustworthy();
  if (!security.isEncrypted) {
    _console.line("Encrypt connection failed - disconnecting client");
    if (_limiter.isUnderWay()) {
      _limiter.attemptFailed(now);
      attemptFailed(now);
    }
    update(now);
    return false;
  }
  // With a bond that the host still had before, it is no pairing. Any other trustworthy link comes
  // from one, and that from a passkey that passkeyRequested() gave.
  const bool isPairing = !_bonds.contains(peer) || _bonds.isLost(peer);
  if (!security.isTrustworthy() || (isPairing && !_limiter.isUnderWay())) {
    refuse(peer, security, now);
    return false;
  }
  admit(*session, peer, isPairing);
  update(now);
  return true;
}

void Gatekeeper::admit(Session& session, const Peer& peer, bool isPairing) {
  char text[Peer::textSize];
  if (isPairing) {
    Peer evicted;
    const bool isFull = _bonds.add(peer, evicted);
    _console.print("Bonded with %s (%u of %u)", peer.write(text),
                   static_cast<unsigned>(_bonds.size()), static_cast<unsigned>(BondList::capacity));
    if (isFull) {
      _console.print("Bond with %s removed, the oldest", evicted.write(text));
      _radio.removeBond(evicted);
    }
    _limiter.attemptSucceeded();
    if (_window.isRunning()) closeWindow();
  }
  if (!session.isTrusted) _console.line("Client authenticated");
  session.isTrusted = true;
  session.deadline.stop();
}

void Gatekeeper::refuse(const Peer& peer, const LinkSecurity& security, uint32_t now) {
  if (!isPairingTime(now)) {
    _console.line("Pairing window is closed - disconnecting client");
  } else if (!_limiter.isReady(now) && !_limiter.isUnderWay()) {
    _console.print("Pairing locked for another %u s - disconnecting client",
                   seconds(_limiter.remaining(now)));
  } else {
    _console.line("Pairing without passkey refused - disconnecting client");
  }
  // The host has stored the bond already. The owner's, if this address had one, it dropped for it.
  if (security.isBonded) _radio.removeBond(peer);
}

bool Gatekeeper::isTrusted(uint16_t connection, const LinkSecurity& security) {
  const Session* session = _sessions.find(connection);
  return session != nullptr && session->isTrusted && security.isTrustworthy();
}

// Pairing

bool Gatekeeper::isPairingTime(uint32_t now) const {
  if (isClearing()) return false;
  return _bonds.isEmpty() || (_window.isRunning() && !_window.isDue(now));
}

void Gatekeeper::closeWindow() {
  _window.stop();
  _console.line("Pairing window closed");
}

void Gatekeeper::update(uint32_t now) {
  const bool isPairable = isPairingTime(now) && _limiter.isReady(now);
  if (isPairable == _isPairable) return;
  _isPairable = isPairable;
  _radio.setPairable(isPairable);
}

void Gatekeeper::attemptFailed(uint32_t now) {
  _console.print("Pairing failed, %u in a row - locked for %u s",
                 static_cast<unsigned>(_limiter.failures()), seconds(_limiter.remaining(now)));
}

void Gatekeeper::compareBonds() {
  char text[Peer::textSize];
  Peer peer;
  while (_bonds.findLost(_radio, peer)) _console.print("Bond with %s lost", peer.write(text));
  // A stray's pairing may just be ending, and its callback be on the way.
  if (_sessions.hasUntrusted()) return;
  for (int tries = _radio.bondCount(); tries > 0 && _bonds.findStray(_radio, peer); tries--) {
    _console.print("Bond with %s removed, nobody's", peer.write(text));
    _radio.removeBond(peer);
  }
}
