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
