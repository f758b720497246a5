// Bonds: owners, former owners, and strangers.
#include "GatekeeperFixture.h"

// Bonds

TEST(theFourthBondReplacesTheOldest) {
  Lock lock;
  lock.own(3);
  lock.gate.openWindow(lock.now);
  EXPECT(lock.pair(0, 4));
  EXPECT(lock.console.has("Bonded with c0:00:00:00:00:04 (3 of 3)"));
  EXPECT(lock.console.has("Bond with c0:00:00:00:00:01 removed, the oldest"));
  lock.console.take();
  lock.run(1);
  EXPECT_EQUAL(lock.console.take(), Lines{});
  EXPECT_EQUAL(lock.bonds(), 3u);
  EXPECT(lock.radio.bonds[0] == peerNumber(2));
  lock.disconnect(0);
  EXPECT(lock.reconnect(0, 2));
  EXPECT(!lock.reconnect(1, 1));
}

TEST(theReplacedOwnerIsDisconnectedAndItsBondRemoved) {
  Lock lock;
  lock.own(3);
  EXPECT(lock.reconnect(1, 1));
  lock.gate.openWindow(lock.now);
  EXPECT(lock.pair(0, 4));
  EXPECT(!lock.gate.isTrusted(1, kTrusted));
  EXPECT_EQUAL(lock.radio.disconnected, std::vector<uint16_t>{1});
  // It may subscribe while it is connected, and the host stores that with its bond.
  lock.run(100);
  EXPECT_EQUAL(lock.bonds(), 4u);
  lock.radio.records.push_back(peerNumber(1));
  lock.disconnect(1);
  lock.run(1);
  EXPECT_EQUAL(lock.bonds(), 3u);
  EXPECT_EQUAL(lock.radio.records.size(), 3u);
}

