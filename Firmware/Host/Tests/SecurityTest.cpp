#include <cstring>

#include "Board.h"
#include "Testing.h"

namespace {

using Lines = std::vector<std::string>;

cfc_address address(uint8_t last) { return {1, {last, 5, 4, 3, 2, 0xc1}, 0}; }

cfc_connection connection(uint8_t security = 0, uint8_t keySize = 0) {
  cfc_connection connection = {};
  connection.handle = 1;
  connection.mtu = 23;
  connection.security = security;
  connection.key_size = keySize;
  connection.peer_over_the_air = address(1);
  connection.peer_identity = address(security != 0 ? 9 : 1);
  return connection;
}

/// The sketch with one client, after its earlier messages were removed.
struct Paired : Board {
  std::vector<cfc_passkey_answer> answers;
  cfc_bonds bonds = {};
  std::vector<cfc_record> subscriptions;
  std::vector<cfc_record> features;
  int32_t result = 0;

  Paired() : Board("Security") {
    answer = [this](const Message& call, Bytes& more) -> int32_t {
      switch (call.type) {
        case CFC_PASSKEY_ANSWER:
          answers.push_back(call.as<cfc_passkey_answer>());
          return result;
        case CFC_BONDS:
          more.assign(reinterpret_cast<uint8_t*>(&bonds),
                      reinterpret_cast<uint8_t*>(&bonds) + sizeof bonds);
          return 0;
        case CFC_DELETE_BOND:
          if (result == 0) bonds.count--;
          return result;
        case CFC_START_SECURITY:
        case CFC_DELETE_RECORDS:
          return result;
        case CFC_RECORD: {
          const auto query = call.as<cfc_record_query>();
          const auto& list = query.type == CFC_RECORD_FEATURES ? features : subscriptions;
          if (query.index >= list.size()) return 5;
          const cfc_record& record = list[query.index];
          more.assign(reinterpret_cast<const uint8_t*>(&record),
                      reinterpret_cast<const uint8_t*>(&record) + sizeof record);
          return 0;
        }
        case CFC_OWN_ADDRESS_TYPE:
          more = {1, 6, 5, 4, 3, 2, 0xc1, 0};
          return result;
        default:
          return defaultAnswer(call, more);
      }
    };
    run(kSecond / 10);
    event(CFC_BLE_CONNECTED, connection());
  }
  void event(uint16_t type, cfc_connection of, int32_t value = 0, uint32_t detail = 0) {
    send(type, cfc_connection_event{1, value, of, detail});
    run(kSecond / 50);
  }
  std::string told(const std::string& command) {
    sendSerial(command);
    run(kSecond / 10);
    return lines().back();
  }
};

}  // namespace

TEST(securityStartsWithTheLibrarysDefaults) {
  Board board("Security");
  board.run(kSecond / 10);
  std::vector<Message> settings = board.received(CFC_SECURITY);
  EXPECT_EQUAL(settings.size(), 2u);
  EXPECT_EQUAL(settings.back().payload, Bytes{3, 0, 0, 0, 3, 3, 0, 3, 8, 3, 1, 0, 12, 0, 0, 1});
  EXPECT(settings.back().time <= board.received(CFC_BLE_INIT)[0].time);
}

TEST(settingsAreSentToTheBoard) {
  Paired board;
  board.messages.clear();
  board.sendSerial("a");
  board.run(kSecond / 10);
  std::vector<Message> settings = board.received(CFC_SECURITY);
  EXPECT_EQUAL(settings.size(), 5u);
  EXPECT_EQUAL(settings[0].payload, Bytes{3, 1, 1, 1, 3, 3, 0, 3, 8, 3, 1, 0, 12, 0, 0, 1});
  EXPECT_EQUAL(settings.back().payload, Bytes{0, 1, 0, 1, 1, 2, 0, 3, 8, 3, 1, 0, 12, 0, 0, 1});
}

TEST(thePasskeyCallbackRunsOnlyWithTheDefaultPasskey) {
  Paired board;
  board.event(CFC_BLE_PASSKEY_ACTION, connection(), 0, CFC_PASSKEY_DISPLAY);
  EXPECT_EQUAL(board.lines().back(), std::string("display"));
  EXPECT_EQUAL(board.told("p"), std::string("passkey 777777"));
  board.event(CFC_BLE_PASSKEY_ACTION, connection(), 0, CFC_PASSKEY_DISPLAY);
  EXPECT_EQUAL(board.lines().back(), std::string("passkey 777777"));
  EXPECT_EQUAL(board.answers.size(), 2u);
  EXPECT_EQUAL(board.answers[0].connection, 1u);
  EXPECT_EQUAL(board.answers[0].action, unsigned{CFC_PASSKEY_DISPLAY});
  EXPECT_EQUAL(board.answers[0].value, 654321u);
  EXPECT_EQUAL(board.answers[1].value, 777777u);
}

