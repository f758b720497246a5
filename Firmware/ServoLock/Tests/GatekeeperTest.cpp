// Access control: the window, attempts, and unauthenticated clients.
#include "GatekeeperFixture.h"

// When pairing is possible

TEST(aLockWithoutBondsAcceptsTheFirstOwner) {
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
  const Lines lines = lock.console.take();
  EXPECT_EQUAL(lines.size(), 3u);
  EXPECT_EQUAL(lines[0], std::string("Pairing window open for 60 s"));
  EXPECT_EQUAL(lines[1].substr(0, 9), std::string("Passkey: "));
  EXPECT_EQUAL(lines[2], std::string("Pairing window closed"));
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

TEST(withClosedPairingThePasskeyIsNeverUsed) {
  Lock lock;
  lock.own(1);
  lock.connect(0, 7);
  EXPECT(!lock.askPasskey());
  EXPECT_EQUAL(lock.store.numbers["failures"], 0u);
}

TEST(aBondMadeOutsideTheWindowIsRemoved) {
  Lock lock;
  lock.own(1);
  lock.connect(0, 7);
  // Whatever the origin of the host's bond.
  EXPECT(!lock.finish(0, 7, kTrusted));
  EXPECT(!lock.gate.isTrusted(0, kTrusted));
  EXPECT(lock.console.has("Pairing window is closed - disconnecting client"));
  lock.disconnect(0);
  lock.run(1);
  EXPECT_EQUAL(lock.bonds(), 1u);
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

// Insufficient security

TEST(justWorksGivesNoAccessAndLeavesNoBond) {
  for (bool isOwned : {false, true}) {
    for (const LinkSecurity& security : {kJustWorks, kJustWorksBonded}) {
      Lock lock;
      lock.own(isOwned ? 1 : 0);
      if (isOwned) lock.gate.openWindow(lock.now);
      lock.connect(0, 7);
      EXPECT(!lock.finish(0, 7, security));
      EXPECT(!lock.gate.isTrusted(0, security));
      EXPECT(lock.console.has("Pairing without passkey refused - disconnecting client"));
      lock.disconnect(0);
      lock.run(1);
      EXPECT_EQUAL(lock.bonds(), isOwned ? 1u : 0u);
      EXPECT_EQUAL(lock.radio.records.size(), lock.bonds());
    }
  }
}

TEST(justWorksIsRefusedDuringAnotherPairing) {
  Lock lock;
  lock.connect(0, 1);
  lock.connect(1, 7);
  EXPECT(lock.askPasskey());
  EXPECT(!lock.finish(1, 7, kJustWorksBonded));
  EXPECT(lock.finish(0, 1, kTrusted));
  lock.disconnect(1);
  lock.run(1);
  EXPECT_EQUAL(lock.radio.bonds.size(), 1u);
  EXPECT(lock.radio.bonds[0] == peerNumber(1));
}

TEST(everyPartOfALinksSecurityIsRequired) {
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
  lock.disconnect(1);
  EXPECT(!lock.gate.isTrusted(1, kTrusted));
  lock.connect(1, 1);
  EXPECT(!lock.gate.isTrusted(1, kTrusted));
  EXPECT(!lock.gate.sessions().find(1)->isTrusted);
}

TEST(trustEndsWhenTheLinksSecurityDecreases) {
  Lock lock;
  EXPECT(lock.pair(0, 1));
  EXPECT(!lock.gate.isTrusted(0, kJustWorks));
  // It pairs again over its link, without the passkey.
  lock.requestPairing(1);
  EXPECT(!lock.finish(0, 1, kJustWorksBonded));
  EXPECT(!lock.gate.isTrusted(0, kTrusted));
  EXPECT(!lock.gate.sessions().find(0)->isTrusted);
}

TEST(unauthenticatedClientsAreDisconnected) {
  Lock lock;
  lock.own(1);
  lock.connect(0, 7);
  lock.run(9999);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 0u);
  lock.run(1);
  EXPECT_EQUAL(lock.radio.disconnected, std::vector<uint16_t>{0});
  EXPECT(lock.console.has("Client not authenticated in time - disconnecting client"));
  // A client that stays connected is disconnected again, and reported once.
  lock.console.take();
  lock.run(10000);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 2u);
  EXPECT_EQUAL(lock.console.take(), Lines{});
  lock.disconnect(0);
  lock.run(20000);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 2u);
}

TEST(clientsHaveMoreTimeWhilePairingIsOpen) {
  Lock lock;
  lock.connect(0, 7);
  lock.run(59999);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 0u);
  lock.run(1);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 1u);
}

TEST(theWindowExtendsTheTimeOfConnectedClients) {
  Lock lock;
  lock.own(1);
  lock.connect(0, 7);
  lock.run(9000);
  lock.gate.openWindow(lock.now);
  lock.run(59999);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 0u);
  lock.run(1);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 1u);
}

