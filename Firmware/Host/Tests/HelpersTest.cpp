#include "Board.h"
#include "Testing.h"

TEST(numbersCharactersAndPowerMatchTheArduinoCore) {
  Board board("Helpers");
  board.run(kSecond / 2);
  const std::vector<std::string> wanted{"E (100) tab: error 1",
                                        "itoa -255 ffffffff -2147483648 1",
                                        "ltoa -ff z 4294967295 -9223372036854775808 []",
                                        "dtostrf [    3.14] [-1] [2.00] [    -12345.7] [nan]",
                                        "is 101100 Az",
                                        "interrupts 4 -1",
                                        "power 3 5 1 9 9 1 -12 1 6 0",
                                        "21 10 1 flash abcd 34 0",
                                        "utils [][][] 0fa0 1 1"};
  EXPECT_EQUAL(board.lines(), wanted);
}

TEST(thePowerOfAdvertisingAndConnectionsIsSentToTheBoard) {
  Board board("Helpers");
  board.run(kSecond / 2);
  std::vector<int> powers;
  for (const Message& message : board.received(CFC_BLE_TX_POWER)) {
    powers.push_back(message.as<cfc_tx_power>().advertising);
    powers.push_back(message.as<cfc_tx_power>().connection);
  }
  EXPECT_EQUAL(powers, std::vector<int>{9, 9, -12, 9, 6, 9, 6, 9, 6, 6});
}

TEST(whatTheHeadersOfTheCoreBringIsThere) {
  Board board("Brought");
  board.run(kSecond / 2);
  const std::vector<std::string> wanted{
      "wqa12:305xy1.50", "2.50wqa12:305xy1.50", "10 0123456", "11 abcdefg",
      "1000 0 480",      "2 80000000 53.33 36", "1",          "held 1 0 262"};
  EXPECT_EQUAL(board.lines(), wanted);
  // Of pin 4: low as an output, high, low after the hold, then the bits of 0xB0, the lowest first;
  // of pin 5 the clock.
  std::string levels;
  for (const Message& message : board.received(CFC_PIN_OUTPUT)) {
    const cfc_pin pin = message.as<cfc_pin>();
    if (pin.pin == 4) levels += static_cast<char>('0' + pin.value);
  }
  EXPECT_EQUAL(levels, std::string("01000001101"));
}
