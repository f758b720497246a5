#include <cstring>

#include "Board.h"
#include "Testing.h"

namespace {

using Lines = std::vector<std::string>;

constexpr uint16_t kFull = 18, kNote = 20;

cfc_connection connection(uint16_t handle) {
  cfc_connection connection = {};
  connection.handle = handle;
  connection.interval = 24;
  connection.timeout = 100;
  connection.mtu = 23;
  const uint8_t address[6] = {static_cast<uint8_t>(handle), 5, 4, 3, 2, 0xc1};
  connection.peer_over_the_air.type = 1;
  memcpy(connection.peer_over_the_air.bytes, address, sizeof address);
  connection.peer_identity = connection.peer_over_the_air;
  return connection;
}

/// A running server after its setup messages were removed.
struct Server : Board {
  Server() : Board("Bluetooth") {
    run(kSecond / 10);
    messages.clear();
  }
  void connectionEvent(uint16_t type, cfc_connection of, int32_t value = 0) {
    send(type, cfc_connection_event{1, value, of, 0});
    run(kSecond / 100);
  }
  void connect(uint16_t handle) { connectionEvent(CFC_BLE_CONNECTED, connection(handle)); }
  void write(const std::string& value, uint16_t handle = 1, uint16_t attribute = kFull) {
    send(CFC_GATT_WRITE, cfc_gatt_event{2, handle, attribute, 0, 0},
         Bytes(value.begin(), value.end()));
    run(kSecond / 100);
  }
  /// The types of the messages other than console output.
  std::vector<uint16_t> types() const {
    std::vector<uint16_t> types;
    for (const Message& message : messages) {
      if (message.type != CFC_SERIAL_OUTPUT) types.push_back(message.type);
    }
    return types;
  }
};

std::string text(const Bytes& bytes) { return std::string(bytes.begin(), bytes.end()); }

}  // namespace

TEST(theDatabaseIsRegistered) {
  Board board("Bluetooth");
  board.run(kSecond / 10);
  std::vector<Message> calls = board.received(CFC_GATT_REGISTER);
  EXPECT_EQUAL(calls.size(), 1u);
  EXPECT_EQUAL(calls[0].as<cfc_gatt_register>().count, 5u);
  cfc_attribute table[5];
  Bytes bytes = calls[0].after<cfc_gatt_register>();
  EXPECT_EQUAL(bytes.size(), sizeof table);
  memcpy(table, bytes.data(), sizeof table);
  const uint8_t kinds[] = {CFC_SERVICE, CFC_CHARACTERISTIC, CFC_CHARACTERISTIC, CFC_DESCRIPTOR,
                           CFC_DESCRIPTOR};
  const uint16_t properties[] = {0, 0x02, 0x1a, 0x03, 0x01};
  const uint16_t lengths[] = {0, 20, 512, 10, 7};
  const uint8_t uuidLengths[] = {2, 2, 16, 2, 2};
  for (int i = 0; i < 5; i++) {
    EXPECT_EQUAL(table[i].kind, kinds[i]);
    EXPECT_EQUAL(table[i].properties, properties[i]);
    EXPECT_EQUAL(table[i].maximum_length, lengths[i]);
    EXPECT_EQUAL(table[i].uuid_length, uuidLengths[i]);
  }
  EXPECT_EQUAL(table[2].uuid[0], 0x79);
  EXPECT_EQUAL(table[2].uuid[15], 0xeb);
  EXPECT_EQUAL(board.lines()[6], std::string("handles 000e 0010 0012 0014"));
  EXPECT_EQUAL(board.lines()[7],
               std::string("UUID: ebc0fcc1-2fc3-44b7-94a8-a08d0a0a5079, handle : 0x0012 Read "
                           "Write Notify "));
}

TEST(valuesAreStoredLikeNimBLE) {
  Board board("Bluetooth");
  board.run(kSecond / 10);
  Lines lines = board.lines();
  lines.resize(6);
  EXPECT_EQUAL(lines, Lines{"struct 3 1 302", "number 11223344, too short 0", "vector 9 0",
                            "arduino", "too long 0", "start 1"});
}