TEST(theSketchEntersPasskeysAndComparesNumbers) {
  Paired board;
  board.event(CFC_BLE_PASSKEY_ACTION, connection(), 0, CFC_PASSKEY_INPUT);
  board.event(CFC_BLE_PASSKEY_ACTION, connection(), 41, CFC_PASSKEY_COMPARE);
  board.result = 3;
  board.event(CFC_BLE_PASSKEY_ACTION, connection(), 1, CFC_PASSKEY_COMPARE);
  board.event(CFC_BLE_PASSKEY_ACTION, connection(), 0, CFC_PASSKEY_OUT_OF_BAND);
  EXPECT_EQUAL(board.lines(), Lines{"entry 1", "confirm 000041 1", "confirm 000001 0"});
  EXPECT_EQUAL(board.answers.size(), 3u);
  EXPECT_EQUAL(board.answers[0].action, unsigned{CFC_PASSKEY_INPUT});
  EXPECT_EQUAL(board.answers[0].value, 1234u);
  EXPECT_EQUAL(board.answers[1].action, unsigned{CFC_PASSKEY_COMPARE});
  EXPECT_EQUAL(board.answers[1].value, 1u);
  EXPECT_EQUAL(board.answers[2].value, 0u);
}

TEST(connInfoHasTheSecurityOfTheConnection) {
  Paired board;
  cfc_connection encrypted = connection(CFC_LINK_ENCRYPTED, 16);
  cfc_connection bonded =
      connection(CFC_LINK_ENCRYPTED | CFC_LINK_AUTHENTICATED | CFC_LINK_BONDED, 16);
  cfc_gatt_event write = {2, 1, 16, 0, 0};
  board.event(CFC_BLE_ENCRYPTION, connection(), 0x504);
  board.event(CFC_BLE_LINK_STATE, encrypted);
  board.send(CFC_GATT_WRITE, write);
  board.run(kSecond / 50);
  board.event(CFC_BLE_IDENTITY, bonded);
  board.event(CFC_BLE_ENCRYPTION, bonded);
  EXPECT_EQUAL(
      board.lines(),
      Lines{"complete 1 encrypted 0 authenticated 0 bonded 0 key 0 identity c1:02:03:04:05:01",
            "write 1 encrypted 1 authenticated 0 bonded 0 key 16 identity c1:02:03:04:05:09",
            "identity 1 encrypted 1 authenticated 1 bonded 1 key 16 identity c1:02:03:04:05:09",
            "complete 1 encrypted 1 authenticated 1 bonded 1 key 16 identity c1:02:03:04:05:09"});
}

TEST(startSecurityRequestsSecurity) {
  Paired board;
  board.messages.clear();
  EXPECT_EQUAL(board.told("s"), std::string("start 1 0"));
  EXPECT_EQUAL(board.received(CFC_START_SECURITY)[0].as<cfc_number>().value, 1);
  board.result = 2;
  EXPECT_EQUAL(board.told("s"), std::string("start 1 2"));
  board.result = 7;
  EXPECT_EQUAL(board.told("s"), std::string("start 0 7"));
}

TEST(bondsAreListedAndDeleted) {
  Paired board;
  EXPECT_EQUAL(board.told("b"), std::string("bonded 0 0"));
  board.bonds = {3, {address(1), address(2), address(3)}};
  EXPECT_EQUAL(board.told("b"), std::string("bonded 1 0"));
  Lines lines = board.lines();
  EXPECT_EQUAL(lines[lines.size() - 2],
               std::string("bonds 3 first c1:02:03:04:05:01 none 00:00:00:00:00:00"));
  board.messages.clear();
  EXPECT_EQUAL(board.told("d"), std::string("deleted 1"));
  std::vector<Message> deleted = board.received(CFC_DELETE_BOND);
  EXPECT_EQUAL(deleted.size(), 3u);
  EXPECT_EQUAL(deleted[0].payload, Bytes{1, 3, 5, 4, 3, 2, 0xc1, 0});
  EXPECT_EQUAL(deleted[2].payload, Bytes{1, 1, 5, 4, 3, 2, 0xc1, 0});
}

TEST(deletingAllStopsAtABondThatCannotBeDeleted) {
  Paired board;
  board.bonds = {2, {address(1), address(2)}};
  board.result = 15;
  board.messages.clear();
  EXPECT_EQUAL(board.told("d"), std::string("deleted 0"));
  EXPECT_EQUAL(board.count(CFC_DELETE_BOND), 1u);
}

TEST(recordsAreListedAndDeleted) {
  Paired board;
  board.messages.clear();
  EXPECT_EQUAL(board.told("l"), std::string("listed 0 3"));
  board.subscriptions = {{address(1), 9, 2, 0}, {address(2), 18, 1, 1}};
  board.features = {{address(2), 0, 1, 0}, {address(3), 0, 5, 0}};
  board.messages.clear();
  board.told("l");
  EXPECT_EQUAL(board.lines(), Lines{"subscription c1:02:03:04:05:01 9 2 0",
                                    "subscription c1:02:03:04:05:02 18 1 1",
                                    "features c1:02:03:04:05:02 1", "listed 0 3"});
  EXPECT_EQUAL(board.told("f"), std::string("forgotten 0"));
  EXPECT_EQUAL(board.received(CFC_DELETE_RECORDS)[0].payload, Bytes{1, 2, 5, 4, 3, 2, 0xc1, 0});
}

TEST(privacyAdvertisesARandomAddress) {
  Paired board;
  board.messages.clear();
  EXPECT_EQUAL(board.told("r"), std::string("private 1 c1:02:03:04:05:06"));
  EXPECT_EQUAL(board.received(CFC_OWN_ADDRESS_TYPE)[0].as<cfc_number>().value, 2);
  std::vector<Message> starts = board.received(CFC_ADVERTISING_START);
  EXPECT_EQUAL(starts.size(), 1u);
  EXPECT_EQUAL(starts[0].as<cfc_advertising>().own_address_type, 1);
}