TEST(pairingAgainMakesABondTheYoungest) {
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

TEST(aRefusedPairingReplacesNoBond) {
  Lock lock;
  lock.own(3);
  for (uint8_t peer = 10; peer < 20; peer++) {
    lock.gate.openWindow(lock.now);
    lock.connect(0, peer);
    EXPECT(lock.radio.isPairable);
    EXPECT(!lock.finish(0, peer, kJustWorksBonded));
    // While a refused client is connected, neither it nor another client gets a bond.
    EXPECT(!lock.radio.isPairable);
    lock.connect(1, 30);
    EXPECT(!lock.askPasskey());
    lock.disconnect(1);
    lock.run(1000);
    EXPECT_EQUAL(lock.bonds(), 4u);
    lock.disconnect(0);
    lock.run(1);
    EXPECT_EQUAL(lock.bonds(), 3u);
    EXPECT_EQUAL(lock.radio.records.size(), 3u);
  }
  for (uint8_t peer = 1; peer <= 3; peer++) {
    EXPECT(lock.reconnect(0, peer));
    lock.disconnect(0);
  }
}

TEST(identitiesAreRewrittenAfterEachChangeWhenNoClientIsConnected) {
  Lock lock;
  lock.own(2);
  const int before = lock.radio.rewrites;
  EXPECT(lock.reconnect(0, 1));
  lock.disconnect(0);
  lock.run(10);
  EXPECT_EQUAL(lock.radio.rewrites, before);
  EXPECT(lock.reconnect(0, 1));
  lock.gate.openWindow(lock.now);
  lock.connect(1, 9);
  EXPECT(!lock.finish(1, 9, kJustWorksBonded));
  lock.disconnect(1);
  lock.run(10);
  EXPECT_EQUAL(lock.radio.rewrites, before);
  lock.disconnect(0);
  lock.run(10);
  EXPECT_EQUAL(lock.radio.rewrites, before + 1);
  EXPECT(!lock.radio.hasRewrittenTooEarly);
}

TEST(aRefusedBondIsRemovedWithoutAnyCallback) {
  Lock lock;
  lock.link(0, 7);
  EXPECT(!lock.finish(0, 7, kJustWorksBonded));
  lock.unlink(0);
  lock.run(1);
  EXPECT_EQUAL(lock.bonds(), 0u);
  EXPECT_EQUAL(lock.radio.records.size(), 0u);
}

TEST(pairingWithAnOwnersIdentityGivesNoAccess) {
  Lock lock;
  lock.own(1);
  lock.gate.openWindow(lock.now);
  lock.connect(0, 7);
  // The pairing's keys come with the owner's address: the host replaces the owner's.
  EXPECT(!lock.finish(0, 1, kJustWorksBonded));
  EXPECT(lock.console.has("Bond with c0:00:00:00:00:01 lost"));
  lock.disconnect(0);
  lock.run(1);
  EXPECT_EQUAL(lock.bonds(), 0u);
  EXPECT(lock.pair(0, 1));
  EXPECT(lock.console.has("Bonded with c0:00:00:00:00:01 (1 of 3)"));
}

TEST(aCopiedAddressCanRemoveABondButGivesNoAccess) {
  Lock lock;
  lock.own(1);
  // A device copies the owner's address: the host drops the owner's bond before any callback.
  lock.connect(0, 1);
  lock.requestPairing(1);
  EXPECT(!lock.finish(0, 1, kJustWorks));
  lock.disconnect(0);
  EXPECT(lock.console.has("Bond with c0:00:00:00:00:01 lost"));
  // The lock has no bond left, but pairing is not open: only the button opens it.
  EXPECT_EQUAL(lock.bonds(), 0u);
  EXPECT(!lock.radio.isPairable);
  EXPECT(!lock.pair(0, 7));
  lock.disconnect(0);
  lock.reboot();
  EXPECT(!lock.radio.isPairable);
  lock.gate.openWindow(lock.now);
  EXPECT(lock.pair(0, 1));
}

TEST(aLostBondIsReportedOnce) {
  Lock lock;
  lock.own(2);
  lock.radio.removeBond(peerNumber(1));
  for (int i = 0; i < 3; i++) {
    EXPECT(lock.reconnect(0, 2));
    lock.disconnect(0);
  }
  int told = 0;
  for (const std::string& line : lock.console.take()) told += line.find("lost") != line.npos;
  EXPECT_EQUAL(told, 1);
}

TEST(unlistedBondsAreRemovedAfterTheirClientsDisconnect) {
  Lock lock;
  lock.own(1);
  lock.radio.bonds.push_back(peerNumber(9));
  // There was a power loss after the host stored it and before the lock's decision.
  lock.reboot();
  EXPECT_EQUAL(lock.bonds(), 1u);
  EXPECT(lock.console.has("Bond with c0:00:00:00:00:09 removed, nobody's"));
  // Its link was lost before the callback.
  lock.connect(0, 9);
  lock.connect(1, 7);
  lock.radio.bonds.push_back(peerNumber(9));
  lock.disconnect(0);
  lock.run(1);
  EXPECT_EQUAL(lock.bonds(), 1u);
}

TEST(recordsWithoutBondAreRemovedAtBootAndAfterADisconnection) {
  Lock lock;
  lock.own(1);
  lock.radio.records.push_back(peerNumber(9));
  lock.reboot();
  EXPECT_EQUAL(lock.radio.records.size(), 1u);
  lock.connect(0, 7);
  lock.run(1);
  lock.radio.records.push_back(peerNumber(9));
  lock.disconnect(0);
  lock.run(1);
  EXPECT_EQUAL(lock.radio.records.size(), 1u);
  EXPECT(lock.radio.records[0] == peerNumber(1));
}

TEST(aBondWithAPendingCallbackIsKept) {
  Lock lock;
  lock.connect(0, 1);
  lock.connect(1, 7);
  EXPECT(lock.askPasskey());
  lock.radio.bonds.push_back(peerNumber(1));
  lock.disconnect(1);
  lock.run(1);
  EXPECT_EQUAL(lock.bonds(), 1u);
  EXPECT(lock.gate.authenticated(0, peerNumber(1), kTrusted, lock.now));
}

TEST(aDamagedListIsEmptyAndTheHostsBondsAreRemoved) {
  Lock lock;
  lock.own(2);
  lock.store.values["bonds"] = "short";
  lock.reboot();
  EXPECT_EQUAL(lock.bonds(), 0u);
  EXPECT(lock.radio.isPairable);
}

// Clearing

TEST(clearingDisconnectsAllClientsFirst) {
  Lock lock;
  lock.own(2);
  EXPECT(lock.reconnect(0, 1));
  lock.gate.clearBonds(lock.now);
  EXPECT_EQUAL(lock.radio.disconnected, std::vector<uint16_t>{0});
  EXPECT(!lock.gate.mayAdvertise());
  lock.run(10);
  EXPECT_EQUAL(lock.bonds(), 2u);
  lock.disconnect(0);
  lock.run(1);
  EXPECT_EQUAL(lock.bonds(), 0u);
  EXPECT(lock.radio.isPairable);
  EXPECT(lock.gate.mayAdvertise());
  EXPECT(lock.console.has("Bonds cleared"));
  EXPECT(!lock.reconnect(0, 1));
}

TEST(clearingTimesOut) {
  Lock lock;
  lock.own(1);
  EXPECT(lock.reconnect(0, 1));
  lock.gate.clearBonds(lock.now);
  lock.run(1999);
  EXPECT_EQUAL(lock.bonds(), 1u);
  lock.run(1);
  EXPECT_EQUAL(lock.bonds(), 0u);
}

TEST(noClientHasAccessWhileBondsAreCleared) {
  Lock lock;
  lock.own(1);
  lock.connect(0, 7);
  lock.gate.clearBonds(lock.now);
  EXPECT(!lock.gate.authenticated(0, peerNumber(1), kTrusted, lock.now));
  EXPECT(!lock.askPasskey());
  lock.radio.disconnected.clear();
  lock.connect(1, 7);
  EXPECT_EQUAL(lock.radio.disconnected, std::vector<uint16_t>{1});
}

TEST(bondsThatCannotBeClearedKeepTheirOwners) {
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

TEST(clearingDoesNotResetFailures) {
  Lock lock;
  lock.own(1);
  lock.gate.openWindow(lock.now);
  EXPECT(lock.failToPair(0, 7));
  lock.gate.clearBonds(lock.now);
  lock.run(10);
  EXPECT_EQUAL(lock.store.numbers["failures"], 1u);
  EXPECT(!lock.radio.isPairable);
}
