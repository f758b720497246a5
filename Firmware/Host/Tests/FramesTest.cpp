#include <map>

#include "Board.h"
#include "TableStorage.h"
#include "Testing.h"

namespace {

/// kFrameAllowance (Runtime/Context.h) of programs that are built on this machine.
#ifdef __x86_64__
constexpr int kAllowance = 1280;
#else
constexpr int kAllowance = 8192;
#endif

/// The stack that newlib 4.1 uses on an ESP32 for the calls that need most
/// (Firmware/Host/README.md); other calls were not measured.
const std::map<std::string, int> kOnTheChip = {
    {"snprintf", 690},      {"snprintf double", 1150},      {"printf", 750},
    {"Serial.printf", 850}, {"Serial.printf double", 1310}, {"sscanf", 1050},
    {"strtod", 570},
};

}  // namespace

TEST(callsTakeNoMoreOfAStackThanTheAllowance) {
  TableStorage storage;
  Board board("Frames");
  board.answer = [&storage](const Message& call, Bytes& more) {
    return storage.answer(call, more);
  };
  board.run(5 * kSecond);
  int measured = 0;
  for (const std::string& line : board.lines()) {
    if (line.compare(0, 2, "# ") != 0) continue;
    const size_t number = line.find_last_of(' ');
    const std::string what = line.substr(2, number - 2);
    const int bytes = std::stoi(line.substr(number));
    const auto known = kOnTheChip.find(what);
    if (bytes - (known != kOnTheChip.end() ? known->second : 0) > kAllowance) {
      addFailure(__FILE__, __LINE__, what + " takes " + std::to_string(bytes) + " bytes");
    }
    measured++;
  }
  EXPECT_EQUAL(measured, 21);
}
