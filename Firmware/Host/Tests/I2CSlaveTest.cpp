#include <cstring>

#include "Board.h"
#include "Testing.h"

namespace {

/// A board whose sketch is a slave, and a master on its pins.
class SlaveBoard : public Board {
 public:
  SlaveBoard() : Board("I2CSlave") {
    run(50 * kMillisecond);
    // The firmware is not ahead.
    horizon = 0;
    type("b");
  }

  void type(const char* name) {
    sendSerial(name);
    run(20 * kMillisecond);
  }
  /// A transaction at 100 kHz, and its end.
  std::string transfer(uint16_t address, const Bytes& written, uint32_t reads, uint8_t sda = 21,
                       uint8_t scl = 22) {
    cfc_i2c head = {};
    head.sda = sda;
    head.scl = scl;
    head.address = address;
    if (!written.empty() || reads == 0) head.flags |= CFC_I2C_WRITES;
    if (reads > 0) head.flags |= CFC_I2C_READS;
    head.clock_hz = 100000;
    head.read_count = reads;
    start = now;
    send(CFC_I2C_TRANSFER, head, written);
    return result(100 * kMillisecond);
  }
  /// The last end of a transaction: status, written, prepared, bytes, and the time in bits.
  std::string result(uint64_t time) {
    run(time);
    const std::vector<Message> ends = received(CFC_I2C_TRANSFERRED);
    if (ends.empty()) return "none";
    const auto end = ends.back().as<cfc_i2c_transferred>();
    std::string text = std::to_string(end.status) + " w" + std::to_string(end.written) + " p" +
                       std::to_string(end.prepared) + ":";
    const Bytes bytes = ends.back().after<cfc_i2c_transferred>();
    EXPECT_EQUAL(bytes.size(), static_cast<size_t>(end.count));
    for (size_t i = 0; i < bytes.size() && i < 6; i++) {
      char byte[8];
      snprintf(byte, sizeof byte, " %02x", bytes[i]);
      text += byte;
    }
    bits = (ends.back().time - start) / (10 * kMicrosecond);
    return text;
  }

  uint64_t start = 0, bits = 0;
};

Bytes count(size_t bytes) {
  Bytes result;
  for (size_t i = 0; i < bytes; i++) result.push_back(static_cast<uint8_t>(i));
  return result;
}

}  // namespace

TEST(slavesAreNoMasters) {
  SlaveBoard board;
  EXPECT_EQUAL(board.lines(), std::vector<std::string>{"begin 1 1 0 end 4 request 0 clock 0 0"});
  const auto slave = board.received(CFC_I2C_SLAVE).back().as<cfc_i2c_slave>();
  EXPECT_EQUAL(slave.sda, 21);
  EXPECT_EQUAL(slave.scl, 22);
  EXPECT_EQUAL(slave.address, 0x28);
  EXPECT_EQUAL(slave.is_begun, 1u);
  board.type("e");
  EXPECT_EQUAL(board.lines().back(), std::string("end 1 master 1 slave 0"));
  EXPECT_EQUAL(board.received(CFC_I2C_SLAVE).back().as<cfc_i2c_slave>().is_begun, 0u);
  EXPECT_EQUAL(board.transfer(0x28, {1}, 0), std::string("2 w0 p0:"));
}

TEST(slavesReceiveInTheirTask) {
  SlaveBoard board;
  EXPECT_EQUAL(board.transfer(0x28, {1, 2, 3}, 0), std::string("0 w3 p0:"));
  EXPECT_EQUAL(board.bits, 38u);  // START and address, three bytes, STOP, and the handler's time
  EXPECT_EQUAL(board.lines().back(), std::string("got 3 in i2c_slave_task: 01 02 03 then 0"));
  // An address alone is acknowledged, and received by nobody.
  EXPECT_EQUAL(board.transfer(0x28, {}, 0), std::string("0 w0 p0:"));
  EXPECT_EQUAL(board.transfer(0x29, {1}, 0), std::string("2 w0 p0:"));
  EXPECT_EQUAL(board.lines().size(), 2u);
}

