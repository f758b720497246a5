#include "Gatekeeper.h"

static unsigned seconds(uint32_t milliseconds) { return (milliseconds + 999) / 1000; }

/// The connections of one moment.
struct Gatekeeper::Links {
  explicit Links(Radio& radio) : count(radio.links(links, Sessions::capacity)) {}
  const Link* begin() const { return links; }
  const Link* end() const { return links + count; }
  const Link* find(uint16_t connection) const {
    for (const Link& link : *this) {
      if (link.connection == connection) return &link;
    }
    return nullptr;
  }
  const Link* find(const Peer& peer) const {
    for (const Link& link : *this) {
      if (link.peer == peer) return &link;
    }
    return nullptr;
  }

  Link links[Sessions::capacity];
  size_t count;
};

void Gatekeeper::begin(uint32_t fixedPasskey, uint32_t now) {
  _passkey.begin(fixedPasskey);
  if (_passkey.value() == Passkey::original) _console.line("Passkey: 123456 - everybody knows it");
  _bonds.begin();
  findLostBonds();
  removeStaleBonds();
  _limiter.begin(_passkey.isFixed(), now);
  showPasskey(now);
  _radio.setPairable(_isPairable);
  update(now);
}

void Gatekeeper::tick(uint32_t now) {
  updateSessions(now);
  if (_window.isDue(now)) closeWindow();
  if (_limiter.tick(now)) attemptFailed(now);
  if (_passkeyInUse.isDue(now)) _passkeyInUse.stop();
  for (Session& session : _sessions) {
    if (!session.isConnected || !session.deadline.isDue(now)) continue;
    if (!session.isLate) _console.line("Client not authenticated in time - disconnecting client");
    // Repeated until it has disconnected: the host may have no memory for the command.
    session.isLate = true;
    session.deadline.start(now, graceMilliseconds);
    _radio.disconnect(session.connection);
  }
  if (isClearing() && (_sessions.count() == 0 || _clearing.isDue(now))) finishClearing(now);
  if (!_isTidy || _hasStrays) removeStaleBonds();
  if (_haveBondsChanged && _sessions.count() == 0) {
    _radio.rewriteIdentities();
    _haveBondsChanged = false;
  }
  update(now);
}

// Connections

Session* Gatekeeper::session(uint16_t connection, uint32_t now) {
  updateSessions(now);
  return _sessions.find(connection);
}

void Gatekeeper::updateSessions(uint32_t now) {
  const Links links(_radio);
  bool hasEnded = false;
  for (Session& session : _sessions) {
    if (!session.isConnected) continue;
    const Link* link = links.find(session.connection);
    // The handle may belong to another client now, whose link is not encrypted yet.
    if (link != nullptr && (!session.isTrusted || link->security.isTrustworthy())) continue;
    session = Session();
    hasEnded = true;
  }
  if (hasEnded) {
    _isTidy = false;
    if (_limiter.isRunning() && !_sessions.hasUntrusted()) {
      _limiter.attemptFailed(now);
      attemptFailed(now);
    }
    findLostBonds();
  }
  for (const Link& link : links) {
    if (_sessions.find(link.connection) == nullptr) begin(link.connection, now);
  }
  if (hasEnded) update(now);
}

void Gatekeeper::begin(uint16_t connection, uint32_t now) {
  Session* session = _sessions.add(connection);
  if (session == nullptr || isClearing()) _radio.disconnect(connection);
  if (session == nullptr) return;
  session->deadline.start(now, isPairingTime(now) ? windowMilliseconds : graceMilliseconds);
}

// The button

void Gatekeeper::openWindow(uint32_t now) {
  if (isClearing()) return;
  if (!_limiter.isReady(now) && !_limiter.isRunning()) {
    _console.print("Pairing locked for another %u s", seconds(_limiter.remaining(now)));
    return;
  }
  _console.print("Pairing window open for %u s", seconds(windowMilliseconds));
  _window.start(now, windowMilliseconds);
  for (Session& session : _sessions) {
    if (!session.isConnected || session.isTrusted || session.isLate) continue;
    session.deadline.start(now, windowMilliseconds);
  }
  showPasskey(now);
  update(now);
}

/// The host refuses to remove bonds while it advertises or uses them: so all clients are
/// disconnected first.
void Gatekeeper::clearBonds(uint32_t now) {
  if (isClearing()) return;
  _console.line("Clearing bonds");
  _passkeyInUse.stop();
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
      // They are still on the lists: the next long press tries again.
      _console.line("Bonds could not be cleared");
      return;
    }
  }
  _bonds.clear();
  _haveBondsChanged = true;
  _console.line("Bonds cleared");
  showPasskey(now);
  update(now);
}

// The host's callbacks

uint32_t Gatekeeper::passkeyRequested(uint32_t now) {
  _console.line("Server Passkey Request");
  updateSessions(now);
  // The host has already dropped the bond of an address that pairs again.
  findLostBonds();
  if (!mayPair(now)) return _passkey.decoy();
  _limiter.attemptStarted(now);
  _passkeyInUse.start(now, AttemptLimiter::longestAttempt);
  update(now);
  return _passkey.use();
}

