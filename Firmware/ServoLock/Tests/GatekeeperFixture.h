// A gatekeeper with a BLE host that connects and bonds as NimBLE does.
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

/// Draws 000001, 000002 and so on.
inline uint32_t drawNumber() {
  static uint32_t drawn = 0;
  return ++drawn;
}

/// A lock, and a BLE host that bonds as NimBLE does.
struct Lock {
  FakeStore store;
  FakeConsole console;
  FakeRadio radio;
  Gatekeeper gate{store, console, radio, drawNumber};
  uint32_t fixedPasskey;
  uint32_t now = UINT32_MAX - 5000;

  explicit Lock(uint32_t fixedPasskey = Passkey::none) : fixedPasskey(fixedPasskey) {
    gate.begin(fixedPasskey, now);
  }

  void run(uint32_t milliseconds) {
    for (uint32_t end = now + milliseconds; now != end;) {
      now++;
      gate.tick(now);
    }
  }
  void reboot() {
    gate.~Gatekeeper();
    new (&gate) Gatekeeper(store, console, radio, drawNumber);
    radio.connections.clear();
    now = 5;
    gate.begin(fixedPasskey, now);
  }
  /// The passkey last displayed on the console; Passkey::none when there is none.
  uint32_t shownPasskey() const {
    uint32_t passkey = Passkey::none;
    for (const std::string& line : console.lines) {
      if (line.compare(0, 9, "Passkey: ") == 0) passkey = std::stoul(line.substr(9, 6));
    }
    return passkey;
  }

  /// The host has the connection, without a callback yet.
  void link(uint16_t connection, uint8_t peer) {
    radio.connections.push_back({connection, peerNumber(peer), kPlain});
  }
  void connect(uint16_t connection, uint8_t peer) {
    link(connection, peer);
    gate.connected(now);
  }
  /// The connection ends without a callback.
  void unlink(uint16_t connection) {
    for (size_t i = 0; i < radio.connections.size(); i++) {
      if (radio.connections[i].connection != connection) continue;
      radio.connections.erase(radio.connections.begin() + i);
      return;
    }
  }
  void disconnect(uint16_t connection) {
    unlink(connection);
    gate.disconnected(now);
  }

  /// As in NimBLE, a Pairing Request from any device drops the bond of its address.
  void requestPairing(uint8_t peer) { radio.removeBond(peerNumber(peer)); }
  /// True if a pairing that requests the passkey now receives the displayed one.
  bool askPasskey() {
    const uint32_t shown = fixedPasskey != Passkey::none ? fixedPasskey : shownPasskey();
    return gate.passkeyRequested(now) == shown;
  }
  /// The host stores a bond, calls back, and then stores the client's features.
  bool finish(uint16_t connection, uint8_t peer, const LinkSecurity& security) {
    const Peer identity = peerNumber(peer);
    if (Link* link = radio.find(connection)) *link = {connection, identity, security};
    if (security.isBonded) {
      radio.bonds.erase(std::remove(radio.bonds.begin(), radio.bonds.end(), identity),
                        radio.bonds.end());
      radio.bonds.push_back(identity);
    }
    const bool isAdmitted = gate.authenticated(connection, identity, security, now);
    if (security.isBonded) radio.records.push_back(identity);
    return isAdmitted;
  }
  /// Connects and pairs with the passkey.
  bool pair(uint16_t connection, uint8_t peer) {
    connect(connection, peer);
    requestPairing(peer);
    return finish(connection, peer, askPasskey() ? kTrusted : kPlain);
  }
  bool failToPair(uint16_t connection, uint8_t peer) {
    connect(connection, peer);
    const bool wasAsked = askPasskey();
    finish(connection, peer, kPlain);
    disconnect(connection);
    return wasAsked;
  }
  /// Encrypts with its bond.
  bool encrypt(uint16_t connection, uint8_t peer) {
    radio.find(connection)->security = kTrusted;
    return gate.authenticated(connection, peerNumber(peer), kTrusted, now);
  }
  bool reconnect(uint16_t connection, uint8_t peer) {
    connect(connection, peer);
    return encrypt(connection, peer);
  }
  /// Bonds peers 1, 2, ... count, which then disconnect.
  void own(int count) {
    for (int i = 1; i <= count; i++) {
      if (i > 1) gate.openWindow(now);
      EXPECT(pair(0, static_cast<uint8_t>(i)));
      disconnect(0);
      run(1);
    }
    console.take();
  }
  size_t bonds() const { return radio.bonds.size(); }
};

#endif
