#include <cstring>

#include "Board.h"
#include "Testing.h"

namespace {

/// The devices of the sketch I2C: 0x40 answers, 0x50 is slow, 0x42 holds the clock, and no other
/// exists.
int32_t answer(const Message& call, Bytes& more) {
  if (call.type != CFC_I2C) return 0;
  const cfc_i2c transaction = call.as<cfc_i2c>();
  cfc_i2c_result result = {20 * kMicrosecond, 0, 0};
  int32_t status = CFC_I2C_NO_ADDRESS;
  if (transaction.address == 0x42) status = CFC_I2C_TIMEOUT;
  if (transaction.address == 0x40 || transaction.address == 0x50) {
    status = CFC_I2C_DONE;
    result.written = static_cast<uint32_t>(call.after<cfc_i2c>().size());
    result.count = transaction.read_count;
  }
  if (transaction.address == 0x50) result.duration_ns = 5 * kMillisecond;
  more.resize(sizeof result);
  memcpy(more.data(), &result, sizeof result);
  for (uint32_t i = 0; i < result.count; i++) more.push_back(static_cast<uint8_t>(0xC1 + i));
  return status;
}

/// A transaction as text: pins, clock, time-out in ms, address, flags, bytes to read, bytes.
std::string textOf(const Message& message) {
  const cfc_i2c transaction = message.as<cfc_i2c>();
  char text[128];
  snprintf(text, sizeof text, "%u/%u %u Hz %llu ms %02x f%u r%u:", transaction.sda, transaction.scl,
           transaction.clock_hz,
           static_cast<unsigned long long>(transaction.timeout_ns / kMillisecond),
           transaction.address, transaction.flags, transaction.read_count);
  std::string result = text;
  const Bytes bytes = message.after<cfc_i2c>();
  if (bytes.size() > 8) {
    // Bytes from 0 on.
    for (size_t i = 0; i < bytes.size(); i++) EXPECT_EQUAL(bytes[i], static_cast<uint8_t>(i));
    return result + " " + std::to_string(bytes.size()) + " bytes";
  }
  for (uint8_t byte : bytes) {
    snprintf(text, sizeof text, " %02x", byte);
    result += text;
  }
  return result;
}

}  // namespace

TEST(wireHasTheResultsOfTheChip) {
  Board board("I2C");
  board.answer = answer;
  board.run(kSecond);
  EXPECT_EQUAL(board.lines(), std::vector<std::string>{"early 0 4 0 -1 0 0 0",
                                                       "Wire1 0",
                                                       "buffer 0 32",
                                                       "input-only 0",
                                                       "begin 1 1 100000",
                                                       "missing 2",
                                                       "clock 0 400000",
                                                       "missing with data 4, read 0",
                                                       "stuck 5",
                                                       "address 4",
                                                       "pins 0",
                                                       "clock 1 1000000",
                                                       "buffer 128",
                                                       "written 128 0 0",
                                                       "pending 0",
                                                       "read 3: 3 193 c1 c2 c3 -1",
                                                       "nothing written 0",
                                                       "another address 0",
                                                       "pending 1, only read 1 c1",
                                                       "took 5 ms, 5 ticks",
                                                       "mine 0",
                                                       "other 0",
                                                       "Wire1 1",
                                                       "sent 0",
                                                       "without a pin 2",
                                                       "Wire1 on Wire's 1",
                                                       "Wire 2, read 0",
                                                       "end 1 1",
                                                       "after the end 0",
                                                       "done"});
}

TEST(wireTransactionsAreSentWhole) {
  Board board("I2C");
  board.answer = answer;
  board.run(kSecond);
  std::vector<std::string> texts;
  for (const Message& message : board.received(CFC_I2C)) texts.push_back(textOf(message));
  EXPECT_EQUAL(
      texts, std::vector<std::string>{
                 "21/22 100000 Hz 50 ms 41 f1 r0:", "21/22 400000 Hz 50 ms 41 f1 r0: 07",
                 "21/22 400000 Hz 50 ms 41 f2 r1:", "21/22 400000 Hz 50 ms 42 f1 r0:",
                 "21/22 1000000 Hz 100 ms 40 f1 r0: 128 bytes",
                 "21/22 1000000 Hz 100 ms 40 f3 r3: d0", "21/22 1000000 Hz 100 ms 40 f3 r1: 01",
                 "21/22 1000000 Hz 100 ms 40 f2 r1:", "21/22 1000000 Hz 100 ms 50 f1 r0: 01",
                 "21/22 1000000 Hz 100 ms 40 f1 r0: aa ab", "21/22 1000000 Hz 100 ms 40 f1 r0: bb",
                 "16/17 50000 Hz 50 ms 40 f1 r0: 11"});
}

TEST(wirePullsItsPinsUp) {
  Board board("I2C");
  board.answer = answer;
  board.run(kSecond);
  std::vector<std::string> texts;
  for (const Message& message : board.received(CFC_PIN_MODE)) {
    const cfc_pin pin = message.as<cfc_pin>();
    texts.push_back(std::to_string(pin.pin) + ":" + std::to_string(pin.value));
  }
  // The last but one are of Wire1, on the pins 18 and 22, after pinMode() of pin 17.
  EXPECT_EQUAL(texts,
               std::vector<std::string>{"21:5", "22:5", "16:5", "17:5", "17:3", "18:5", "22:5"});
  // GPIO 34 of Wire1, and digitalWrite() of a pin that a bus has.
  const std::vector<Message> ignored = board.received(CFC_PIN_IGNORED);
  EXPECT_EQUAL(ignored.size(), 2u);
  EXPECT_EQUAL(ignored[0].as<cfc_pin>().pin, 34u);
  EXPECT_EQUAL(ignored[0].as<cfc_pin>().value, CFC_IGNORED_NO_OUTPUT);
  EXPECT_EQUAL(ignored[1].as<cfc_pin>().pin, 18u);
  EXPECT_EQUAL(ignored[1].as<cfc_pin>().value, CFC_IGNORED_WRITE);
}