TEST(valuesAndCallbacksAreSentToTheBoard) {
  Board board("Bluetooth");
  board.run(kSecond / 10);
  std::vector<Message> values = board.received(CFC_GATT_VALUE);
  EXPECT_EQUAL(values.size(), 4u);
  EXPECT_EQUAL(values[2].as<cfc_gatt_value>().attribute, kNote);
  EXPECT_EQUAL(text(values[2].after<cfc_gatt_value>()), std::string("a note"));
  EXPECT_EQUAL(values[3].after<cfc_gatt_value>(), Bytes{25, 0, 0, 0x27, 1, 0, 0});
  std::vector<Message> callbacks = board.received(CFC_GATT_CALLBACKS);
  const uint16_t masks[] = {0, 15, CFC_ON_WRITE, 0};
  EXPECT_EQUAL(callbacks.size(), 4u);
  for (size_t i = 0; i < 4; i++) {
    EXPECT_EQUAL(callbacks[i].as<cfc_gatt_callbacks>().mask, masks[i]);
  }
}

TEST(connectionsAreTracked) {
  Server board;
  board.connect(1);
  board.connect(4);
  EXPECT_EQUAL(board.lines(), Lines{"connected 1 c1:02:03:04:05:01 mtu 23 interval 24 count 1",
                                    "connected 4 c1:02:03:04:05:04 mtu 23 interval 24 count 2"});
  board.messages.clear();
  cfc_connection wider = connection(4);
  wider.mtu = 255;
  board.connectionEvent(CFC_BLE_MTU, wider, 255);
  wider.interval = 12;
  wider.latency = 2;
  board.connectionEvent(CFC_BLE_CONNECTION_PARAMETERS, wider);
  board.run(kSecond);
  EXPECT_EQUAL(board.lines(),
               Lines{"mtu 4 255", "parameters 12 2 100", "peer 1 mtu 23", "peer 4 mtu 255"});
}

TEST(theHostHasALinkBeforeTheServer) {
  Server board;
  board.connectionEvent(CFC_BLE_LINK_STATE, connection(1));
  cfc_connection second = connection(4);
  board.connectionEvent(CFC_BLE_LINK_STATE, second);
  second.security = CFC_LINK_ENCRYPTED;
  board.connectionEvent(CFC_BLE_LINK_STATE, second);
  board.sendSerial("l");
  board.run(kSecond);
  EXPECT_EQUAL(board.lines(), Lines{"link 4 c1:02:03:04:05:04 interval 24 encrypted 1",
                                    "link 1 c1:02:03:04:05:01 interval 24 encrypted 0",
                                    "links 2 count 0 advertising 0 unknown 7"});
  board.messages.clear();
  board.connectionEvent(CFC_BLE_CONNECTED, connection(1));
  board.connectionEvent(CFC_BLE_LINK_ENDED, second);
  board.sendSerial("l");
  board.run(kSecond);
  EXPECT_EQUAL(board.lines(),
               Lines{"connected 1 c1:02:03:04:05:01 mtu 23 interval 24 count 1", "peer 1 mtu 23",
                     "link 1 c1:02:03:04:05:01 interval 24 encrypted 0",
                     "links 1 count 1 advertising 0 unknown 7"});
  EXPECT_EQUAL(board.count(CFC_ADVERTISING_START), 0u);
}

TEST(aLinkCanBeDisconnectedBeforeOnConnect) {
  Server board;
  board.connectionEvent(CFC_BLE_LINK_STATE, connection(1));
  board.sendSerial("t");
  board.run(kSecond);
  EXPECT_EQUAL(board.lines(), Lines{"terminate 0 2 1 7"});
  EXPECT_EQUAL(board.count(CFC_DISCONNECT), 1u);
  EXPECT_EQUAL(board.received(CFC_DISCONNECT)[0].as<cfc_disconnect>().reason, 0x05);
}

