#include <cstdlib>

#include "Board.h"
#include "Testing.h"

namespace {

int32_t complement(const Message& call, Bytes& more) {
  if (call.type != CFC_SPI) return 0;
  for (uint8_t byte : call.after<cfc_spi>()) more.push_back(static_cast<uint8_t>(~byte));
  return 0;
}

/// True if the program of a sketch contains the variable.
bool contains(const std::string& sketch, const std::string& variable) {
  const std::string command =
      "nm '" + sketchPrograms() + "/" + sketch + "' | grep -q ' [a-zA-Z] " + variable + "$'";
  return system(command.c_str()) == 0;
}

/// A transfer as text: pins, mode, bit order, clock, bytes.
std::string textOf(const Message& message) {
  const cfc_spi transfer = message.as<cfc_spi>();
  char text[128];
  snprintf(text, sizeof text, "%u/%u/%u m%u o%u %u Hz:", transfer.sck, transfer.miso, transfer.mosi,
           transfer.mode, transfer.bit_order, transfer.clock_hz);
  std::string result = text;
  const Bytes bytes = message.after<cfc_spi>();
  EXPECT_EQUAL(bytes.size(), transfer.count);
  if (bytes.size() > 8) return result + " " + std::to_string(bytes.size()) + " bytes";
  for (uint8_t byte : bytes) {
    snprintf(text, sizeof text, " %02x", byte);
    result += text;
  }
  return result;
}

}  // namespace

TEST(spiReadsWhatThePartSends) {
  Board board("SPIBus");
  board.answer = complement;
  board.run(kSecond);
  // 10000 bytes at 8 MHz, and the two calls of micros().
  EXPECT_EQUAL(board.lines(),
               std::vector<std::string>{
                   "early 00 1 2", "byte ed edcb edcba987", "least first edcb edcba987",
                   "out fe fd fc, read 00 00 fc, in place fe fd fc", "10000 bytes: 10001 us",
                   " 009c1001 80000000 00002001 07904002 7cfc9005", "finished 0 1", "done"});
}

TEST(spiSendsEachTransferWithItsSettings) {
  Board board("SPIBus");
  board.answer = complement;
  board.run(kSecond);
  std::vector<std::string> texts;
  for (const Message& message : board.received(CFC_SPI)) texts.push_back(textOf(message));
  EXPECT_EQUAL(texts, std::vector<std::string>{"18/19/23 m0 o1 4000000 Hz: 12",
                                               "18/19/23 m0 o1 4000000 Hz: 12 34",
                                               "18/19/23 m0 o1 4000000 Hz: 12 34 56 78",
                                               "18/19/23 m2 o0 2962962 Hz: 34 12",
                                               "18/19/23 m2 o0 2962962 Hz: 78 56 34 12",
                                               "18/19/23 m0 o1 8000000 Hz: 01 02 03",
                                               "18/19/23 m0 o1 8000000 Hz: ff ff",
                                               "18/19/23 m0 o1 8000000 Hz: 01 02 03",
                                               "18/19/23 m0 o1 8000000 Hz: f8 00 07 e0",
                                               "18/19/23 m0 o1 8000000 Hz: fe fd fc fe fd fc",
                                               "18/19/23 m0 o1 8000000 Hz: 4096 bytes",
                                               "18/19/23 m0 o1 8000000 Hz: 4096 bytes",
                                               "18/19/23 m0 o1 8000000 Hz: 1808 bytes",
                                               "18/19/23 m0 o1 1000000 Hz: 00",
                                               "18/19/23 m0 o1 80000000 Hz: 00",
                                               "18/19/23 m0 o1 26666666 Hz: 00",
                                               "18/19/23 m0 o1 32989 Hz: 00",
                                               "18/19/23 m0 o1 1000 Hz: 00",
                                               "18/19/23 m1 o1 2000000 Hz: 00",
                                               "18/19/23 m0 o1 1000000 Hz: 77",
                                               "25/255/26 m0 o1 1000000 Hz: 64 bytes",
                                               "25/255/26 m0 o1 1000000 Hz: 00",
                                               "25/255/255 m0 o1 1000000 Hz: 99",
                                               "255/255/255 m0 o1 1000000 Hz: 02"});
}

TEST(spiSelectsWithItsPin) {
  Board board("SPIBus");
  board.answer = complement;
  board.run(kSecond);
  std::vector<std::string> texts;
  for (const Message& message : board.messages) {
    const cfc_pin pin = message.as<cfc_pin>();
    if (message.type == CFC_PIN_OUTPUT && pin.pin == 27) texts.push_back(std::to_string(pin.value));
    if (message.type == CFC_SPI && message.as<cfc_spi>().sck == 25) texts.push_back("spi");
  }
  // 65 bytes in two transfers, and one byte.
  EXPECT_EQUAL(
      texts, std::vector<std::string>{"0", "1", "0", "spi", "1", "0", "spi", "1", "0", "spi", "1"});
}

// SPI takes memory for a lock when a program starts.
TEST(onlySketchesThatIncludeABusContainIt) {
  EXPECT(contains("SPIBus", "SPI"));
  EXPECT(contains("I2C", "Wire"));
  EXPECT(contains("Pins", "loopTaskHandle"));
  EXPECT(!contains("Pins", "SPI"));
  EXPECT(!contains("Pins", "Wire"));
}
