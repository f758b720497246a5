// The calculator's logic, without a board.
#include "Clients.h"
#include "Request.h"
#include "Testing.h"

using Parsed = Request::Parsed;

TEST(everyRequestHasTheExpectedResult) {
  int wrong = 0;
  for (int a = 0; a < 256; a++) {
    for (int b = 0; b < 256; b++) {
      const int expected[] = {(a + b) & 0xff, (a - b) & 0xff, (a * b) & 0xff};
      for (uint8_t operation = 0; operation < 3; operation++) {
        const uint8_t bytes[] = {static_cast<uint8_t>(a), static_cast<uint8_t>(b), operation};
        Request request;
        bool isRight = request.parse(bytes, 3) == Parsed::ok && request.a == a && request.b == b &&
                       request.result() == expected[operation];
        if (!isRight) wrong++;
      }
    }
  }
  EXPECT_EQUAL(wrong, 0);
}

TEST(consoleTextMatchesTheReferenceTrace) {
  EXPECT_EQUAL((Request{9, 6, Request::multiply}).result(), 0x36);
  EXPECT_EQUAL((Request{5, 3, Request::add}).result(), 0x08);
  EXPECT_EQUAL((Request{9, 2, Request::subtract}).result(), 0x07);
}

TEST(otherLengthsAreMalformedAndChangeNothing) {
  const uint8_t bytes[8] = {1, 2, 0};
  for (size_t length : {0, 1, 2, 4, 8}) {
    Request request{7, 8, Request::multiply};
    EXPECT(request.parse(bytes, length) == Parsed::malformed);
    EXPECT_EQUAL(request.result(), 56);
  }
}

TEST(otherOperationsAreUnknown) {
  int accepted = 0;
  for (int operation = 3; operation < 256; operation++) {
    const uint8_t bytes[] = {1, 2, static_cast<uint8_t>(operation)};
    Request request;
    if (request.parse(bytes, 3) != Parsed::unknownOperation) accepted++;
    EXPECT_EQUAL(request.operation, operation);
  }
  EXPECT_EQUAL(accepted, 0);
}

TEST(operationsHaveConsoleNames) {
  EXPECT_EQUAL(std::string((Request{0, 0, Request::add}).verb()), std::string("Adding"));
  EXPECT_EQUAL(std::string((Request{0, 0, Request::subtract}).verb()), std::string("Subtracting"));
  EXPECT_EQUAL(std::string((Request{0, 0, Request::multiply}).verb()), std::string("Multiplying"));
}

TEST(clientsHaveSeparateStates) {
  Clients clients;
  clients.add(0, 0xC000);
  clients.add(2, 0xC000);
  clients.setSubscribed(2, true);
  clients.setResult(0, 11);
  clients.setResult(2, 22);
  EXPECT(!clients.isSubscribed(0));
  EXPECT(clients.isSubscribed(2));
  EXPECT_EQUAL(clients.result(0), 11);
  EXPECT_EQUAL(clients.result(2), 22);
}

TEST(aNewClientHasInitialState) {
  Clients clients;
  clients.add(1, 0xC000);
  clients.setSubscribed(1, true);
  clients.setResult(1, 99);
  clients.remove(1);
  clients.add(1, 0xC000);
  EXPECT(!clients.isSubscribed(1));
  EXPECT_EQUAL(clients.result(1), 0);
}

TEST(anotherClientWithTheSameHandleHasInitialState) {
  Clients clients;
  clients.add(1, 0xC000);
  clients.setSubscribed(1, true);
  clients.setResult(1, 99);
  // A client that disconnects before onConnect() causes no callback, so it has not been removed.
  clients.add(1, 0xC001);
  EXPECT(!clients.isSubscribed(1));
  EXPECT_EQUAL(clients.result(1), 0);
}

TEST(aClientIsAddedAtItsFirstCallback) {
  Clients clients;
  clients.add(1, 0xC000);
  clients.add(2, 0xC000);
  clients.setSubscribed(1, true);
  clients.setResult(2, 5);
  // onConnect() is called late.
  clients.add(1, 0xC000);
  clients.add(2, 0xC000);
  EXPECT(clients.isSubscribed(1));
  EXPECT_EQUAL(clients.result(2), 5);
}

TEST(aClientWithoutOnConnectIsRemovedWithItsConnection) {
  Clients clients;
  clients.add(0, 0xC000);
  clients.add(1, 0xC000);
  clients.setSubscribed(0, true);
  clients.setSubscribed(1, true);
  clients.setResult(1, 99);
  clients.removeUnless([](uint16_t connection) { return connection == 0; });
  EXPECT(clients.isSubscribed(0));
  EXPECT(!clients.isSubscribed(1));
  EXPECT_EQUAL(clients.result(1), 0);
}

TEST(aClientBeyondTheCapacityIsNotAdded) {
  Clients clients;
  for (uint16_t connection : {0, 1, 2, 3}) clients.add(connection, 0xC000);
  clients.setSubscribed(3, true);
  clients.setResult(3, 5);
  clients.remove(7);
  EXPECT(!clients.isSubscribed(3));
  EXPECT_EQUAL(clients.result(3), 0);
}
