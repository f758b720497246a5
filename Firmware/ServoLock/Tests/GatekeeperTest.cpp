// Who gets in: the window, bonds, attempts, and clients that do not prove who they are.
#include <new>

#include "Fakes.h"
#include "Gatekeeper.h"
#include "Testing.h"

using Lines = std::vector<std::string>;

namespace {

const LinkSecurity kPlain = {false, false, false, 0};
const LinkSecurity kJustWorks = {true, false, false, 16};
const LinkSecurity kJustWorksBonded = {true, false, true, 16};
const LinkSecurity kTrusted = {true, true, true, 16};

constexpr uint32_t kPasskey = 42137;
uint32_t drawPasskey() { return kPasskey + 1; }

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

}  // namespace

// When pairing is possible

TEST(aLockWithoutBondsTakesTheFirstOwner) {
  Lock lock;
  EXPECT(lock.radio.isPairable);
  lock.run(1000000);
  EXPECT(lock.radio.isPairable);
  EXPECT(lock.pair(0, 1));
  EXPECT(lock.gate.isTrusted(0, kTrusted));
  EXPECT(!lock.radio.isPairable);
  EXPECT(lock.console.has("Bonded with c0:00:00:00:00:01 (1 of 3)"));
}

TEST(theButtonOpensTheWindowForAMinute) {
  Lock lock;
  lock.own(1);
  EXPECT(!lock.radio.isPairable);
  lock.gate.openWindow(lock.now);
  EXPECT(lock.radio.isPairable);
  lock.run(59999);
  EXPECT(lock.radio.isPairable);
  lock.run(1);
  EXPECT(!lock.radio.isPairable);
  EXPECT_EQUAL(lock.console.take(), Lines{"Pairing window open for 60 s", "Pairing window closed"});
}

TEST(aPressAdmitsOneDevice) {
  Lock lock;
  lock.own(1);
  lock.gate.openWindow(lock.now);
  EXPECT(lock.pair(0, 2));
  EXPECT(!lock.radio.isPairable);
  EXPECT(!lock.pair(1, 3));
  EXPECT_EQUAL(lock.bonds(), 2u);
}

TEST(outsideTheWindowThePasskeyIsNeverUsed) {
  Lock lock;
  lock.own(1);
  lock.gate.connected(0, lock.now);
  EXPECT(lock.gate.passkeyRequested(lock.now) != kPasskey);
  EXPECT_EQUAL(lock.store.numbers["failures"], 0u);
}

TEST(aBondMadeOutsideTheWindowIsRemoved) {
  Lock lock;
  lock.own(1);
  lock.gate.connected(0, lock.now);
  // However the host may have come to it.
  EXPECT(!lock.finish(0, 7, kTrusted));
  EXPECT_EQUAL(lock.bonds(), 1u);
  EXPECT(!lock.gate.isTrusted(0, kTrusted));
  EXPECT(lock.console.has("Pairing window is closed - disconnecting client"));
}

TEST(aBondReconnectsWithoutAWindow) {
  Lock lock;
  lock.own(1);
  EXPECT(lock.reconnect(0, 1));
  EXPECT(lock.gate.isTrusted(0, kTrusted));
  EXPECT_EQUAL(lock.console.take(), Lines{"Client authenticated"});
  lock.reboot();
  EXPECT(!lock.radio.isPairable);
  EXPECT(lock.reconnect(0, 1));
}

// What is not good enough

TEST(justWorksGetsNothingAndLeavesNothing) {
  for (bool isOwned : {false, true}) {
    for (const LinkSecurity& security : {kJustWorks, kJustWorksBonded}) {
      Lock lock;
      lock.own(isOwned ? 1 : 0);
      if (isOwned) lock.gate.openWindow(lock.now);
      lock.gate.connected(0, lock.now);
      EXPECT(!lock.finish(0, 7, security));
      EXPECT(!lock.gate.isTrusted(0, security));
      EXPECT_EQUAL(lock.bonds(), isOwned ? 1u : 0u);
      EXPECT(lock.console.has("Pairing without passkey refused - disconnecting client"));
    }
  }
}

