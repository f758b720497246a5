// Bonds: who is an owner, who is one no more, and who never was.
#include "GatekeeperFixture.h"

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
