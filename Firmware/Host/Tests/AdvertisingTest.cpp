#include <cstdio>

#include "Board.h"
#include "Testing.h"

namespace {

using Lines = std::vector<std::string>;

std::string hex(const Bytes& bytes) {
  std::string text;
  char two[3];
  for (uint8_t byte : bytes) {
    snprintf(two, sizeof two, "%02x", byte);
    text += two;
  }
  return text;
}

/// A board whose sketch starts the selected advertising.
struct Advertiser : Board {
  explicit Advertiser(const std::string& how) : Board("Advertising") {
    run(kSecond / 10);
    messages.clear();
    tell(how);
  }
  void tell(const std::string& how) {
    sendSerial(how + "\n");
    run(kSecond / 10);
  }
  std::string advertisement() const { return last(CFC_ADVERTISING_DATA); }
  std::string scanResponse() const { return last(CFC_SCAN_RESPONSE_DATA); }
  std::string last(uint16_t type) const {
    std::vector<Message> all = received(type);
    return all.empty() ? "none" : hex(all.back().payload);
  }
};

const std::string kFlags = "020106";
const std::string kName = "1009" + std::string("54657374205065726970686572616c");
const std::string kUUID = "1107" + std::string("79500a0a8da0a894b744c32fc1fcc0eb");
const Lines kStarted = {"start true", "again true", "advertising true"};

Lines withStart(Lines lines) {
  lines.insert(lines.end(), kStarted.begin(), kStarted.end());
  return lines;
}

}  // namespace

TEST(initStartsTheDevice) {
  Board board("Advertising");
  board.run(kSecond / 10);
  EXPECT_EQUAL(board.lines(),
               Lines{"before init false", "init true", "24:0a:c4:01:02:05", "mtu 22 false",
                     "mtu 100 true", "power 8 true", "power 12 false", "power 9 3"});
  EXPECT_EQUAL(hex(board.received(CFC_BLE_NAME)[0].payload), std::string("41647665727469736572"));
  EXPECT_EQUAL(board.received(CFC_BLE_PREFERRED_MTU)[0].as<cfc_number>().value, 100);
  EXPECT_EQUAL(board.received(CFC_BLE_TX_POWER)[0].as<cfc_tx_power>().advertising, 9);
}

// The recorded bytes of nimble-hci-init.jsonl: LE Set Advertising Data and Scan Response Data.
TEST(advertisingDataEqualsTheRecording) {
  Advertiser board("recorded");
  EXPECT_EQUAL(board.advertisement(), kFlags + kName);
  EXPECT_EQUAL(board.scanResponse(), kUUID);
  auto start = board.received(CFC_ADVERTISING_START)[0].as<cfc_advertising>();
  EXPECT_EQUAL(start.connectable_mode, 2);
  EXPECT_EQUAL(start.discoverable_mode, 2);
  EXPECT_EQUAL(start.duration_ms, 0u);
  EXPECT_EQUAL(board.count(CFC_ADVERTISING_START), 1u);
}

TEST(theScanResponseIsOffByDefault) {
  Advertiser board("overflow");
  EXPECT_EQUAL(board.lines(), withStart({"uuid true"}));
  EXPECT_EQUAL(board.advertisement(), kFlags + kName);
  EXPECT_EQUAL(board.scanResponse(), std::string("none"));
}

TEST(shortUUIDsShareAList) {
  Advertiser board("short");
  EXPECT_EQUAL(board.advertisement(), kFlags + "05030d183412" + "050578563412");
}

TEST(longNamesAreShortened) {
  Advertiser board("long");
  EXPECT_EQUAL(board.lines(), withStart({"29 true", "30 true"}));
  EXPECT_EQUAL(board.scanResponse().substr(0, 4), std::string("1e08"));
  EXPECT_EQUAL(board.scanResponse().size(), 62u);
  EXPECT_EQUAL(Advertiser("too long").lines(), withStart({"26 false"}));
}

TEST(everyStructureIsEncoded) {
  Advertiser board("everything");
  EXPECT_EQUAL(board.lines(), withStart({"appearance true", "preferred true", "power true",
                                         "manufacturer true", "uri true", "data true"}));
  EXPECT_EQUAL(board.advertisement(),
               kFlags + "03194103" + "05120600800c" + "020a09" + "05ff60006162" + "0524162f2f78");
}

TEST(customDataIsSentAtOnce) {
  Advertiser board("custom");
  EXPECT_EQUAL(board.lines(), withStart({"set true", "02 01 05 03 08 61 62 05 03 11 11 22 22"}));
  EXPECT_EQUAL(board.advertisement(), std::string("02010503086162050311112222"));
  EXPECT_EQUAL(board.count(CFC_ADVERTISING_DATA), 1u);
}

TEST(parametersAreSentToTheBoard) {
  Advertiser board("hidden");
  auto start = board.received(CFC_ADVERTISING_START)[0].as<cfc_advertising>();
  EXPECT_EQUAL(start.connectable_mode, 0);
  EXPECT_EQUAL(start.discoverable_mode, 0);
  EXPECT_EQUAL(start.interval_minimum, 160);
  EXPECT_EQUAL(start.interval_maximum, 320);
}

TEST(advertisingStopsOnRequestAndAfterItsDuration) {
  Advertiser board("timed");
  EXPECT_EQUAL(board.received(CFC_ADVERTISING_START)[0].as<cfc_advertising>().duration_ms, 1500u);
  board.send(CFC_BLE_ADVERTISING_COMPLETE, cfc_ble_event{7, 13});
  board.run(kSecond / 10);
  EXPECT_EQUAL(board.lines().back(), std::string("complete, advertising false"));
  EXPECT_EQUAL(board.messages.back().type, static_cast<uint16_t>(CFC_CALLBACK_DONE));
  EXPECT_EQUAL(board.messages.back().as<cfc_callback_done>().token, 7u);
  board.tell("name");
  board.tell("stop");
  EXPECT_EQUAL(board.lines().back(), std::string("advertising false"));
  EXPECT_EQUAL(board.messages[board.messages.size() - 2].type,
               static_cast<uint16_t>(CFC_ADVERTISING_STOP));
}

TEST(aRefusedStartIsReported) {
  Board board("Advertising");
  board.run(kSecond / 10);
  board.messages.clear();
  board.answer = [](const Message& call, Bytes&) {
    return call.type == CFC_ADVERTISING_START ? 6 : 0;
  };
  board.sendSerial("name\n");
  board.run(kSecond / 10);
  EXPECT_EQUAL(board.lines(),
               Lines{"name true", "start false", "again false", "advertising false"});
}