TEST(justWorksDoesNotSlipInBesideAnHonestPairing) {
  Lock lock;
  lock.gate.connected(0, lock.now);
  lock.gate.connected(1, lock.now);
  EXPECT_EQUAL(lock.gate.passkeyRequested(lock.now), kPasskey);
  EXPECT(!lock.finish(1, 7, kJustWorksBonded));
  EXPECT_EQUAL(lock.bonds(), 0u);
  EXPECT(lock.finish(0, 1, kTrusted));
}

TEST(everyPartOfALinksSecurityIsNeeded) {
  LinkSecurity security = kTrusted;
  EXPECT(security.isTrustworthy());
  security.keySize = 15;
  EXPECT(!security.isTrustworthy());
  security = kTrusted;
  security.isBonded = false;
  EXPECT(!security.isTrustworthy());
  security = kTrusted;
  security.isAuthenticated = false;
  EXPECT(!security.isTrustworthy());
  security = kTrusted;
  security.isEncrypted = false;
  EXPECT(!security.isTrustworthy());
}

TEST(trustEndsWithTheConnection) {
  Lock lock;
  EXPECT(lock.pair(1, 1));
  EXPECT(!lock.gate.isTrusted(0, kTrusted));
  lock.gate.disconnected(1, lock.now);
  EXPECT(!lock.gate.isTrusted(1, kTrusted));
  lock.gate.connected(1, lock.now);
  EXPECT(!lock.gate.isTrusted(1, kTrusted));
  EXPECT(!lock.gate.sessions().find(1)->isTrusted);
}

TEST(trustEndsWhenTheLinkGetsWorse) {
  Lock lock;
  EXPECT(lock.pair(0, 1));
  EXPECT(!lock.gate.isTrusted(0, kJustWorks));
  // It pairs again over its own link, without the passkey.
  lock.requestPairing(1);
  EXPECT(!lock.finish(0, 1, kJustWorksBonded));
  EXPECT(!lock.gate.isTrusted(0, kTrusted));
  EXPECT(!lock.gate.sessions().find(0)->isTrusted);
}

TEST(clientsThatProveNothingHaveToGo) {
  Lock lock;
  lock.own(1);
  lock.gate.connected(0, lock.now);
  lock.run(9999);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 0u);
  lock.run(1);
  EXPECT_EQUAL(lock.radio.disconnected, std::vector<uint16_t>{0});
  EXPECT(lock.console.has("Client not authenticated in time - disconnecting client"));
  lock.run(20000);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 1u);
}

TEST(whoMayPairHasTimeToType) {
  Lock lock;
  lock.gate.connected(0, lock.now);
  lock.run(59999);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 0u);
  lock.run(1);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 1u);
}

TEST(theWindowGivesTimeToWhoIsThereAlready) {
  Lock lock;
  lock.own(1);
  lock.gate.connected(0, lock.now);
  lock.run(9000);
  lock.gate.openWindow(lock.now);
  lock.run(59999);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 0u);
  lock.run(1);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 1u);
}

TEST(theTrustedMayStay) {
  Lock lock;
  EXPECT(lock.pair(0, 1));
  lock.run(200000);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 0u);
}

// Attempts

TEST(failuresLockPairingForAWhileThatGrows) {
  Lock lock;
  EXPECT(lock.failToPair(0, 7));
  EXPECT(lock.console.has("Pairing failed, 1 in a row - locked for 2 s"));
  EXPECT(!lock.radio.isPairable);
  EXPECT(!lock.failToPair(0, 7));
  lock.run(2000);
  EXPECT(lock.radio.isPairable);
  EXPECT(lock.failToPair(0, 7));
  lock.run(4000);
  EXPECT(lock.failToPair(0, 7));
  EXPECT(lock.console.has("Pairing failed, 3 in a row - locked for 300 s"));
  lock.run(299999);
  EXPECT(!lock.radio.isPairable);
  lock.run(1);
  EXPECT(lock.radio.isPairable);
  EXPECT(lock.pair(0, 1));
  EXPECT_EQUAL(lock.store.numbers["failures"], 0u);
}