TEST(advertisingResumesAfterADisconnect) {
  Server board;
  board.connect(1);
  EXPECT_EQUAL(board.count(CFC_ADVERTISING_START), 0u);
  board.connectionEvent(CFC_BLE_DISCONNECTED, connection(1), 0x213);
  EXPECT_EQUAL(board.lines().back(), std::string("disconnected 1 reason 531 count 0 mtu 0"));
  std::vector<uint16_t> types = board.types();
  EXPECT_EQUAL(types,
               std::vector<uint16_t>{CFC_CALLBACK_DONE, CFC_ADVERTISING_START, CFC_CALLBACK_DONE});
}

TEST(fullConnectionsPreventAdvertising) {
  Server board;
  board.connectionEvent(CFC_BLE_LINK_STATE, connection(1));
  for (uint16_t handle : {2, 3}) board.connect(handle);
  board.connectionEvent(CFC_BLE_DISCONNECTED, connection(3), 0x208);
  EXPECT_EQUAL(board.count(CFC_ADVERTISING_START), 1u);
  board.connect(3);
  board.connectionEvent(CFC_BLE_DISCONNECTED, connection(9), 0x208);
  EXPECT_EQUAL(board.count(CFC_ADVERTISING_START), 1u);
}

TEST(writesAndReadsReachTheSketch) {
  Server board;
  board.connect(1);
  board.messages.clear();
  board.write("hello");
  board.send(CFC_GATT_READ, cfc_gatt_event{3, 1, kFull, 0, 0});
  board.run(kSecond / 100);
  board.write("changed", 1, kNote);
  EXPECT_EQUAL(board.lines(),
               Lines{"write 0012 by 1: hello", "read 0012 by 1", "descriptor changed"});
  // The written value is not echoed; the value set by onRead arrives before the callback ends.
  EXPECT_EQUAL(board.types(), std::vector<uint16_t>{CFC_CALLBACK_DONE, CFC_GATT_VALUE,
                                                    CFC_CALLBACK_DONE, CFC_CALLBACK_DONE});
  EXPECT_EQUAL(text(board.received(CFC_GATT_VALUE)[0].after<cfc_gatt_value>()),
               std::string("read value"));
  EXPECT_EQUAL(board.received(CFC_CALLBACK_DONE)[1].as<cfc_callback_done>().token, 3u);
}

TEST(subscriptionsAndStatusReachTheSketch) {
  Server board;
  board.connect(1);
  board.messages.clear();
  board.send(CFC_GATT_SUBSCRIBE, cfc_gatt_event{1, 1, kFull, 3, 0});
  board.send(CFC_GATT_STATUS, cfc_gatt_event{1, 1, kFull, 14, 0});
  board.run(kSecond / 100);
  EXPECT_EQUAL(board.lines(), Lines{"subscribe 3 by 1", "status 14"});
}

TEST(notificationsCarryTheirParameters) {
  Server board;
  board.connect(1);
  board.connect(2);
  board.messages.clear();
  board.write("notify");
  // The host reports each value at once; without a connection no callback reports it.
  EXPECT_EQUAL(board.lines(), Lines{"write 0012 by 1: notify", "notify 1", "status 0", "status 0",
                                    "bytes 1", "status 0", "one 1", "nobody 0", "indicate 1"});
  std::vector<Message> sent = board.received(CFC_GATT_NOTIFY);
  const struct {
    uint16_t connection;
    uint8_t indicate, hasValue;
    const char* value;
  } expected[] = {{CFC_NO_CONNECTION, 0, 0, ""},
                  {1, 0, 1, "\1\2"},
                  {2, 0, 1, "\1\2"},
                  {1, 0, 1, "one"},
                  {CFC_NO_CONNECTION, 1, 0, ""}};
  EXPECT_EQUAL(sent.size(), 5u);
  for (size_t i = 0; i < sent.size() && i < 5; i++) {
    auto notify = sent[i].as<cfc_gatt_notify>();
    EXPECT_EQUAL(notify.attribute, kFull);
    EXPECT_EQUAL(notify.connection, expected[i].connection);
    EXPECT_EQUAL(notify.indicate, expected[i].indicate);
    EXPECT_EQUAL(notify.has_value, expected[i].hasValue);
    EXPECT_EQUAL(text(sent[i].after<cfc_gatt_notify>()), std::string(expected[i].value));
  }
}

