// The lock's sketch on a test board: its wiring, its console, its BLE traffic.
#include "ServoLockBoard.h"

using namespace servolock;

TEST(theLockStartsAndAdvertisesWithin31Bytes) {
  Flash flash;
  Lock lock(flash);
  const Lines lines = lock.lines();
  EXPECT_EQUAL(lines.size(), 4u);
  EXPECT_EQUAL(lines[0], std::string("Starting NimBLE Server"));
  EXPECT_EQUAL(lines[1], std::string("locked"));
  EXPECT_EQUAL(lines[2].substr(0, 9), std::string("Passkey: "));
  EXPECT_EQUAL(lines[3], std::string("Starting BLE work!"));
  const Bytes data = lock.received(CFC_ADVERTISING_DATA).back().payload;
  EXPECT_EQUAL(data.size(), 24u);
  // Flags, all 128-bit service UUIDs, and the TX power level (Core Supplement v11, Part A 1).
  const Bytes expected = {2,    0x01, 0x06, 17,   0x07, 0x02, 0x00, 0x12, 0xac, 0x42, 0x02, 0xc3,
                          0xbd, 0xed, 0x11, 0x2c, 0x4d, 0xe0, 0x96, 0x39, 0x3c, 2,    0x0a};
  EXPECT_EQUAL(Bytes(data.begin(), data.begin() + 23), expected);
  const Bytes response = lock.received(CFC_SCAN_RESPONSE_DATA).back().payload;
  EXPECT_EQUAL(response.size(), 28u);
  EXPECT_EQUAL(response[1], 9);
  EXPECT_EQUAL(std::string(response.begin() + 2, response.end()),
               std::string("ESP_TEST_DEVICE_LOCAL_NAME"));
  EXPECT_EQUAL(settings(lock), kPairable);
  EXPECT_EQUAL(lock.count(CFC_SERVO), 0u);
}

TEST(everyValueNeedsAnAuthenticatedKeyOrIsOnlyNotified) {
  Flash flash;
  Lock lock(flash);
  const Bytes attributes = lock.received(CFC_GATT_REGISTER)[0].after<cfc_gatt_register>();
  EXPECT_EQUAL(attributes.size(), 5 * sizeof(cfc_attribute));
  // Notified values are not readable, and so no Security Request is sent.
  const uint16_t expected[] = {0x3008, 0x0010, 0x0010, 0x0602};
  for (int i = 0; i < 4; i++) {
    cfc_attribute attribute;
    memcpy(&attribute, attributes.data() + (i + 1) * sizeof attribute, sizeof attribute);
    EXPECT_EQUAL(attribute.properties, expected[i]);
  }
}

TEST(aPasskeyIsValidForOnePairingAlsoAfterAPowerLoss) {
  Flash flash;
  uint32_t passkey;
  const auto shown = [](const Lock& lock) {
    return static_cast<uint32_t>(std::stoul(lock.lines()[2].substr(9, 6)));
  };
  {
    Lock lock(flash);
    passkey = shown(lock);
    lock.connect(0, 1);
    EXPECT_EQUAL(lock.askPasskey(0, 1), passkey);
  }
  // The unfinished attempt causes a wait of two seconds. (The test board draws the same numbers
  // again.)
  Lock lock(flash);
  EXPECT_EQUAL(settings(lock), kClosed);
  lock.run(2 * kSecond);
  EXPECT_EQUAL(settings(lock), kPairable);
  lock.connect(0, 1);
  EXPECT_EQUAL(lock.askPasskey(0, 1), shown(lock));
  EXPECT(flash.values.count("passkey") == 0);
}