TEST(aRebootDoesNotShortenALockOut) {
  Lock lock;
  for (uint32_t wait : {2000, 4000, 0}) {
    EXPECT(lock.failToPair(0, 7));
    lock.run(wait);
  }
  lock.run(200000);
  lock.reboot();
  EXPECT(!lock.radio.isPairable);
  lock.run(299999);
  EXPECT(!lock.radio.isPairable);
  lock.run(1);
  EXPECT(lock.radio.isPairable);
}

TEST(theButtonDoesNotShortenALockOut) {
  Lock lock;
  lock.own(1);
  lock.gate.openWindow(lock.now);
  for (uint32_t wait : {2000, 4000, 0}) {
    EXPECT(lock.failToPair(0, 7));
    lock.run(wait);
  }
  lock.console.take();
  lock.run(100000);
  lock.gate.openWindow(lock.now);
  EXPECT_EQUAL(lock.console.take(),
               Lines{"Pairing window closed", "Pairing locked for another 200 s"});
  EXPECT(!lock.radio.isPairable);
}

TEST(whoLeavesInTheMiddleHasFailed) {
  Lock lock;
  lock.gate.connected(0, lock.now);
  EXPECT_EQUAL(lock.gate.passkeyRequested(lock.now), kPasskey);
  EXPECT(!lock.radio.isPairable);
  lock.gate.disconnected(0, lock.now);
  EXPECT(lock.console.has("Pairing failed, 1 in a row - locked for 2 s"));
}

TEST(twoPairingsAtOnceShareNoPasskey) {
  Lock lock;
  lock.gate.connected(0, lock.now);
  lock.gate.connected(1, lock.now);
  EXPECT_EQUAL(lock.gate.passkeyRequested(lock.now), kPasskey);
  EXPECT(lock.gate.passkeyRequested(lock.now) != kPasskey);
  EXPECT_EQUAL(lock.store.numbers["failures"], 1u);
}

TEST(aReconnectingOwnerDoesNotForgiveAnAttacker) {
  Lock lock;
  lock.own(1);
  lock.gate.openWindow(lock.now);
  lock.gate.connected(1, lock.now);
  EXPECT_EQUAL(lock.gate.passkeyRequested(lock.now), kPasskey);
  EXPECT(lock.reconnect(0, 1));
  EXPECT_EQUAL(lock.store.numbers["failures"], 1u);
  lock.gate.disconnected(1, lock.now);
  EXPECT(lock.console.has("Pairing failed, 1 in a row - locked for 2 s"));
}

// Bonds

TEST(theFourthBondPutsOutTheOldest) {
  Lock lock;
  lock.own(3);
  lock.gate.openWindow(lock.now);
  EXPECT(lock.pair(0, 4));
  EXPECT(lock.console.has("Bonded with c0:00:00:00:00:04 (3 of 3)"));
  EXPECT(lock.console.has("Bond with c0:00:00:00:00:01 removed, the oldest"));
  EXPECT_EQUAL(lock.bonds(), 3u);
  EXPECT(lock.radio.bonds[0] == peerNumber(2));
  lock.gate.disconnected(0, lock.now);
  EXPECT(lock.reconnect(0, 2));
  EXPECT(!lock.reconnect(1, 1));
}

TEST(whoPairsAgainIsNotCountedTwiceAndBecomesTheYoungest) {
  Lock lock;
  lock.own(3);
  lock.gate.openWindow(lock.now);
  EXPECT(lock.pair(0, 1));
  EXPECT_EQUAL(lock.bonds(), 3u);
  EXPECT_EQUAL(lock.store.numbers["failures"], 0u);
  EXPECT(!lock.radio.isPairable);
  lock.gate.openWindow(lock.now);
  EXPECT(lock.pair(1, 4));
  EXPECT(lock.console.has("Bond with c0:00:00:00:00:02 removed, the oldest"));
}