bool Gatekeeper::authenticated(uint16_t connection, const Peer& peer, const LinkSecurity& security,
                               uint32_t now) {
  Session* session = this->session(connection, now);
  findLostBonds();
  if (session == nullptr || isClearing()) return false;
  session->isTrusted = session->isTrusted && security.isTrustworthy();
  if (!security.isEncrypted) {
    _console.line("Encrypt connection failed - disconnecting client");
    if (_limiter.isRunning()) {
      _limiter.attemptFailed(now);
      attemptFailed(now);
    }
    update(now);
    return false;
  }
  // If the host already had the bond, this was not a pairing. Any other trusted link results from a
  // pairing, with a passkey from passkeyRequested().
  const bool isPairing = !_bonds.contains(peer) || _bonds.isLost(peer);
  const bool isAdmitted = security.isTrustworthy() && (!isPairing || _passkeyInUse.isRunning());
  _haveBondsChanged = _haveBondsChanged || isPairing || !isAdmitted;
  isAdmitted ? admit(*session, peer, isPairing) : refuse(*session, peer, security, now);
  Peer stray;
  _hasStrays = _bonds.findUnlisted(_radio, 0, stray) >= 0;
  update(now);
  return isAdmitted;
}

void Gatekeeper::admit(Session& session, const Peer& peer, bool isPairing) {
  char text[Peer::textSize];
  if (isPairing) {
    Peer evicted;
    const bool isFull = _bonds.add(peer, evicted);
    _console.print("Bonded with %s (%u of %u)", peer.write(text),
                   static_cast<unsigned>(_bonds.size()), static_cast<unsigned>(BondList::capacity));
    if (isFull) evict(evicted);
    _limiter.attemptSucceeded();
    _passkeyInUse.stop();
    if (_window.isRunning()) closeWindow();
  }
  if (!session.isTrusted) _console.line("Client authenticated");
  session.isTrusted = true;
  session.deadline.stop();
}

/// removeStaleBonds() removes the bond itself, after its client has disconnected.
void Gatekeeper::evict(const Peer& oldest) {
  char text[Peer::textSize];
  _console.print("Bond with %s removed, the oldest", oldest.write(text));
  _oldest = oldest;
  const Links links(_radio);
  const Link* link = links.find(oldest);
  if (link == nullptr) return;
  if (Session* session = _sessions.find(link->connection)) session->isTrusted = false;
  _radio.disconnect(link->connection);
}

/// removeStaleBonds() removes a stored bond: the host keeps storing records beside it while the
/// link exists.
void Gatekeeper::refuse(Session& session, const Peer& peer, const LinkSecurity& security,
                        uint32_t now) {
  char text[Peer::textSize];
  session.isTrusted = false;
  if (!isPairingTime(now)) {
    _console.line("Pairing window is closed - disconnecting client");
  } else if (!_limiter.isReady(now) && !_limiter.isRunning()) {
    _console.print("Pairing locked for another %u s - disconnecting client",
                   seconds(_limiter.remaining(now)));
  } else {
    _console.line("Pairing without passkey refused - disconnecting client");
  }
  // If this address had an owner's bond, the host has dropped that.
  if (security.isBonded && _bonds.setLost(peer)) {
    _console.print("Bond with %s lost", peer.write(text));
  }
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

/// Not while a bond waits for its removal, so that a client that pairs repeatedly gets no further
/// one.
bool Gatekeeper::mayPair(uint32_t now) const {
  return isPairingTime(now) && _limiter.isReady(now) && !_hasStrays;
}

void Gatekeeper::closeWindow() {
  _window.stop();
  _console.line("Pairing window closed");
}

void Gatekeeper::update(uint32_t now) {
  const bool isPairable = mayPair(now);
  if (isPairable == _isPairable) return;
  _isPairable = isPairable;
  _radio.setPairable(isPairable);
}

void Gatekeeper::attemptFailed(uint32_t now) {
  _console.print("Pairing failed, %u in a row - locked for %u s",
                 static_cast<unsigned>(_limiter.failures()), seconds(_limiter.remaining(now)));
  showPasskey(now);
}

void Gatekeeper::showPasskey(uint32_t now) {
  if (_passkey.isFixed() || !isPairingTime(now) || _limiter.isRunning()) return;
  _passkey.renew();
  _console.print("Passkey: %06u - good for one pairing", static_cast<unsigned>(_passkey.value()));
}

// Bonds

void Gatekeeper::findLostBonds() {
  char text[Peer::textSize];
  Peer peer;
  while (_bonds.findLost(_radio, peer)) _console.print("Bond with %s lost", peer.write(text));
}

void Gatekeeper::removeStaleBonds() {
  const Links links(_radio);
  char text[Peer::textSize];
  Peer stray;
  _hasStrays = false;
  for (int index = 0; (index = _bonds.findUnlisted(_radio, index, stray)) >= 0;) {
    const int before = _radio.bondCount();
    // A connected client may just have paired, with its callback still pending.
    if (links.find(stray) == nullptr) _radio.removeBond(stray);
    if (_radio.bondCount() >= before) {
      _hasStrays = true;
      index++;
      continue;
    }
    _haveBondsChanged = true;
    if (stray != _oldest) _console.print("Bond with %s removed, nobody's", stray.write(text));
    _oldest = Peer();
  }
  if (!_isTidy) _radio.removeOrphans();
  _isTidy = true;
}
