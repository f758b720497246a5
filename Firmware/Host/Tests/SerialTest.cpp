#include <algorithm>

#include "Board.h"
#include "Testing.h"

namespace {

/// The lines of the serial sketch's setup().
const std::vector<std::string> kPrinted = {
    "on",
    "42",
    "-42",
    "FFFFFFFF",
    "11111111",
    "10",
    "Z",
    "200",
    "C8",
    "FFFFFFFF",
    "4294967295",
    "-9223372036854775807",
    "FFFFFFFFFFFFFFFF",
    "1000000000",
    "7",
    "A",
    "c",
    "1",
    "2.00",
    "-3.1416",
    "3",
    "1.50",
    "nan",
    "inf",
    "ovf",
    "text",
    "flash",
    "string",
    "(3, 4)",
    "07   2.2 formatted|x",
    "4294967295 -2 ffffffff -5000000000 1099511627776%lu",
    std::string(199, '0') + "1\nwritten bytes" + std::string("\0\xff", 2),
    "",
    "count 6",
    "from the C library",
    "ready",
};

/// A board whose sketch has run setup().
void start(Board& board) {
  board.run(kSecond);
  board.messages.clear();
}

std::vector<std::string> answers(const std::string& input) {
  Board board("Serial");
  start(board);
  board.sendSerial(input);
  board.run(3 * kSecond);
  return board.lines();
}

using Lines = std::vector<std::string>;

}  // namespace

TEST(printsLikeArduino) {
  Board board("Serial");
  board.run(kSecond);
  std::vector<std::string> lines = board.lines();
  EXPECT_EQUAL(lines.size(), kPrinted.size());
  for (size_t i = 0; i < std::min(lines.size(), kPrinted.size()); i++) {
    EXPECT_EQUAL(lines[i], kPrinted[i]);
  }
  EXPECT_EQUAL(board.received(CFC_SERIAL_BEGIN)[0].as<cfc_serial_begin>().baud, 115200u);
}

TEST(readsInputOfTheBoard) {
  EXPECT_EQUAL(answers("hello\n"), Lines{"<h> hello"});
  EXPECT_EQUAL(answers("int\nabc-42,7"), Lines{"<i> int", "-42", "<,> ,7"});
  EXPECT_EQUAL(answers("float\n x3.25!\n"), Lines{"<f> float", "3.250", "<!> !"});
  EXPECT_EQUAL(answers("bytes\nxyz"), Lines{"<b> bytes", "3 xyz"});
  EXPECT_EQUAL(answers("find\nhay needneedle"), Lines{"<f> find", "found"});
}

TEST(readingTimesOut) {
  Board board("Serial");
  start(board);
  uint64_t before = board.now;
  board.sendSerial("bytes\nx");
  board.run(3 * kSecond);
  EXPECT_EQUAL(board.lines(), Lines{"<b> bytes", "1 x"});
  uint64_t waited = board.received(CFC_SERIAL_OUTPUT).back().time - before;
  EXPECT(waited >= kSecond && waited < kSecond + 20 * kMillisecond);
}

TEST(receivesAtMostTheBufferSize) {
  EXPECT_EQUAL(answers("count\n" + std::string(300, 'x'))[1], std::string("250"));
}

TEST(sendsAtTheBaudRateThroughItsFIFO) {
  Board board("Serial");
  board.run(kSecond);
  uint64_t bytes = 0;
  uint64_t lineFree = 0;
  for (const Message& message : board.received(CFC_SERIAL_OUTPUT)) {
    auto output = message.as<cfc_serial_output>();
    EXPECT(output.line_ns >= message.time);
    EXPECT(output.line_ns + 2 >= lineFree);  // Both times are rounded.
    size_t count = message.after<cfc_serial_output>().size();
    lineFree = output.line_ns + count * 10 * kSecond / 115200;
    // When the write returns, all bytes except those in the FIFO have been sent.
    EXPECT(lineFree <= message.time + 128 * 86806);
    bytes += count;
  }
  uint64_t expected = Board::bootTime + bytes * 10 * kSecond / 115200;
  EXPECT(lineFree + 2 >= expected && lineFree < expected + kMillisecond);
}
