// A gatekeeper with a BLE host that bonds as NimBLE does.
#ifndef SERVO_LOCK_GATEKEEPER_FIXTURE_H
#define SERVO_LOCK_GATEKEEPER_FIXTURE_H

#include <new>

#include "Fakes.h"
#include "Gatekeeper.h"
#include "Testing.h"

using Lines = std::vector<std::string>;

constexpr LinkSecurity kPlain = {false, false, false, 0};
constexpr LinkSecurity kJustWorks = {true, false, false, 16};
constexpr LinkSecurity kJustWorksBonded = {true, false, true, 16};
constexpr LinkSecurity kTrusted = {true, true, true, 16};

constexpr uint32_t kPasskey = 42137;
inline uint32_t drawPasskey() { return kPasskey + 1; }

/// A lock with a fixed passkey, and a BLE host that bonds as NimBLE does.
struct Lock {
  FakeStore store;
  FakeConsole console;
  FakeRadio radio;
  Gatekeeper gate{store, console, radio, drawPasskey};
  uint32_t now = UINT32_MAX - 5000;

  Lock() { gate.begin(kPasskey, now); }

  void run(uint32_t milliseconds) {
    for (uint32_t end = now + milliseconds; now != end;) {
      now++;
      gate.tick(now);
    }
  }
  void reboot() {
    gate.~Gatekeeper();
    new (&gate) Gatekeeper(store, console, radio, drawPasskey);
    now = 5;
    gate.begin(kPasskey, now);
  }

  /// As NimBLE: a Pairing Request drops the bond of its address, whoever sends it.
  void requestPairing(uint8_t peer) { radio.removeBond(peerNumber(peer)); }
  bool finish(uint16_t connection, uint8_t peer, const LinkSecurity& security) {
    if (security.isBonded) radio.bonds.push_back(peerNumber(peer));
    return gate.authenticated(connection, peerNumber(peer), security, now);
  }
  /// Connects and pairs with the passkey.
  bool pair(uint16_t connection, uint8_t peer) {
    gate.connected(connection, now);
    requestPairing(peer);
    if (gate.passkeyRequested(now) != kPasskey) return finish(connection, peer, kPlain);
    return finish(connection, peer, kTrusted);
  }
  bool failToPair(uint16_t connection, uint8_t peer) {
    gate.connected(connection, now);
    const bool knew = gate.passkeyRequested(now) == kPasskey;
    finish(connection, peer, kPlain);
    gate.disconnected(connection, now);
    return knew;
  }
  /// Connects and encrypts with the bond it has.
  bool reconnect(uint16_t connection, uint8_t peer) {
    gate.connected(connection, now);
    return gate.authenticated(connection, peerNumber(peer), kTrusted, now);
  }
  /// Bonds peers 1, 2, ... count, who leave again.
  void own(int count) {
    for (int i = 1; i <= count; i++) {
      if (i > 1) gate.openWindow(now);
      EXPECT(pair(0, static_cast<uint8_t>(i)));
      gate.disconnected(0, now);
    }
    console.take();
  }
  size_t bonds() const { return radio.bonds.size(); }
};

#endif
