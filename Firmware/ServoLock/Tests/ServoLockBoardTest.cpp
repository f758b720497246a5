// The lock's sketch on a test board: its wiring, its console, what goes over the air.
#include <cstring>
#include <map>

#include "Board.h"
#include "Testing.h"

namespace {

using Lines = std::vector<std::string>;

constexpr uint16_t kCommand = 16, kState = 18, kBolt = 21;
constexpr uint8_t kTrusted = CFC_LINK_ENCRYPTED | CFC_LINK_AUTHENTICATED | CFC_LINK_BONDED;

/// What outlives the board: its flash, and the BLE host's bonds in it.
struct Flash {
  std::map<std::string, Bytes> values;
  std::vector<cfc_address> bonds;
};

cfc_address address(uint8_t number) { return {1, {number, 0, 0, 0, 0, 0xc0}, 0}; }

/// The lock, after setup().
struct Lock : Board {
  Flash& flash;

  explicit Lock(Flash& flash) : Board("ServoLock"), flash(flash) {
    answer = [this](const Message& call, Bytes& more) { return answerCall(call, more); };
    run(kSecond / 10);
  }

  int32_t answerCall(const Message& call, Bytes& more) {
    switch (call.type) {
      case CFC_GATT_REGISTER: {
        // Command, then state and bolt, each with a descriptor of its own behind it.
        const uint16_t handles[] = {14, kCommand, kState, kBolt};
        more.assign(reinterpret_cast<const uint8_t*>(handles),
                    reinterpret_cast<const uint8_t*>(handles) + sizeof handles);
        return 0;
      }
      case CFC_NVS_OPEN:
        more = {1, 0, 0, 0};
        return 0;
      case CFC_NVS_SET:
        flash.values[call.as<cfc_nvs_item>().key] = call.after<cfc_nvs_item>();
        return 0;
      case CFC_NVS_GET: {
        const auto found = flash.values.find(call.as<cfc_nvs_item>().key);
        const bool isBlob = call.as<cfc_nvs_item>().type == CFC_NVS_BLOB;
        if (found == flash.values.end() || isBlob != (found->first == "bonds")) return 0x1102;
        more = {static_cast<uint8_t>(found->second.size()), 0, 0, 0};
        more.insert(more.end(), found->second.begin(), found->second.end());
        return 0;
      }
      case CFC_NVS_ERASE:
        return flash.values.erase(call.as<cfc_nvs_item>().key) ? 0 : 0x1102;
      case CFC_BONDS: {
        cfc_bonds bonds = {};
        bonds.count = static_cast<uint32_t>(flash.bonds.size());
        for (size_t i = 0; i < flash.bonds.size(); i++) bonds.peers[i] = flash.bonds[i];
        more.assign(reinterpret_cast<uint8_t*>(&bonds),
                    reinterpret_cast<uint8_t*>(&bonds) + sizeof bonds);
        return 0;
      }
      case CFC_DELETE_BOND: {
        const cfc_address peer = call.as<cfc_address>();
        if (isAdvertising()) return 15;  // BLE_HS_EBUSY: as the host with an identity key.
        for (size_t i = 0; i < flash.bonds.size(); i++) {
          if (memcmp(&flash.bonds[i], &peer, sizeof peer) == 0) {
            flash.bonds.erase(flash.bonds.begin() + i);
            return 0;
          }
        }
        return 5;
      }
      default:
        return defaultAnswer(call, more);
    }
  }

  bool isAdvertising() const {
    bool is = false;
    for (const Message& message : messages) {
      if (message.type == CFC_ADVERTISING_START) is = true;
      if (message.type == CFC_ADVERTISING_STOP) is = false;
    }
    return is && !isConnected;
  }

