// Who gets in: the window, attempts, and clients that do not prove who they are.
#include "GatekeeperFixture.h"

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