TEST(anOwnerUnlocksAndIsNotified) {
  Flash flash;
  Lock lock(flash);
  lock.newLines();
  lock.pair(0, 1);
  lock.subscribe(0, kState);
  lock.subscribe(0, kBolt);
  EXPECT_EQUAL(settings(lock), kClosed);
  lock.write(0, "1");
  EXPECT_EQUAL(lock.notified(), Lines{"0 21 moving"});
  EXPECT_EQUAL(lock.read(0, kStatus), std::string("moving"));
  lock.run(kSecond);
  EXPECT_EQUAL(lock.notified(), Lines{"0 21 moving", "0 18 1", "0 21 unlocked"});
  EXPECT_EQUAL(lock.read(0, kStatus), std::string("unlocked"));
  EXPECT_EQUAL(lock.newLines(), Lines{"Client connected", "Server Passkey Request",
                                      "Bonded with c0:00:00:00:00:01 (1 of 3)",
                                      "Client authenticated", "1", "moving", "unlocked"});
}

TEST(theServoSweepsAndIsDetached) {
  Flash flash;
  Lock lock(flash);
  lock.pair(0, 1);
  lock.write(0, "1");
  lock.run(2 * kSecond);
  std::vector<cfc_servo> servo;
  std::vector<uint64_t> times;
  for (const Message& message : lock.received(CFC_SERVO)) {
    servo.push_back(message.as<cfc_servo>());
    times.push_back(message.time);
  }
  EXPECT(servo.size() > 40);
  EXPECT_EQUAL(servo.front().pin, 13u);
  EXPECT_EQUAL(servo.front().pulse_ns, 0u);
  for (size_t i = 2; i + 1 < servo.size(); i++) {
    EXPECT(servo[i].pulse_ns >= servo[i - 1].pulse_ns);
    EXPECT(servo[i].pulse_ns - servo[i - 1].pulse_ns < 100000);
  }
  // 90 degrees are half of 500 to 2400 us.
  EXPECT_EQUAL(servo[servo.size() - 2].pulse_ns / 1000, 1445u);
  EXPECT_EQUAL(servo.back().is_attached, 0u);
  const uint64_t milliseconds = (times.back() - times.front()) / kMillisecond;
  EXPECT(milliseconds >= 740 && milliseconds <= 780);
}

TEST(refusedValuesAreReportedWithoutMotion) {
  Flash flash;
  Lock lock(flash);
  lock.pair(0, 1);
  lock.subscribe(0, kState);
  lock.newLines();
  for (const char* value : {"2", "", "on", "11", "1\r\nunlocked"}) lock.write(0, value);
  lock.run(kSecond);
  EXPECT_EQUAL(lock.newLines(), Lines{"Ignoring value: 2", "Ignoring value: ", "Ignoring value: on",
                                      "Ignoring value: 11", "Ignoring value: 1\\x0d\\x0aunlocked"});
  EXPECT_EQUAL(lock.notified(), Lines{});
  EXPECT_EQUAL(lock.count(CFC_SERVO), 0u);
  EXPECT(lock.disconnections().empty());
}

TEST(unauthenticatedClientsHaveNoAccessDespiteTheServer) {
  Flash flash;
  Lock lock(flash);
  lock.pair(0, 1);
  lock.connect(1, 7);
  // The server accepts subscriptions of all clients.
  lock.subscribe(1, kState);
  lock.subscribe(1, kBolt);
  lock.write(0, "1");
  lock.run(kSecond);
  EXPECT_EQUAL(lock.notified(), Lines{});
  EXPECT_EQUAL(lock.read(1, kStatus), std::string());
  EXPECT_EQUAL(lock.read(0, kStatus), std::string("unlocked"));
  lock.newLines();
  lock.write(1, "0");
  EXPECT_EQUAL(lock.newLines(),
               Lines{"Ignoring write without authentication - disconnecting client"});
  EXPECT_EQUAL(lock.disconnections(), std::vector<uint16_t>{1});
  EXPECT_EQUAL(lock.read(0, kStatus), std::string("unlocked"));
}

