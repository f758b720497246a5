// The bridge's buffers, counters and client, without a board.
#include <memory>
#include <vector>

#include "Bridge.h"
#include "Client.h"
#include "Testing.h"

namespace {

using Bytes = std::vector<uint8_t>;

/// First numbers near the end of 32 bits: everything has to hold there, too.
const uint32_t kFirsts[] = {0, 0xffffffff, 0xfffff000, 0x7ffffff0};

uint32_t number(const uint8_t* from) {
  return from[0] | from[1] << 8 | from[2] << 16 | static_cast<uint32_t>(from[3]) << 24;
}

struct Status {
  uint32_t sent, capacity, lostFromClient, lostFromUART, baudRate;
};

Status statusOf(const Bridge& bridge) {
  uint8_t bytes[Bridge::kStatusSize];
  bridge.status(bytes);
  return {number(bytes), number(bytes + 4), number(bytes + 8), number(bytes + 12),
          number(bytes + 16)};
}

struct Position {
  uint32_t boot, accepted, keptFrom;
};

Position positionOf(const Bridge& bridge) {
  uint8_t bytes[Bridge::kPositionSize];
  bridge.position(bytes);
  return {number(bytes), number(bytes + 4), number(bytes + 8)};
}

void acknowledge(Bridge& bridge, uint32_t received) {
  const uint8_t bytes[] = {static_cast<uint8_t>(received), static_cast<uint8_t>(received >> 8),
                           static_cast<uint8_t>(received >> 16),
                           static_cast<uint8_t>(received >> 24)};
  bridge.acknowledge(bytes, sizeof bytes);
}

/// The byte of this number in each stream.
uint8_t byteAt(uint32_t number) { return static_cast<uint8_t>(number * 7 + (number >> 8)); }

Bytes stream(uint32_t first, size_t count) {
  Bytes bytes(count);
  for (size_t i = 0; i < count; i++) bytes[i] = byteAt(first + static_cast<uint32_t>(i));
  return bytes;
}

void receiveFromUART(Bridge& bridge, uint32_t first, size_t count) {
  bridge.receiveFromUART(stream(first, count).data(), count, 0);
}

/// Sends all that waits, in notifications of at most 244 bytes.
Bytes sendToClient(Bridge& bridge, size_t limit = kCapacity) {
  Bytes sent;
  uint8_t piece[244];
  while (size_t count =
             bridge.peekForClient(piece, std::min(sizeof piece, limit - sent.size()), 1000)) {
    sent.insert(sent.end(), piece, piece + count);
    bridge.sentToClient(count, 0);
  }
  return sent;
}

}  // namespace

TEST(bridgeKeepsTheOrderOverTheEndOfItsBuffers) {
  for (uint32_t first : kFirsts) {
    auto bridge = std::make_unique<Bridge>(first);
    size_t in = 0, out = 0;
    uint8_t piece[300];
    while (out < 100000) {
      const size_t more = 1 + in % 299;
      if (more <= bridge->roomForUART()) {
        receiveFromUART(*bridge, first + static_cast<uint32_t>(in), more);
        in += more;
      }
      const size_t count = bridge->peekForClient(piece, 1 + out % 250, 100);
      EXPECT_EQUAL(Bytes(piece, piece + count), stream(first + static_cast<uint32_t>(out), count));
      bridge->sentToClient(count, 0);
      out += count;
    }
    EXPECT_EQUAL(bridge->lostFromUART(), 0u);
    EXPECT_EQUAL(positionOf(*bridge).keptFrom, first + static_cast<uint32_t>(out));
  }
}

TEST(bridgeSendsAgainWhatWasNotAcknowledged) {
  for (uint32_t first : kFirsts) {
    auto bridge = std::make_unique<Bridge>(first);
    bridge->beginConnection();
    acknowledge(*bridge, first);
    receiveFromUART(*bridge, first, 3000);
    EXPECT_EQUAL(sendToClient(*bridge), stream(first, 3000));
    acknowledge(*bridge, first + 1000);
    EXPECT_EQUAL(positionOf(*bridge).keptFrom, first + 1000);
    receiveFromUART(*bridge, first + 3000, 100);
    bridge->beginConnection();
    EXPECT_EQUAL(positionOf(*bridge).keptFrom, first + 1000);
    acknowledge(*bridge, first + 1000);
    EXPECT_EQUAL(sendToClient(*bridge), stream(first + 1000, 2100));
    EXPECT_EQUAL(sendToClient(*bridge).size(), 0u);
    acknowledge(*bridge, first + 3100);
    EXPECT_EQUAL(positionOf(*bridge).keptFrom, first + 3100);
    EXPECT_EQUAL(bridge->roomForUART(), 8192u);
  }
}

