#include "Board.h"
#include "Testing.h"

TEST(theRecordedLockRequestsSecurityAndAcceptsTwoValues) {
  Board board("TraceLock");
  board.run(kSecond / 10);
  EXPECT_EQUAL(board.received(CFC_SECURITY).back().payload,
               Bytes{0, 1, 1, 1, 3, 3, 0, 3, 8, 3, 1, 0, 12, 0, 0, 1});
  EXPECT_EQUAL(board.received(CFC_GATT_VALUE)[1].after<cfc_gatt_value>(), Bytes{'0'});
  // As in the recording: the UUID and the name do not fit together.
  EXPECT_EQUAL(board.received(CFC_ADVERTISING_DATA)[0].payload.size(), 20u);
  EXPECT_EQUAL(board.received(CFC_SCAN_RESPONSE_DATA)[0].payload.size(), 18u);
  cfc_connection_event connected = {};
  connected.connection.mtu = 23;
  board.send(CFC_BLE_CONNECTED, connected);
  board.send(CFC_BLE_PASSKEY_ACTION, cfc_connection_event{0, 0, {}, CFC_PASSKEY_DISPLAY});
  board.run(kSecond / 10);
  EXPECT_EQUAL(board.received(CFC_PASSKEY_ANSWER)[0].as<cfc_passkey_answer>().value, 123456u);
  board.messages.clear();
  for (const char* text : {"ON", "maybe", "OFF"}) {
    std::string word = text;
    board.send(CFC_GATT_WRITE, cfc_gatt_event{0, 0, 16, 0, 0}, Bytes(word.begin(), word.end()));
  }
  board.run(kSecond / 10);
  std::vector<Message> values = board.received(CFC_GATT_VALUE);
  EXPECT_EQUAL(values.size(), 2u);
  EXPECT_EQUAL(values[0].after<cfc_gatt_value>(), Bytes{'O', 'N'});
  EXPECT_EQUAL(values[1].after<cfc_gatt_value>(), Bytes{'O', 'F', 'F'});
  EXPECT_EQUAL(board.count(CFC_GATT_NOTIFY), 2u);
}
