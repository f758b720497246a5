#include "Board.h"
#include "Testing.h"

namespace {

/// A board that has run one case of the sketch.
class RegistersBoard : public Board {
 public:
  explicit RegistersBoard(const char* name) : Board("Registers") {
    run(50 * kMillisecond);
    sendSerial(name);
    run(100 * kMillisecond);
  }

  std::string pins(uint16_t type) const {
    std::string text;
    for (const Message& message : received(type)) {
      const cfc_pin pin = message.as<cfc_pin>();
      text += std::to_string(pin.pin) + ":" + std::to_string(pin.value) + " ";
    }
    return text;
  }
};

}  // namespace

TEST(registersActOnThePins) {
  RegistersBoard board("l");
  // Ten accesses of 0.1 us, and the clock's read.
  EXPECT_EQUAL(board.lines().back(),
               std::string("levels 0 1 1 out 0 2 enable 2000 2 in1 2 took 2"));
  EXPECT_EQUAL(board.pins(CFC_PIN_MODE), std::string("4:5 33:1 4:7 13:2 4:5 33:3 "));
  EXPECT_EQUAL(board.pins(CFC_PIN_OUTPUT),
               std::string("4:0 4:1 13:1 4:0 13:0 4:2 33:1 33:0 33:1 33:1 33:1 33:1 33:1 33:1 33:1 "
                           "33:1 33:1 33:1 "));
  EXPECT_EQUAL(board.count(CFC_PIN_IGNORED), 0u);
}

TEST(registersHaveTheirMacros) {
  RegistersBoard board("m");
  EXPECT_EQUAL(board.lines().back(), std::string("macros 1 1 type 0 mode 1 1 valid 0 0 0"));
  EXPECT_EQUAL(board.pins(CFC_PIN_OUTPUT), std::string("18:0 18:1 18:0 19:0 "));
}

TEST(otherRegistersPanic) {
  RegistersBoard unknown("u");
  EXPECT_EQUAL(unknown.status, static_cast<uint32_t>(CFC_CRASHED));
  EXPECT_EQUAL(unknown.fault().kind, static_cast<uint32_t>(CFC_FAULT_PANIC));
  EXPECT_EQUAL(std::string(unknown.fault().message),
               std::string("Write of register 0x3ff480d4, which is not in espbench's host core: "
                           "only those of pins and of the pulse counter are"));
  RegistersBoard port("p"), member("a");
  for (const RegistersBoard* pointer : {&port, &member}) {
    EXPECT_EQUAL(pointer->status, static_cast<uint32_t>(CFC_CRASHED));
    EXPECT_EQUAL(pointer->fault().kind, static_cast<uint32_t>(CFC_FAULT_PANIC));
  }
  EXPECT_EQUAL(port.fault().fault_address, 0x3ff44004u);
  EXPECT_EQUAL(member.fault().fault_address, 0x3ff44040u);
  EXPECT_EQUAL(std::string(port.fault().message),
               std::string("Access through a pointer to register 0x3ff44004, which is not in "
                           "espbench's host core: those of pins are by REG_READ() and "
                           "REG_WRITE()"));
}