TEST(bridgeDoesNotSendAgainWhatAClientSaysThatItHas) {
  for (uint32_t first : kFirsts) {
    auto bridge = std::make_unique<Bridge>(first);
    bridge->beginConnection();
    acknowledge(*bridge, first);
    receiveFromUART(*bridge, first, 3000);
    EXPECT_EQUAL(sendToClient(*bridge, 2000).size(), 2000u);
    // Its acknowledgement is lost with the link; in between another sends only a part again.
    bridge->beginConnection();
    acknowledge(*bridge, first);
    EXPECT_EQUAL(sendToClient(*bridge, 500).size(), 500u);
    bridge->beginConnection();
    acknowledge(*bridge, first + 2001);  // The bridge never sent this number.
    EXPECT_EQUAL(positionOf(*bridge).keptFrom, first);
    acknowledge(*bridge, first + 2000);
    EXPECT_EQUAL(positionOf(*bridge).keptFrom, first + 2000);
    EXPECT_EQUAL(sendToClient(*bridge), stream(first + 2000, 1000));
  }
}

TEST(bridgeKeepsAllWhenAnAcknowledgementIsOutOfRange) {
  for (uint32_t first : kFirsts) {
    auto bridge = std::make_unique<Bridge>(first);
    bridge->beginConnection();
    acknowledge(*bridge, first + 0x80000000);  // An invalid number also switches the connection.
    receiveFromUART(*bridge, first, 200);
    EXPECT_EQUAL(sendToClient(*bridge, 100).size(), 100u);
    for (uint32_t wrong : {0xffffffffu, 101u, 200u, 8192u, 0x80000000u}) {
      acknowledge(*bridge, first + wrong);
      EXPECT_EQUAL(positionOf(*bridge).keptFrom, first);
    }
    acknowledge(*bridge, first + 100);
    EXPECT_EQUAL(positionOf(*bridge).keptFrom, first + 100);
    acknowledge(*bridge, first + 99);
    EXPECT_EQUAL(positionOf(*bridge).keptFrom, first + 100);
  }
}

TEST(bridgeIgnoresAcknowledgementsOfAnotherLength) {
  auto bridge = std::make_unique<Bridge>();
  const uint8_t zeros[12] = {};
  for (size_t length : {0, 1, 2, 3, 5, 8, 12}) bridge->acknowledge(zeros, length);
  receiveFromUART(*bridge, 0, 100);
  sendToClient(*bridge);
  EXPECT_EQUAL(positionOf(*bridge).keptFrom, 100u);
}

TEST(bridgeSendsOnceToAClientThatDoesNotAcknowledge) {
  for (uint32_t first : kFirsts) {
    auto bridge = std::make_unique<Bridge>(first);
    bridge->beginConnection();
    acknowledge(*bridge, first);
    receiveFromUART(*bridge, first, 1000);
    EXPECT_EQUAL(sendToClient(*bridge).size(), 1000u);
    bridge->beginConnection();
    EXPECT_EQUAL(sendToClient(*bridge, 300), stream(first, 300));
    EXPECT_EQUAL(positionOf(*bridge).keptFrom, first + 300);
    bridge->beginConnection();
    // The one that was here first knows the rest.
    acknowledge(*bridge, first + 900);
    EXPECT_EQUAL(sendToClient(*bridge), stream(first + 900, 100));
  }
}

TEST(bridgeCountsWhatDoesNotFitAndKeepsTheOldest) {
  auto bridge = std::make_unique<Bridge>();
  receiveFromUART(*bridge, 0, kCapacity + 100);
  EXPECT_EQUAL(bridge->lostFromUART(), 100u);
  EXPECT_EQUAL(bridge->roomForUART(), 0u);
  EXPECT(bridge->isStatusDue());
  bridge->statusNotified();
  EXPECT(!bridge->isStatusDue());
  EXPECT_EQUAL(sendToClient(*bridge), stream(0, kCapacity));
  // Lost bytes have no number.
  EXPECT_EQUAL(positionOf(*bridge).keptFrom, kCapacity);
}

TEST(bridgeHoldsAWriteThatDoesNotFitAndAcceptsAllOfItOrNothing) {
  for (uint32_t first : kFirsts) {
    auto bridge = std::make_unique<Bridge>(first);
    const Bytes bytes = stream(0, 512);
    for (int i = 0; i < 16; i++) EXPECT(bridge->receiveFromClient(bytes.data(), 512, 0));
    EXPECT_EQUAL(positionOf(*bridge).accepted, first + 8192);
    EXPECT(!bridge->receiveFromClient(bytes.data(), 100, 0));
    bridge->sentToUART(99);
    EXPECT(!bridge->receiveFromClient(bytes.data(), 100, kWriteHold - 1));
    EXPECT_EQUAL(positionOf(*bridge).accepted, first + 8192);
    bridge->sentToUART(1);
    EXPECT(bridge->receiveFromClient(bytes.data(), 100, kWriteHold - 1));
    EXPECT_EQUAL(positionOf(*bridge).accepted, first + 8292);
    EXPECT_EQUAL(bridge->lostFromClient(), 0u);
  }
}