TEST(whoCannotPairPutsOutNobody) {
  Lock lock;
  lock.own(3);
  lock.gate.openWindow(lock.now);
  for (uint8_t peer = 10; peer < 20; peer++) {
    lock.gate.connected(0, lock.now);
    EXPECT(!lock.finish(0, peer, kJustWorksBonded));
    lock.gate.disconnected(0, lock.now);
  }
  EXPECT_EQUAL(lock.bonds(), 3u);
  for (uint8_t peer = 1; peer <= 3; peer++) {
    EXPECT(lock.reconnect(0, peer));
    lock.gate.disconnected(0, lock.now);
  }
}

TEST(aStolenAddressCanCostABondButOpensNothing) {
  Lock lock;
  lock.own(1);
  // Somebody shows the owner's address: the host drops the owner's bond before anything is asked.
  lock.gate.connected(0, lock.now);
  lock.requestPairing(1);
  EXPECT(!lock.finish(0, 1, kJustWorks));
  lock.gate.disconnected(0, lock.now);
  EXPECT(lock.console.has("Bond with c0:00:00:00:00:01 lost"));
  // The lock has no bond left, but it is not for the taking: only the button opens it.
  EXPECT_EQUAL(lock.bonds(), 0u);
  EXPECT(!lock.radio.isPairable);
  EXPECT(!lock.pair(0, 7));
  lock.gate.disconnected(0, lock.now);
  lock.reboot();
  EXPECT(!lock.radio.isPairable);
  lock.gate.openWindow(lock.now);
  EXPECT(lock.pair(0, 1));
}

TEST(theLossOfABondIsToldOnce) {
  Lock lock;
  lock.own(2);
  lock.radio.removeBond(peerNumber(1));
  for (int i = 0; i < 3; i++) {
    EXPECT(lock.reconnect(0, 2));
    lock.gate.disconnected(0, lock.now);
  }
  int told = 0;
  for (const std::string& line : lock.console.take()) told += line.find("lost") != line.npos;
  EXPECT_EQUAL(told, 1);
}

TEST(strayBondsAreRemovedWhenNobodyIsPairing) {
  Lock lock;
  lock.own(1);
  lock.radio.bonds.push_back(peerNumber(9));
  // Power was cut between the host's storing it and the lock's judging it.
  lock.reboot();
  EXPECT_EQUAL(lock.bonds(), 1u);
  EXPECT(lock.console.has("Bond with c0:00:00:00:00:09 removed, nobody's"));
  // Its link broke before the host could tell.
  lock.gate.connected(0, lock.now);
  lock.radio.bonds.push_back(peerNumber(9));
  lock.gate.disconnected(0, lock.now);
  EXPECT_EQUAL(lock.bonds(), 1u);
}

TEST(aBondWhoseWordIsOnTheWayIsNoStray) {
  Lock lock;
  lock.gate.connected(0, lock.now);
  lock.gate.connected(1, lock.now);
  EXPECT_EQUAL(lock.gate.passkeyRequested(lock.now), kPasskey);
  lock.radio.bonds.push_back(peerNumber(1));
  lock.gate.disconnected(1, lock.now);
  EXPECT_EQUAL(lock.bonds(), 1u);
  EXPECT(lock.gate.authenticated(0, peerNumber(1), kTrusted, lock.now));
}

TEST(aDamagedListIsEmptyAndTheHostsBondsGo) {
  Lock lock;
  lock.own(2);
  lock.store.values["bonds"] = "short";
  lock.reboot();
  EXPECT_EQUAL(lock.bonds(), 0u);
  EXPECT(lock.radio.isPairable);
}

// Clearing

