// Access control: pairing, bonds, and the time limit for unauthenticated clients.
#pragma once

#include <cstdint>

#include "AttemptLimiter.h"
#include "BondList.h"
#include "Passkey.h"
#include "Ports.h"
#include "Sessions.h"
#include "Timer.h"

class Gatekeeper {
 public:
  static constexpr uint32_t windowMilliseconds = 60 * 1000;
  /// The time limit for a client while pairing is closed: enough to encrypt with its bond.
  static constexpr uint32_t graceMilliseconds = 10 * 1000;
  /// How long clearing the bonds waits for all disconnections.
  static constexpr uint32_t clearingMilliseconds = 2 * 1000;

  Gatekeeper(Store& store, Console& console, Radio& radio, RandomSource random)
      : _console(console), _radio(radio), _limiter(store), _passkey(random), _bonds(store) {}

  /// `fixedPasskey` may be Passkey::none. The host must be running: it has the bonds, and the
  /// chip's random numbers are secure only while its radio is on.
  void begin(uint32_t fixedPasskey, uint32_t now);
  void tick(uint32_t now);

  // The button
  void openWindow(uint32_t now);
  void clearBonds(uint32_t now);

  // The host's callbacks
  void connected(uint32_t now) { updateSessions(now); }
  void disconnected(uint32_t now) { updateSessions(now); }
  /// A pairing requests the passkey; returns the right one only if the pairing is accepted.
  uint32_t passkeyRequested(uint32_t now);
  /// A link was encrypted, or its pairing or encryption failed. False when it must be disconnected.
  bool authenticated(uint16_t connection, const Peer& peer, const LinkSecurity& security,
                     uint32_t now);

  /// The connection's session, from its first callback of any kind on; null when it has ended.
  Session* session(uint16_t connection, uint32_t now);
  /// True if the link may read and write, both by the session's state and by the host's current
  /// one.
  bool isTrusted(uint16_t connection, const LinkSecurity& security);
  bool mayAdvertise() const { return !isClearing() && _sessions.count() < Sessions::capacity; }
  Sessions& sessions() { return _sessions; }

 private:
  struct Links;

  bool isClearing() const { return _clearing.isRunning(); }
  /// True if pairing is open, without regard to the limiter and to bonds to be removed.
  bool isPairingTime(uint32_t now) const;
  /// True if a pairing that begins now may end in a bond.
  bool mayPair(uint32_t now) const;
  /// Updates the sessions from the current connections.
  void updateSessions(uint32_t now);
  void begin(uint16_t connection, uint32_t now);
  void closeWindow();
  void update(uint32_t now);
  void admit(Session& session, const Peer& peer, bool isPairing);
  void evict(const Peer& oldest);
  void refuse(Session& session, const Peer& peer, const LinkSecurity& security, uint32_t now);
  void attemptFailed(uint32_t now);
  void showPasskey(uint32_t now);
  void findLostBonds();
  void removeStaleBonds();
  void finishClearing(uint32_t now);

  Console& _console;
  Radio& _radio;
  AttemptLimiter _limiter;
  Passkey _passkey;
  BondList _bonds;
  Sessions _sessions;
  Timer _window;
  Timer _clearing;
  /// Runs while a pairing may still succeed with a used passkey: also when another client's failure
  /// has ended the attempt, since the host does not identify the client that requests a passkey.
  Timer _passkeyInUse;
  bool _isPairable = false;
  /// The bond that was last evicted and reported.
  Peer _oldest;
  /// The host has bonds that are not on the list.
  bool _hasStrays = false;
  /// Bonds were created or removed since their identities were rewritten.
  bool _haveBondsChanged = false;
  /// Since removeStaleBonds() nothing has left bonds or records behind.
  bool _isTidy = false;
};