  void event(uint16_t type, uint16_t handle, uint8_t peer, uint8_t security = 0,
             uint32_t detail = 0) {
    cfc_connection_event event = {1, type == CFC_BLE_DISCONNECTED ? 0x213 : 0, {}, detail};
    event.connection.handle = handle;
    event.connection.mtu = 23;
    event.connection.security = security;
    event.connection.key_size = security != 0 ? 16 : 0;
    event.connection.peer_over_the_air = event.connection.peer_identity = address(peer);
    if (type == CFC_BLE_CONNECTED) isConnected = true;
    send(type, event);
    run(kSecond / 50);
    isConnected = false;
  }
  void connect(uint16_t handle, uint8_t peer) { event(CFC_BLE_CONNECTED, handle, peer); }
  void disconnect(uint16_t handle, uint8_t peer) { event(CFC_BLE_DISCONNECTED, handle, peer); }
  /// The passkey that the lock answers; what the host then makes of it.
  uint32_t askPasskey(uint16_t handle, uint8_t peer) {
    event(CFC_BLE_PASSKEY_ACTION, handle, peer, 0, CFC_PASSKEY_DISPLAY);
    return received(CFC_PASSKEY_ANSWER).back().as<cfc_passkey_answer>().value;
  }
  void encrypted(uint16_t handle, uint8_t peer, uint8_t security, bool isNew) {
    if (isNew && (security & CFC_LINK_BONDED) != 0) flash.bonds.push_back(address(peer));
    event(CFC_BLE_ENCRYPTION, handle, peer, security);
  }
  void pair(uint16_t handle, uint8_t peer) {
    connect(handle, peer);
    askPasskey(handle, peer);
    encrypted(handle, peer, kTrusted, true);
  }
  void subscribe(uint16_t handle, uint16_t attribute) {
    send(CFC_GATT_SUBSCRIBE, cfc_gatt_event{0, handle, attribute, 1, 0});
    run(kSecond / 50);
  }
  void write(uint16_t handle, const std::string& text) {
    send(CFC_GATT_WRITE, cfc_gatt_event{0, handle, kCommand, 0, 0},
         Bytes(text.begin(), text.end()));
    run(kSecond / 50);
  }
  /// What a client reads.
  std::string read(uint16_t handle, uint16_t attribute) {
    send(CFC_GATT_READ, cfc_gatt_event{0, handle, attribute, 0, 0});
    run(kSecond / 50);
    const Bytes value = received(CFC_GATT_VALUE).back().after<cfc_gatt_value>();
    return std::string(value.begin(), value.end());
  }
  /// What was notified, as "connection attribute value".
  Lines notified() const {
    Lines all;
    for (const Message& message : received(CFC_GATT_NOTIFY)) {
      const auto notify = message.as<cfc_gatt_notify>();
      const Bytes value = message.after<cfc_gatt_notify>();
      all.push_back(std::to_string(notify.connection) + " " + std::to_string(notify.attribute) +
                    " " + std::string(value.begin(), value.end()));
    }
    return all;
  }
  std::vector<uint16_t> disconnections() const {
    std::vector<uint16_t> all;
    for (const Message& message : received(CFC_DISCONNECT)) {
      all.push_back(message.as<cfc_disconnect>().connection);
    }
    return all;
  }
  void press(uint64_t duration) {
    send(CFC_PIN_INPUT, cfc_pin{0, CFC_PIN_LOW});
    run(duration);
    send(CFC_PIN_INPUT, cfc_pin{0, CFC_PIN_FLOATING});
    run(kSecond / 10);
  }
  Lines newLines() {
    Lines all = lines();
    Lines some(all.begin() + std::min(seen, all.size()), all.end());
    seen = all.size();
    return some;
  }

  bool isConnected = false;
  size_t seen = 0;
};

Bytes settings(const Lock& lock) { return lock.received(CFC_SECURITY).back().payload; }

const Bytes kPairable = {0, 1, 1, 1, 3, 3, 1, 4, 12, 0, 0, 0};
const Bytes kClosed = {3, 0, 1, 1, 3, 3, 1, 4, 12, 0, 0, 0};

}  // namespace

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
  const Bytes response = lock.received(CFC_SCAN_RESPONSE_DATA).back().payload;
  EXPECT_EQUAL(response.size(), 28u);
  EXPECT_EQUAL(response[1], 9);
  EXPECT_EQUAL(std::string(response.begin() + 2, response.end()),
               std::string("ESP_TEST_DEVICE_LOCAL_NAME"));
  EXPECT_EQUAL(settings(lock), kPairable);
  EXPECT_EQUAL(lock.count(CFC_SERVO), 0u);
}

TEST(everyAttributeNeedsAnAuthenticatedKey) {
  Flash flash;
  Lock lock(flash);
  const Bytes attributes = lock.received(CFC_GATT_REGISTER)[0].after<cfc_gatt_register>();
  EXPECT_EQUAL(attributes.size(), 4 * sizeof(cfc_attribute));
  const uint16_t expected[] = {0x3008, 0x0612, 0x0612};
  for (int i = 0; i < 3; i++) {
    cfc_attribute attribute;
    memcpy(&attribute, attributes.data() + (i + 1) * sizeof attribute, sizeof attribute);
    EXPECT_EQUAL(attribute.properties, expected[i]);
  }
}

