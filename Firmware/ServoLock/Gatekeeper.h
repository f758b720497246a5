// Who gets in: pairing, bonds, and how long a client may stay without having proven who it is.
#pragma once

#include <cstdint>

#include "AttemptLimiter.h"
#include "BondList.h"
#include "PasskeyStore.h"
#include "Ports.h"
#include "Sessions.h"
#include "Timer.h"

class Gatekeeper {
 public:
  static constexpr uint32_t windowMilliseconds = 60 * 1000;
  /// How long a client may stay that could not pair anyhow: enough to encrypt with its bond.
  static constexpr uint32_t graceMilliseconds = 10 * 1000;
  /// How long clearing the bonds waits for the connections to end.
  static constexpr uint32_t clearingMilliseconds = 2 * 1000;

  Gatekeeper(Store& store, Console& console, Radio& radio, RandomSource random)
      : _console(console), _radio(radio), _limiter(store), _passkey(store, random), _bonds(store) {}

  /// `fixedPasskey` may be PasskeyStore::none. The host must be running: it holds bonds, and the
  /// chip's random numbers are good only while its radio is on.
  void begin(uint32_t fixedPasskey, uint32_t now);
  void tick(uint32_t now);

  // The button
  void openWindow(uint32_t now);
  void clearBonds(uint32_t now);

  // The host's callbacks
  void connected(uint16_t connection, uint32_t now);
  void disconnected(uint16_t connection, uint32_t now);
  /// A pairing wants the passkey; the right one only if it may go on.
  uint32_t passkeyRequested(uint32_t now);
  /// A link was encrypted, or its pairing or encryption failed. False when it has to go.
  bool authenticated(uint16_t connection, const Peer& peer, const LinkSecurity& security,
                     uint32_t now);

  /// Whether the link may read and write: both what we saw of it and what the host says now.
  bool isTrusted(uint16_t connection, const LinkSecurity& security);
  bool mayAdvertise() const { return !isClearing() && _sessions.count() < Sessions::capacity; }
  Sessions& sessions() { return _sessions; }

 private:
  bool isClearing() const { return _clearing.isRunning(); }
  /// Whether this is a time for pairing, were it not for the limiter.
  bool isPairingTime(uint32_t now) const;
  void closeWindow();
  void update(uint32_t now);
  void admit(Session& session, const Peer& peer, bool isPairing);
  void refuse(const Peer& peer, const LinkSecurity& security, uint32_t now);
  void attemptFailed(uint32_t now);
  void compareBonds();
  void finishClearing(uint32_t now);

  Console& _console;
  Radio& _radio;
  AttemptLimiter _limiter;
  PasskeyStore _passkey;
  BondList _bonds;
  Sessions _sessions;
  Timer _window;
  Timer _clearing;
  bool _isPairable = false;
};