TEST(bridgeGivesBackTheCreditOfLostBytesAndLetsOthersNotWait) {
  auto bridge = std::make_unique<Bridge>();
  bridge->beginConnection();
  const Bytes bytes = stream(0, kCapacity);
  EXPECT(bridge->receiveFromClient(bytes.data(), kCapacity - 30, 0));
  EXPECT(!bridge->receiveFromClient(bytes.data(), 100, 0));
  EXPECT(bridge->receiveFromClient(bytes.data(), 100, kWriteHold));
  EXPECT_EQUAL(statusOf(*bridge).lostFromClient, 70u);
  EXPECT_EQUAL(statusOf(*bridge).sent, 70u);
  EXPECT_EQUAL(positionOf(*bridge).accepted, kCapacity + 70);
  EXPECT(bridge->receiveFromClient(bytes.data(), 5, 0));
  EXPECT_EQUAL(statusOf(*bridge).lostFromClient, 75u);
  // When the UART moves again, writes wait again.
  bridge->sentToUART(10);
  EXPECT(!bridge->receiveFromClient(bytes.data(), 11, 0));
  EXPECT(bridge->receiveFromClient(bytes.data(), 10, 0));
  EXPECT_EQUAL(statusOf(*bridge).lostFromClient, 75u);
}

TEST(bridgeCountsForEachConnectionWhatItsClientWrote) {
  Bridge bridge;
  bridge.begin(0x12345678, 115200, true);
  const Bytes bytes = stream(0, 100);
  bridge.receiveFromClient(bytes.data(), 100, 0);
  bridge.sentToUART(40);
  EXPECT_EQUAL(statusOf(bridge).sent, 40u);
  bridge.beginConnection();
  EXPECT_EQUAL(statusOf(bridge).sent, 0u - 60);
  bridge.receiveFromClient(bytes.data(), 50, 0);
  bridge.sentToUART(70);  // 60 of them were written by the former client.
  EXPECT_EQUAL(statusOf(bridge).sent, 10u);
  EXPECT(!bridge.isStatusDue());
  bridge.sentToUART(40);
  EXPECT(bridge.isStatusDue());  // The buffer is empty.
  EXPECT_EQUAL(statusOf(bridge).sent, 50u);
  EXPECT_EQUAL(statusOf(bridge).capacity, 8192u);
  EXPECT_EQUAL(statusOf(bridge).baudRate, 115200u | 0x80000000u);
  EXPECT_EQUAL(positionOf(bridge).boot, 0x12345678u);
  EXPECT_EQUAL(positionOf(bridge).accepted, 150u);
}

TEST(bridgeSendsFullNotificationsAtOnceAndOthersAfterAWhile) {
  Bridge bridge;
  uint8_t piece[20];
  const Bytes bytes = stream(0, 25);
  bridge.receiveFromUART(bytes.data(), 25, 1000);
  EXPECT_EQUAL(bridge.peekForClient(piece, 20, 1000), 20u);
  bridge.sentToClient(20, 1000);
  EXPECT_EQUAL(bridge.peekForClient(piece, 20, 1000 + kGathering - 1), 0u);
  // Bytes that come in the meantime do not prolong it.
  bridge.receiveFromUART(bytes.data(), 1, 1000 + kGathering - 1);
  EXPECT_EQUAL(bridge.peekForClient(piece, 20, 1000 + kGathering), 6u);
  bridge.sentToClient(6, 1000 + kGathering);
  // The chip's clock turns over.
  bridge.receiveFromUART(bytes.data(), 5, 0xffffffff);
  EXPECT_EQUAL(bridge.peekForClient(piece, 20, 0), 0u);
  EXPECT_EQUAL(bridge.peekForClient(piece, 20, kGathering), 5u);
}

TEST(bridgeClientIsTheFirstConnectionUntilItLeaves) {
  Bridge bridge;
  Client client(bridge);
  EXPECT(!client.isSubscribed(Client::status));
  EXPECT(client.meet(0));
  client.setSubscribed(Client::hm10, true);
  client.setSubscribed(Client::status, true);
  client.setSubscribed(Client::hm10, false);
  EXPECT(client.isSubscribed(Client::status));
  EXPECT(!client.isSubscribed(Client::hm10));
  EXPECT(!client.meet(1));
  client.leave(1);
  EXPECT_EQUAL(client.handle(), 0);
  EXPECT(client.isSubscribed(Client::status));
  client.leave(0);
  EXPECT(!client.isConnected());
  EXPECT(!client.isSubscribed(Client::status));
  EXPECT(client.meet(0));
  EXPECT(!client.isSubscribed(Client::status));
}

TEST(bridgeBeginsAConnectionOnceAtItsClientsFirstCallback) {
  Bridge bridge;
  Client client(bridge);
  const uint8_t bytes[10] = {};
  client.meet(0);
  bridge.receiveFromClient(bytes, 10, 0);
  bridge.sentToUART(10);
  client.meet(0);
  EXPECT_EQUAL(statusOf(bridge).sent, 10u);
  client.leave(0);
  client.meet(0);
  EXPECT_EQUAL(statusOf(bridge).sent, 0u);
}