TEST(thePasskeyOfTheFirstBootIsKept) {
  Flash flash;
  uint32_t passkey;
  {
    Lock lock(flash);
    passkey = static_cast<uint32_t>(std::stoul(lock.lines()[2].substr(9, 6)));
    lock.connect(0, 1);
    EXPECT_EQUAL(lock.askPasskey(0, 1), passkey);
  }
  // The attempt that never ended has cost two seconds.
  Lock lock(flash);
  EXPECT_EQUAL(lock.lines(), Lines{"Starting NimBLE Server", "locked", "Starting BLE work!"});
  EXPECT_EQUAL(settings(lock), kClosed);
  lock.run(2 * kSecond);
  EXPECT_EQUAL(settings(lock), kPairable);
  lock.connect(0, 1);
  EXPECT_EQUAL(lock.askPasskey(0, 1), passkey);
}

TEST(anOwnerUnlocksAndIsTold) {
  Flash flash;
  Lock lock(flash);
  lock.newLines();
  lock.pair(0, 1);
  lock.subscribe(0, kState);
  lock.subscribe(0, kBolt);
  EXPECT_EQUAL(settings(lock), kClosed);
  lock.write(0, "1");
  EXPECT_EQUAL(lock.notified(), Lines{"0 21 moving"});
  EXPECT_EQUAL(lock.read(0, kState), std::string("0"));
  EXPECT_EQUAL(lock.read(0, kBolt), std::string("moving"));
  lock.run(kSecond);
  EXPECT_EQUAL(lock.notified(), Lines{"0 21 moving", "0 18 1", "0 21 unlocked"});
  EXPECT_EQUAL(lock.read(0, kState), std::string("1"));
  EXPECT_EQUAL(lock.newLines(), Lines{"Client connected", "Server Passkey Request",
                                      "Bonded with c0:00:00:00:00:01 (1 of 3)",
                                      "Client authenticated", "1", "moving", "unlocked"});
}

TEST(theServoSweepsAndIsLetGo) {
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

TEST(refusedValuesAreToldAndMoveNothing) {
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

TEST(whoIsNotTrustedGetsNothingWhateverTheServerLetsThrough) {
  Flash flash;
  Lock lock(flash);
  lock.pair(0, 1);
  lock.connect(1, 7);
  // The server takes subscriptions from anybody.
  lock.subscribe(1, kState);
  lock.subscribe(1, kBolt);
  lock.write(0, "1");
  lock.run(kSecond);
  EXPECT_EQUAL(lock.notified(), Lines{});
  EXPECT_EQUAL(lock.read(1, kState), std::string());
  EXPECT_EQUAL(lock.read(1, kBolt), std::string());
  EXPECT_EQUAL(lock.read(0, kState), std::string("1"));
  lock.newLines();
  lock.write(1, "0");
  EXPECT_EQUAL(lock.newLines(),
               Lines{"Ignoring write without authentication - disconnecting client"});
  EXPECT_EQUAL(lock.disconnections(), std::vector<uint16_t>{1});
  EXPECT_EQUAL(lock.read(0, kBolt), std::string("unlocked"));
}

TEST(justWorksIsThrownOutWithItsBond) {
  Flash flash;
  Lock lock(flash);
  lock.connect(0, 7);
  lock.newLines();
  lock.encrypted(0, 7, CFC_LINK_ENCRYPTED | CFC_LINK_BONDED, true);
  EXPECT_EQUAL(lock.newLines(), Lines{"Pairing without passkey refused - disconnecting client"});
  EXPECT_EQUAL(lock.disconnections(), std::vector<uint16_t>{0});
  EXPECT(flash.bonds.empty());
  // Advertising had to stop for it.
  EXPECT(lock.isAdvertising());
}

TEST(theFourthOwnerPutsOutTheFirst) {
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
  EXPECT_EQUAL(lock.newLines(), Lines{"Pairing window open for 60 s"});
  EXPECT_EQUAL(settings(lock), kPairable);
  lock.press(6 * kSecond);
  EXPECT_EQUAL(lock.newLines(), Lines{"Clearing bonds", "Pairing window closed"});
  EXPECT_EQUAL(lock.disconnections(), std::vector<uint16_t>{0});
  EXPECT(!lock.isAdvertising());
  lock.disconnect(0, 1);
  EXPECT_EQUAL(lock.newLines(), Lines{"Client disconnected - start advertising", "Bonds cleared"});
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
  EXPECT_EQUAL(lock.count(CFC_ADVERTISING_START), 0u);  // It went on for the next client.
  for (uint16_t handle = 0; handle < 3; handle++) lock.connect(handle, 1);
  lock.messages.clear();
  lock.disconnect(2, 1);
  EXPECT_EQUAL(lock.lines().back(), std::string("Client disconnected - start advertising"));
  lock.run(kSecond);
  EXPECT_EQUAL(lock.count(CFC_ADVERTISING_START), 1u);
}

TEST(thePowerMayGoAtAnyTime) {
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

TEST(numbersAreNotComparedByALockWithoutKeys) {
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