TEST(slavesSendWhatWasPrepared) {
  SlaveBoard board;
  // Nothing is prepared for the first read; the request after it is for the second.
  EXPECT_EQUAL(board.transfer(0x28, {}, 2), std::string("0 w0 p0: ff ff"));
  EXPECT_EQUAL(board.lines().back(), std::string("request 1"));
  EXPECT_EQUAL(board.transfer(0x28, {}, 3), std::string("0 w0 p2: a1 b0 ff"));
  board.type("3");
  EXPECT_EQUAL(board.lines().back(), std::string("prepared 3"));
  // A write, and a read after a repeated START: both calls come after the STOP.
  EXPECT_EQUAL(board.transfer(0x28, {9}, 2), std::string("0 w1 p2: 01 02"));
  EXPECT_EQUAL(board.bits, 48u);
  const std::vector<std::string> lines = board.lines();
  EXPECT_EQUAL(lines[lines.size() - 2], std::string("got 1 in i2c_slave_task: 09 then 0"));
  EXPECT_EQUAL(lines.back(), std::string("request 3"));
  // The bytes that the read before has left are replaced.
  EXPECT_EQUAL(board.transfer(0x28, {}, 1), std::string("0 w0 p1: a3"));
}

TEST(slavesHaveTheirBuffers) {
  SlaveBoard board;
  board.type("l");
  EXPECT_EQUAL(board.lines().back(), std::string("prepared 160"));
  EXPECT_EQUAL(board.transfer(0x28, {}, 160), std::string("0 w0 p160: 01 02 03 04 05 06"));
  board.type("l");
  EXPECT_EQUAL(board.transfer(0x28, {}, 170), std::string("0 w0 p160: 01 02 03 04 05 06"));
  // Four times 28 bytes fill the ring of 128; the last 4 have room again.
  board.transfer(0x28, count(200), 0);
  EXPECT_EQUAL(board.lines().back(),
               std::string("got 116 in i2c_slave_task: 00 01 02 03 04 05 then 110"));
}

TEST(slavesLoseBytesWithoutInterrupts) {
  SlaveBoard board;
  board.sendSerial("c");
  board.run(kMillisecond);
  board.start = board.now;
  cfc_i2c head = {21, 22, 0x28, CFC_I2C_WRITES, 100000, 0, 0};
  board.send(CFC_I2C_TRANSFER, head, count(50));
  EXPECT_EQUAL(board.result(100 * kMillisecond), std::string("0 w50 p0:"));
  EXPECT_EQUAL(board.lines().back().substr(0, 7), std::string("got 32 "));
}

TEST(slavesEndWithAPin) {
  SlaveBoard board;
  board.type("p");
  EXPECT_EQUAL(board.lines().back(), std::string("prepared 0"));
  EXPECT_EQUAL(board.transfer(0x28, {1}, 0), std::string("2 w0 p0:"));
}

TEST(bothBusesAreSlaves) {
  SlaveBoard board;
  board.type("w");
  EXPECT_EQUAL(board.transfer(0x30, {}, 1, 16, 17), std::string("0 w0 p0: ff"));
  EXPECT_EQUAL(board.transfer(0x30, {}, 1, 16, 17), std::string("0 w0 p1: 07"));
  EXPECT_EQUAL(board.transfer(0x30, {}, 1), std::string("2 w0 p0:"));
  EXPECT_EQUAL(board.transfer(0x28, {5}, 0), std::string("0 w1 p0:"));
}

TEST(slavesAreDeafInLightSleep) {
  SlaveBoard board;
  board.sendSerial("s");
  board.run(20 * kMillisecond);
  EXPECT_EQUAL(board.transfer(0x28, {1}, 0), std::string("2 w0 p0:"));
  EXPECT_EQUAL(board.lines().back(), std::string("awake"));
  EXPECT_EQUAL(board.transfer(0x28, {1}, 0), std::string("0 w1 p0:"));
}
