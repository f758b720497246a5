// The calculator's sketch on a test board: its wiring and its console.
#include <cstring>

#include "Board.h"
#include "Testing.h"

namespace {

using Lines = std::vector<std::string>;

constexpr uint16_t kInput = 16, kOutput = 18;

/// The calculator, after setup().
struct Calculator : Board {
  Calculator() : Board("Calculator") { run(kSecond / 10); }

  void connectionEvent(uint16_t type, uint16_t handle, int32_t value = 0) {
    cfc_connection_event event = {};
    event.value = value;
    event.connection.handle = handle;
    event.connection.mtu = 23;
    send(type, event);
    run(kSecond / 10);
  }
  void connect(uint16_t handle) { connectionEvent(CFC_BLE_CONNECTED, handle); }
  void disconnect(uint16_t handle) { connectionEvent(CFC_BLE_DISCONNECTED, handle, 0x213); }
  void subscribe(uint16_t handle, int32_t value = 1) {
    send(CFC_GATT_SUBSCRIBE, cfc_gatt_event{0, handle, kOutput, value, 0});
    run(kSecond / 10);
  }
  /// Writes a request and returns the notifications, as "connection: byte".
  Lines ask(uint16_t handle, const Bytes& request) {
    messages.clear();
    send(CFC_GATT_WRITE, cfc_gatt_event{0, handle, kInput, 0, 0}, request);
    run(kSecond / 10);
    Lines sent;
    for (const Message& message : received(CFC_GATT_NOTIFY)) {
      sent.push_back(std::to_string(message.as<cfc_gatt_notify>().connection) + ": " +
                     std::to_string(message.after<cfc_gatt_notify>()[0]));
    }
    return sent;
  }
  /// The value that a client reads from the output characteristic.
  Bytes read(uint16_t handle) {
    send(CFC_GATT_READ, cfc_gatt_event{0, handle, kOutput, 0, 0});
    run(kSecond / 10);
    return received(CFC_GATT_VALUE).back().after<cfc_gatt_value>();
  }
};

}  // namespace

TEST(theCalculatorAdvertisesUUIDAndName) {
  Calculator board;
  EXPECT_EQUAL(board.lines(),
               Lines{"Begin Setup BLE Service and Characteristics", "BLE Service is advertising"});
  EXPECT_EQUAL(board.received(CFC_ADVERTISING_DATA)[0].payload.size(), 21u);
  EXPECT_EQUAL(board.received(CFC_ADVERTISING_DATA)[0].payload[4], 7);
  Bytes name = board.received(CFC_SCAN_RESPONSE_DATA)[0].payload;
  EXPECT_EQUAL(std::string(name.begin() + 2, name.end()), std::string("Test Peripheral"));
}

TEST(theCalculatorAnswers) {
  Calculator board;
  board.connect(0);
  EXPECT_EQUAL(board.lines().back(), std::string("BLE Client Connected"));
  board.subscribe(0);
  EXPECT_EQUAL(board.ask(0, {9, 6, 2}), Lines{"0: 54"});
  EXPECT_EQUAL(board.lines(), Lines{"Multiplying:   09 06", "Sending response:   36"});
  EXPECT_EQUAL(board.ask(0, {5, 3, 0}), Lines{"0: 8"});
  EXPECT_EQUAL(board.lines(), Lines{"Adding:   05 03", "Sending response:   08"});
  EXPECT_EQUAL(board.ask(0, {2, 9, 1}), Lines{"0: 249"});
  EXPECT_EQUAL(board.lines(), Lines{"Subtracting:   02 09", "Sending response:   f9"});
}

TEST(theCalculatorIgnoresMalformedRequests) {
  Calculator board;
  board.connect(0);
  board.subscribe(0);
  board.ask(0, {9, 6, 2});
  EXPECT_EQUAL(board.ask(0, {1, 2, 3}), Lines{});
  EXPECT_EQUAL(board.lines(), Lines{"Ignoring unknown operation 03"});
  EXPECT_EQUAL(board.ask(0, {1, 2}), Lines{});
  EXPECT_EQUAL(board.lines(), Lines{"Ignoring malformed request (2 bytes)"});
  EXPECT_EQUAL(board.ask(0, {}), Lines{});
  EXPECT_EQUAL(board.lines(), Lines{"Ignoring malformed request (0 bytes)"});
  EXPECT_EQUAL(board.read(0), Bytes{0x36});
}

TEST(theCalculatorServesClientsIndependently) {
  Calculator board;
  for (uint16_t handle : {0, 1, 2}) board.connect(handle);
  board.subscribe(0);
  board.subscribe(1);
  EXPECT_EQUAL(board.ask(1, {1, 1, 0}), Lines{"1: 2"});
  EXPECT_EQUAL(board.ask(0, {3, 3, 0}), Lines{"0: 6"});
  EXPECT_EQUAL(board.ask(2, {4, 4, 0}), Lines{});
  EXPECT_EQUAL(board.read(0), Bytes{6});
  EXPECT_EQUAL(board.read(1), Bytes{2});
  EXPECT_EQUAL(board.read(2), Bytes{8});
  board.subscribe(1, 0);
  EXPECT_EQUAL(board.ask(1, {1, 1, 0}), Lines{});
}

TEST(theCalculatorAdvertisesWhileAConnectionIsFree) {
  Calculator board;
  board.messages.clear();
  for (uint16_t handle : {0, 1, 2}) board.connect(handle);
  EXPECT_EQUAL(board.count(CFC_ADVERTISING_START), 2u);
  board.messages.clear();
  board.disconnect(1);
  std::vector<uint16_t> types;
  for (const Message& message : board.messages) types.push_back(message.type);
  // Advertising first, then the console line.
  EXPECT_EQUAL(types,
               std::vector<uint16_t>{CFC_ADVERTISING_START, CFC_SERIAL_OUTPUT, CFC_CALLBACK_DONE});
  EXPECT_EQUAL(board.lines(), Lines{"BLE Client Disconnected"});
}