TEST(justWorksIsDisconnectedAndItsBondRemoved) {
  Flash flash;
  Lock lock(flash);
  lock.connect(0, 7);
  lock.newLines();
  lock.encrypted(0, 7, CFC_LINK_ENCRYPTED | CFC_LINK_BONDED, true);
  EXPECT_EQUAL(lock.newLines(), Lines{"Pairing without passkey refused - disconnecting client"});
  EXPECT_EQUAL(lock.disconnections(), std::vector<uint16_t>{0});
  // While the client is connected, the host would store its settings.
  EXPECT_EQUAL(flash.bonds.size(), 1u);
  EXPECT_EQUAL(settings(lock), kClosed);
  lock.disconnect(0, 7);
  EXPECT_EQUAL(lock.newLines(), Lines{"Client disconnected - start advertising",
                                      "Bond with c0:00:00:00:00:07 removed, nobody's"});
  EXPECT(flash.bonds.empty());
  EXPECT(flash.features.empty());
  EXPECT_EQUAL(settings(lock), kPairable);
  // Advertising had to stop for it.
  EXPECT(lock.isAdvertising());
}

TEST(recordsWithoutBondAreRemovedAtBoot) {
  Flash flash;
  { Lock(flash).pair(0, 1); }
  flash.features.push_back(address(9));
  Lock lock(flash);
  EXPECT_EQUAL(flash.bonds.size(), 1u);
  EXPECT_EQUAL(flash.features.size(), 1u);
  EXPECT_EQUAL(flash.features[0].bytes[0], 1);
}

TEST(advertisingRestartsAfterADisconnectionBeforeOnConnect) {
  Flash flash;
  Lock lock(flash);
  for (int i = 0; i < 5; i++) {
    lock.connectEarly(0, 7);
    lock.messages.clear();
    lock.event(CFC_BLE_LINK_ENDED, 0, 7);
    lock.connectEarly(0, 7);
    EXPECT(lock.isAdvertising());
    lock.event(CFC_BLE_LINK_ENDED, 0, 7);
  }
}

TEST(anOwnerEncryptsSubscribesAndWritesBeforeOnConnect) {
  Flash flash;
  { Lock(flash).pair(0, 1); }
  Lock lock(flash);
  lock.connectEarly(0, 1);
  lock.encrypted(0, 1, kTrusted, false);
  lock.subscribe(0, kState);
  lock.write(0, "1");
  lock.event(CFC_BLE_CONNECTED, 0, 1, kTrusted);
  lock.run(kSecond);
  EXPECT_EQUAL(lock.notified(), Lines{"0 18 1"});
  EXPECT(lock.disconnections().empty());
}

TEST(aClientWithoutCallbacksIsDisconnected) {
  Flash flash;
  { Lock(flash).pair(0, 1); }
  Lock lock(flash);
  for (uint16_t handle = 0; handle < 3; handle++) lock.connectEarly(handle, 7);
  lock.run(11 * kSecond);
  EXPECT_EQUAL(lock.disconnections(), std::vector<uint16_t>{0, 1, 2});
}

TEST(theFourthOwnerReplacesTheFirst) {
  Flash flash;
  Lock lock(flash);
  for (uint8_t peer = 1; peer <= 4; peer++) {
    if (peer > 1) lock.press(kSecond / 5);
    lock.newLines();
    lock.pair(0, peer);
    lock.disconnect(0, peer);
  }
  const Lines lines = lock.newLines();
  EXPECT_EQUAL(lines[2], std::string("Bonded with c0:00:00:00:00:04 (3 of 3)"));
  EXPECT_EQUAL(lines[3], std::string("Bond with c0:00:00:00:00:01 removed, the oldest"));
  EXPECT_EQUAL(flash.bonds.size(), 3u);
  EXPECT_EQUAL(flash.bonds[0].bytes[0], 2);
}

