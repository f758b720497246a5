#include "Board.h"
#include "Testing.h"

TEST(aStoredValueIsSetBeforeItIsNotified) {
  Board board("TraceCalculator");
  board.run(kSecond / 10);
  EXPECT_EQUAL(board.received(CFC_GATT_VALUE)[1].after<cfc_gatt_value>(), Bytes{0});
  cfc_connection_event connected = {};
  connected.connection.mtu = 23;
  board.send(CFC_BLE_CONNECTED, connected);
  board.run(kSecond / 10);
  board.messages.clear();
  board.send(CFC_GATT_WRITE, cfc_gatt_event{0, 0, 16, 0, 0}, Bytes{9, 6, 2});
  board.run(kSecond / 10);
  std::vector<uint16_t> types;
  for (const Message& message : board.messages) types.push_back(message.type);
  EXPECT_EQUAL(types, std::vector<uint16_t>{CFC_GATT_VALUE, CFC_GATT_NOTIFY, CFC_CALLBACK_DONE});
  EXPECT_EQUAL(board.messages[0].after<cfc_gatt_value>(), Bytes{0x36});
  EXPECT_EQUAL(board.messages[1].as<cfc_gatt_notify>().connection, CFC_NO_CONNECTION);
  EXPECT_EQUAL(board.messages[1].as<cfc_gatt_notify>().has_value, 0);
}
