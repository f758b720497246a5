// Who gets in: pairing, bonds, and how long a client may stay without having proven who it is.
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
  /// How long a client may stay that could not pair anyhow: enough to encrypt with its bond.
  static constexpr uint32_t graceMilliseconds = 10 * 1000;
  /// How long clearing the bonds waits for the connections to end.
  static constexpr uint32_t clearingMilliseconds = 2 * 1000;

  Gatekeeper(Store& store, Console& console, Radio& radio, RandomSource random)
      : _console(console), _radio(radio), _limiter(store), _passkey(random), _bonds(store) {}

  /// `fixedPasskey` may be Passkey::none. The host must be running: it holds bonds, and the chip's
  /// random numbers are good only while its radio is on.
  void begin(uint32_t fixedPasskey, uint32_t now);
  void tick(uint32_t now);

  // The button
  void openWindow(uint32_t now);
  void clearBonds(uint32_t now);

  // The host's callbacks
  void connected(uint32_t now) { follow(now); }
  void disconnected(uint32_t now) { follow(now); }
  /// A pairing wants the passkey; the right one only if it may go on.
  uint32_t passkeyRequested(uint32_t now);
  /// A link was encrypted, or its pairing or encryption failed. False when it has to go.
  bool authenticated(uint16_t connection, const Peer& peer, const LinkSecurity& security,
                     uint32_t now);

  /// The connection's session, from the first callback of any kind on; null when it has ended.
  Session* session(uint16_t connection, uint32_t now);
  /// Whether the link may read and write: both what we saw of it and what the host says now.
  bool isTrusted(uint16_t connection, const LinkSecurity& security);
  bool mayAdvertise() const { return !isClearing() && _sessions.count() < Sessions::capacity; }
  Sessions& sessions() { return _sessions; }

 private:
  struct Links;

  bool isClearing() const { return _clearing.isRunning(); }
  /// Whether this is a time for pairing, were it not for the limiter and bonds to be removed.
  bool isPairingTime(uint32_t now) const;
  /// Whether a pairing that begins now may end in a bond.
  bool mayPair(uint32_t now) const;
  /// Makes the sessions those of the connections that there are.
  void follow(uint32_t now);
  void begin(uint16_t connection, uint32_t now);
  void closeWindow();
  void update(uint32_t now);
  void admit(Session& session, const Peer& peer, bool isPairing);
  void putOut(const Peer& oldest);
  void refuse(Session& session, const Peer& peer, const LinkSecurity& security, uint32_t now);
  void attemptFailed(uint32_t now);
  void showPasskey(uint32_t now);
  void findLostBonds();
  void tidy();
  void finishClearing(uint32_t now);

  Console& _console;
  Radio& _radio;
  AttemptLimiter _limiter;
  Passkey _passkey;
  BondList _bonds;
  Sessions _sessions;
  Timer _window;
  Timer _clearing;
  /// Runs while a pairing may still succeed with a passkey that was given away: also when another
  /// client's failure has ended the attempt, since the host does not tell who asks for a passkey.
  Timer _passkeyInUse;
  bool _isPairable = false;
  /// The bond that was put out, and told of, last.
  Peer _oldest;
  /// The host holds bonds that are nobody's.
  bool _hasStrays = false;
  /// Bonds were made or removed since their identities were rewritten.
  bool _haveBondsChanged = false;
  /// Nothing has happened since tidy() that leaves bonds or records behind.
  bool _isTidy = false;
};