TEST(clearingEndsAllConnectionsFirst) {
  Lock lock;
  lock.own(2);
  EXPECT(lock.reconnect(0, 1));
  lock.gate.clearBonds(lock.now);
  EXPECT_EQUAL(lock.radio.disconnected, std::vector<uint16_t>{0});
  EXPECT(!lock.gate.mayAdvertise());
  lock.run(10);
  EXPECT_EQUAL(lock.bonds(), 2u);
  lock.gate.disconnected(0, lock.now);
  lock.run(1);
  EXPECT_EQUAL(lock.bonds(), 0u);
  EXPECT(lock.radio.isPairable);
  EXPECT(lock.gate.mayAdvertise());
  EXPECT(lock.console.has("Bonds cleared"));
  EXPECT(!lock.reconnect(0, 1));
}

TEST(clearingDoesNotWaitForEver) {
  Lock lock;
  lock.own(1);
  EXPECT(lock.reconnect(0, 1));
  lock.gate.clearBonds(lock.now);
  lock.run(1999);
  EXPECT_EQUAL(lock.bonds(), 1u);
  lock.run(1);
  EXPECT_EQUAL(lock.bonds(), 0u);
}

TEST(nobodyGetsInWhileBondsAreCleared) {
  Lock lock;
  lock.own(1);
  lock.gate.connected(0, lock.now);
  lock.gate.clearBonds(lock.now);
  EXPECT(!lock.gate.authenticated(0, peerNumber(1), kTrusted, lock.now));
  EXPECT(lock.gate.passkeyRequested(lock.now) != kPasskey);
  lock.radio.disconnected.clear();
  lock.gate.connected(1, lock.now);
  EXPECT_EQUAL(lock.radio.disconnected, std::vector<uint16_t>{1});
}

TEST(bondsThatCannotBeClearedStayTheOwners) {
  Lock lock;
  lock.own(1);
  lock.radio.refusesToRemove = true;
  lock.gate.clearBonds(lock.now);
  lock.run(10);
  EXPECT(lock.console.has("Bonds could not be cleared"));
  EXPECT(!lock.radio.isPairable);
  lock.radio.refusesToRemove = false;
  lock.gate.clearBonds(lock.now);
  lock.run(10);
  EXPECT(lock.console.has("Bonds cleared"));
}

TEST(clearingForgivesNoFailures) {
  Lock lock;
  lock.own(1);
  lock.gate.openWindow(lock.now);
  EXPECT(lock.failToPair(0, 7));
  lock.gate.clearBonds(lock.now);
  lock.run(10);
  EXPECT_EQUAL(lock.store.numbers["failures"], 1u);
  EXPECT(!lock.radio.isPairable);
}

// Connections

TEST(theLockAdvertisesWhileThereIsRoom) {
  Lock lock;
  for (uint16_t connection = 0; connection < 3; connection++) {
    EXPECT(lock.gate.mayAdvertise());
    lock.gate.connected(connection, lock.now);
  }
  EXPECT(!lock.gate.mayAdvertise());
  lock.gate.disconnected(1, lock.now);
  EXPECT(lock.gate.mayAdvertise());
}

TEST(theFirstBootShowsThePasskeyOnce) {
  FakeStore store;
  FakeConsole console;
  FakeRadio radio;
  Gatekeeper first(store, console, radio, drawPasskey);
  first.begin(PasskeyStore::none, 0);
  EXPECT_EQUAL(console.take(), Lines{"Passkey: 042138 - shown only now, write it down"});
  Gatekeeper second(store, console, radio, drawPasskey);
  second.begin(PasskeyStore::none, 0);
  EXPECT_EQUAL(console.take(), Lines{});
  EXPECT_EQUAL(second.passkeyRequested(0), 42138u);
}

TEST(theOriginalsPasskeyIsWarnedOfAtEveryBoot) {
  FakeStore store;
  FakeConsole console;
  FakeRadio radio;
  for (int boot = 0; boot < 2; boot++) {
    Gatekeeper gate(store, console, radio, drawPasskey);
    gate.begin(PasskeyStore::original, 0);
    EXPECT_EQUAL(console.take(), Lines{"Passkey: 123456 - everybody knows it"});
  }
}