TEST(authenticatedClientsStayConnected) {
  Lock lock;
  EXPECT(lock.pair(0, 1));
  lock.run(200000);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 0u);
}

// Attempts

TEST(failuresLockPairingForSeconds) {
  Lock lock;
  for (uint32_t wait : {2, 4, 8, 16, 30, 30}) {
    EXPECT(lock.failToPair(0, 7));
    EXPECT(!lock.radio.isPairable);
    EXPECT(!lock.failToPair(0, 7));
    lock.run(wait * 1000 - 1);
    EXPECT(!lock.radio.isPairable);
    lock.run(1);
    EXPECT(lock.radio.isPairable);
  }
  EXPECT(lock.console.has("Pairing failed, 6 in a row - locked for 30 s"));
  EXPECT(lock.pair(0, 1));
  EXPECT_EQUAL(lock.store.numbers["failures"], 0u);
}

TEST(failuresWithAFixedPasskeyLockPairingForGrowingTimes) {
  Lock lock(42137);
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
  Lock lock(42137);
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
  Lock lock(42137);
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

TEST(disconnectingDuringAPairingIsAFailure) {
  Lock lock;
  lock.connect(0, 7);
  EXPECT(lock.askPasskey());
  EXPECT(!lock.radio.isPairable);
  lock.disconnect(0);
  EXPECT(lock.console.has("Pairing failed, 1 in a row - locked for 2 s"));
}

TEST(simultaneousPairingsDoNotShareAPasskey) {
  Lock lock;
  lock.connect(0, 7);
  lock.connect(1, 7);
  EXPECT(lock.askPasskey());
  EXPECT(!lock.askPasskey());
  EXPECT_EQUAL(lock.store.numbers["failures"], 1u);
}

/// The host does not identify the client that requests a passkey, so a failure of any client ends
/// the attempt.
TEST(aStrangersFailureDoesNotUndoTheOwnersPairing) {
  Lock lock;
  lock.connect(0, 1);
  EXPECT(lock.askPasskey());
  lock.connect(1, 2);
  EXPECT(!lock.askPasskey());
  EXPECT(!lock.finish(1, 2, kPlain));
  lock.disconnect(1);
  EXPECT(lock.finish(0, 1, kTrusted));
  EXPECT(lock.gate.isTrusted(0, kTrusted));
  EXPECT_EQUAL(lock.radio.bonds.size(), 1u);
}

TEST(aUsedPasskeyExpires) {
  Lock lock;
  lock.connect(0, 1);
  EXPECT(lock.askPasskey());
  lock.connect(1, 2);
  lock.finish(1, 2, kPlain);
  lock.disconnect(1);
  EXPECT(lock.finish(0, 1, kTrusted));
  lock.connect(1, 2);
  EXPECT(!lock.finish(1, 2, kTrusted));

  Lock slow;
  slow.connect(0, 1);
  EXPECT(slow.askPasskey());
  slow.run(AttemptLimiter::longestAttempt + 1);
  EXPECT(!slow.finish(0, 1, kTrusted));
}

TEST(aReconnectingOwnerDoesNotResetFailures) {
  Lock lock;
  lock.own(1);
  lock.gate.openWindow(lock.now);
  lock.connect(1, 7);
  EXPECT(lock.askPasskey());
  EXPECT(lock.reconnect(0, 1));
  EXPECT_EQUAL(lock.store.numbers["failures"], 1u);
  lock.disconnect(1);
  EXPECT(lock.console.has("Pairing failed, 1 in a row - locked for 2 s"));
}

// Connections

TEST(theLockAdvertisesWhileAConnectionIsFree) {
  Lock lock;
  for (uint16_t connection = 0; connection < 3; connection++) {
    EXPECT(lock.gate.mayAdvertise());
    lock.connect(connection, 7);
  }
  EXPECT(!lock.gate.mayAdvertise());
  lock.disconnect(1);
  EXPECT(lock.gate.mayAdvertise());
}

TEST(aClientWithoutCallbacksHasASessionAndADeadline) {
  Lock lock;
  lock.own(1);
  for (uint16_t connection = 0; connection < 3; connection++) lock.link(connection, 7);
  lock.run(1);
  EXPECT(!lock.gate.mayAdvertise());
  lock.run(10000);
  EXPECT_EQUAL(lock.radio.disconnected, std::vector<uint16_t>{0, 1, 2});
  lock.unlink(1);
  lock.run(1);
  EXPECT(lock.gate.mayAdvertise());
}

TEST(anOwnerCanEncryptBeforeOnConnect) {
  Lock lock;
  lock.own(1);
  lock.link(0, 1);
  EXPECT(lock.encrypt(0, 1));
  lock.gate.session(0, lock.now)->wantsState = true;
  lock.gate.connected(lock.now);
  EXPECT(lock.gate.isTrusted(0, kTrusted));
  EXPECT(lock.gate.sessions().find(0)->wantsState);
  lock.run(20000);
  EXPECT_EQUAL(lock.radio.disconnected.size(), 0u);
}

TEST(aClientCanPairBeforeOnConnect) {
  Lock lock;
  lock.link(0, 1);
  EXPECT(lock.askPasskey());
  EXPECT(lock.finish(0, 1, kTrusted));
  lock.gate.connected(lock.now);
  EXPECT(lock.gate.isTrusted(0, kTrusted));
}

TEST(aReusedHandleHasANewSession) {
  Lock lock;
  lock.own(1);
  lock.link(0, 1);
  EXPECT(lock.encrypt(0, 1));
  lock.gate.session(0, lock.now)->wantsState = true;
  // The owner disconnects before its callback, and a stranger gets the same handle.
  lock.unlink(0);
  lock.link(0, 7);
  lock.run(1);
  const Session* session = lock.gate.sessions().find(0);
  EXPECT(!session->isTrusted);
  EXPECT(!session->wantsState);
  lock.run(10000);
  EXPECT_EQUAL(lock.radio.disconnected, std::vector<uint16_t>{0});
}

TEST(disconnectingDuringAPairingBeforeOnConnectIsAFailure) {
  Lock lock;
  lock.link(0, 7);
  EXPECT(lock.askPasskey());
  lock.unlink(0);
  lock.run(1);
  EXPECT(lock.console.has("Pairing failed, 1 in a row - locked for 2 s"));
}

// The passkey

TEST(aPasskeyIsValidForOnePairing) {
  Lock lock;
  const uint32_t first = lock.shownPasskey();
  EXPECT(lock.pair(0, 1));
  lock.disconnect(0);
  lock.gate.openWindow(lock.now);
  EXPECT(lock.shownPasskey() != first);
  lock.connect(0, 7);
  EXPECT(lock.gate.passkeyRequested(lock.now) != first);
}

TEST(aNewPasskeyIsDisplayedAfterEachFailedAttempt) {
  Lock lock;
  const uint32_t first = lock.shownPasskey();
  EXPECT(lock.failToPair(0, 7));
  const uint32_t second = lock.shownPasskey();
  EXPECT(second != first);
  lock.run(2000);
  EXPECT(lock.failToPair(0, 7));
  EXPECT(lock.shownPasskey() != second);
}

TEST(aPasskeyIsReplacedBeforeItIsUsed) {
  Lock lock;
  const uint32_t first = lock.shownPasskey();
  lock.connect(0, 7);
  EXPECT_EQUAL(lock.gate.passkeyRequested(lock.now), first);
  // A power loss during the pairing.
  lock.reboot();
  lock.run(2000);
  EXPECT(lock.shownPasskey() != first);
  lock.connect(0, 7);
  EXPECT(lock.askPasskey());
  for (const auto& number : lock.store.numbers) EXPECT(number.first != "passkey");
}

TEST(thePasskeyIsDisplayedOnlyWhenPairingIsPossible) {
  Lock lock;
  EXPECT(lock.shownPasskey() != Passkey::none);
  lock.own(1);
  lock.reboot();
  EXPECT_EQUAL(lock.shownPasskey(), Passkey::none);
  lock.gate.openWindow(lock.now);
  const uint32_t first = lock.shownPasskey();
  EXPECT(first != Passkey::none);
  lock.console.take();
  lock.run(60000);
  lock.gate.clearBonds(lock.now);
  lock.run(1);
  EXPECT(lock.shownPasskey() != Passkey::none);
  EXPECT(lock.shownPasskey() != first);
}

TEST(aFixedPasskeyIsNeverDisplayedAndNotReplaced) {
  Lock lock(42137);
  EXPECT_EQUAL(lock.console.take(), Lines{});
  EXPECT(lock.pair(0, 1));
  lock.disconnect(0);
  lock.gate.openWindow(lock.now);
  EXPECT_EQUAL(lock.shownPasskey(), Passkey::none);
  lock.connect(0, 2);
  EXPECT_EQUAL(lock.gate.passkeyRequested(lock.now), 42137u);
}

TEST(theOriginalsPasskeyCausesAWarningAtEveryBoot) {
  Lock lock(Passkey::original);
  EXPECT_EQUAL(lock.console.take(), Lines{"Passkey: 123456 - everybody knows it"});
  lock.reboot();
  EXPECT_EQUAL(lock.console.take(), Lines{"Passkey: 123456 - everybody knows it"});
}
