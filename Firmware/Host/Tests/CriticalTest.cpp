#include "Board.h"
#include "Testing.h"

TEST(interruptsWaitForTheEndOfACriticalSection) {
  Board board("Critical");
  auto edge = [&board] {
    board.send(CFC_PIN_INPUT, cfc_pin{4, CFC_PIN_LOW});
    board.send(CFC_PIN_INPUT, cfc_pin{4, CFC_PIN_HIGH});
  };
  board.run(kSecond / 100);
  edge();
  board.run(kSecond * 6 / 100);
  edge();
  board.runToEnd();
  EXPECT_EQUAL(board.lines(), std::vector<std::string>{"section 0 1", "disabled 1 2"});
}

TEST(leavingASectionThatWasNotEnteredFailsAnAssertion) {
  Board board("Critical");
  board.runToEnd();
  EXPECT(board.ended);
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_ASSERT));
}