TEST(notificationsBeyondTheFreeBlocksAreAskedFor) {
  Server board;
  board.connect(1);
  board.connect(2);
  board.messages.clear();
  board.answer = [](const Message& call, Bytes& more) -> int32_t {
    if (call.type != CFC_GATT_NOTIFY_CALL) return 0;
    more = Bytes(sizeof(cfc_number), 0);
    return 6;  // BLE_HS_ENOMEM
  };
  // Each notification takes two blocks: the first two are known to fit.
  board.send(CFC_TX_BLOCKS, cfc_number{5});
  board.write("notify");
  // For the last one, not even the value's buffer is free: the host is not called, and reports
  // nothing.
  EXPECT_EQUAL(board.lines(), Lines{"write 0012 by 1: notify", "notify 1", "status 0", "status 0",
                                    "bytes 1", "one 0", "nobody 0", "indicate 1"});
  std::vector<Message> asked = board.received(CFC_GATT_NOTIFY_CALL);
  EXPECT_EQUAL(asked.size(), 1u);
  EXPECT_EQUAL(text(asked[0].after<cfc_gatt_notify>()), std::string("one"));
}

TEST(blocksOfNotifications) {
  EXPECT_EQUAL(cfc_notification_blocks(0, 256), 2u);
  EXPECT_EQUAL(cfc_notification_blocks(219, 256), 2u);
  EXPECT_EQUAL(cfc_notification_blocks(220, 256), 3u);
  EXPECT_EQUAL(cfc_notification_blocks(459, 256), 3u);
  EXPECT_EQUAL(cfc_notification_blocks(460, 256), 4u);
}

TEST(connectionsAreDisconnectedAndUpdatedOnRequest) {
  Server board;
  board.connect(1);
  board.write("update");
  auto update = board.received(CFC_UPDATE_CONNECTION)[0].as<cfc_update_connection>();
  EXPECT_EQUAL(update.interval_minimum, 12);
  EXPECT_EQUAL(update.interval_maximum, 24);
  EXPECT_EQUAL(update.latency, 1);
  EXPECT_EQUAL(update.timeout, 200);
  board.write("drop");
  auto disconnect = board.received(CFC_DISCONNECT)[0].as<cfc_disconnect>();
  EXPECT_EQUAL(disconnect.connection, 1);
  EXPECT_EQUAL(disconnect.reason, 0x13);
}

TEST(callbacksDoNotNest) {
  Server board;
  board.connect(1);
  board.messages.clear();
  board.write("slow");
  EXPECT_EQUAL(board.count(CFC_CALLBACK_DONE), 0u);
  board.write("next");
  EXPECT_EQUAL(board.lines(), Lines{"write 0012 by 1: slow"});
  board.run(kSecond / 5);
  EXPECT_EQUAL(board.lines(), Lines{"write 0012 by 1: slow", "slow done", "write 0012 by 1: next"});
}

TEST(aCrashInACallbackIsReported) {
  Server board;
  board.connect(1);
  board.write("crash");
  EXPECT_EQUAL(board.status, static_cast<uint32_t>(CFC_CRASHED));
  EXPECT(functionAt("Bluetooth", board.fault().pc).find("onWrite") != std::string::npos);
}

TEST(unexpectedEventsAreIgnored) {
  Server board;
  board.write("nobody is connected", 9, 999);
  board.send(CFC_GATT_READ, Bytes{1, 2, 3});
  board.send(0xffff, Bytes{});
  board.send(CFC_BLE_CONNECTED, Bytes{});
  board.run(kSecond);
  EXPECT(!board.ended);
}

TEST(aLongBatchDoesNotOverflow) {
  Server board;
  board.connect(1);
  board.messages.clear();
  const std::string value(400, 'x');
  for (int i = 0; i < 100; i++) {
    board.send(CFC_GATT_WRITE, cfc_gatt_event{2, 1, kFull, 0, 0},
               Bytes(value.begin(), value.end()));
  }
  board.run(10 * kSecond);
  EXPECT_EQUAL(board.lines().size() > 100, true);
  EXPECT_EQUAL(board.count(CFC_CALLBACK_DONE), 100u);
}