TEST(theButtonOpensTheWindowAndALongPressClearsBonds) {
  Flash flash;
  Lock lock(flash);
  lock.pair(0, 1);
  lock.newLines();
  lock.press(kSecond / 5);
  const Lines open = lock.newLines();
  EXPECT_EQUAL(open.size(), 2u);
  EXPECT_EQUAL(open[0], std::string("Pairing window open for 60 s"));
  EXPECT_EQUAL(open[1].substr(0, 9), std::string("Passkey: "));
  EXPECT_EQUAL(settings(lock), kPairable);
  lock.press(6 * kSecond);
  EXPECT_EQUAL(lock.newLines(), Lines{"Clearing bonds", "Pairing window closed"});
  EXPECT_EQUAL(lock.disconnections(), std::vector<uint16_t>{0});
  EXPECT(!lock.isAdvertising());
  lock.disconnect(0, 1);
  const Lines cleared = lock.newLines();
  EXPECT_EQUAL(cleared.size(), 3u);
  EXPECT_EQUAL(cleared[1], std::string("Bonds cleared"));
  EXPECT_EQUAL(cleared[2].substr(0, 9), std::string("Passkey: "));
  EXPECT(flash.bonds.empty());
  EXPECT_EQUAL(settings(lock), kPairable);
  EXPECT(flash.values.count("bonds") == 0);
}

TEST(advertisingStartsOnceAfterEachDisconnection) {
  Flash flash;
  Lock lock(flash);
  lock.connect(0, 1);
  lock.messages.clear();
  lock.disconnect(0, 1);
  lock.run(kSecond);
  EXPECT_EQUAL(lock.count(CFC_ADVERTISING_START), 0u);  // It continued for the next client.
  for (uint16_t handle = 0; handle < 3; handle++) lock.connect(handle, 1);
  lock.messages.clear();
  lock.disconnect(2, 1);
  EXPECT_EQUAL(lock.lines().back(), std::string("Client disconnected - start advertising"));
  lock.run(kSecond);
  EXPECT_EQUAL(lock.count(CFC_ADVERTISING_START), 1u);
}

TEST(aPowerLossAtAnyTimeIsSafe) {
  Flash flash;
  {
    Lock lock(flash);
    lock.pair(0, 1);
    lock.write(0, "1");
    lock.run(kSecond);
  }
  {
    Lock lock(flash);
    EXPECT_EQUAL(lock.lines()[1], std::string("unlocked"));
    lock.run(5 * kSecond);
    EXPECT_EQUAL(lock.count(CFC_SERVO), 0u);
    lock.connect(0, 1);
    lock.encrypted(0, 1, kTrusted, false);
    lock.write(0, "0");
    lock.run(kSecond / 10);
  }
  Lock lock(flash);
  EXPECT_EQUAL(lock.lines()[1], std::string("Bolt stopped halfway - write 0 or 1"));
  lock.run(5 * kSecond);
  EXPECT_EQUAL(lock.count(CFC_SERVO), 0u);
}

TEST(theConsoleSetsTheRelockTime) {
  Flash flash;
  Lock lock(flash);
  lock.newLines();
  lock.sendSerial("relock 5\r\nrelock 86401\r\nunlock\r\n");
  lock.run(kSecond / 10);
  const std::string help = "Type: relock SECONDS (0: never, at most 86400)";
  EXPECT_EQUAL(lock.newLines(), Lines{"Relock after 5 s", help, help});
  lock.pair(0, 1);
  lock.write(0, "1");
  lock.run(kSecond);
  lock.newLines();
  lock.run(6 * kSecond);
  EXPECT_EQUAL(lock.newLines(), Lines{"Relocking", "moving", "locked"});
}

TEST(aNumericComparisonIsRejected) {
  Flash flash;
  Lock lock(flash);
  lock.connect(0, 7);
  lock.newLines();
  cfc_connection_event event = {1, 42, {}, CFC_PASSKEY_COMPARE};
  lock.send(CFC_BLE_PASSKEY_ACTION, event);
  lock.run(kSecond / 50);
  EXPECT_EQUAL(lock.newLines(), Lines{"The passkey YES/NO number: 000042"});
  EXPECT_EQUAL(lock.received(CFC_PASSKEY_ANSWER).back().as<cfc_passkey_answer>().value, 0u);
}
