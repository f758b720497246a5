#include "Board.h"
#include "Testing.h"

namespace {

/// A board that has run one case of the sketch; a pin's reading is 20 times its number.
class AnalogBoard : public Board {
 public:
  explicit AnalogBoard(const char* name) : Board("Analog") {
    answer = [this](const Message& call, Bytes& more) {
      if (call.type == CFC_ANALOG_READ) {
        const cfc_analog_read request = call.as<cfc_analog_read>();
        reads += std::to_string(request.pin) + ":" + std::to_string(request.attenuation) + ":" +
                 std::to_string(request.count) + " ";
        const int32_t raw = static_cast<int32_t>(request.pin) * 20;
        put(more, cfc_analog{raw, raw * 2});
      } else if (call.type == CFC_TOUCH_READ) {
        touched.push_back(call);
        put(more, cfc_number{touched.size() > 3 && touched.size() < 7 ? 39 : 40});
      }
      return 0;
    };
    run(50 * kMillisecond);
    sendSerial(name);
    run(kSecond);
  }

  std::string reads;
  std::vector<Message> touched;

 private:
  template <typename T>
  static void put(Bytes& more, const T& value) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
    more.assign(bytes, bytes + sizeof value);
  }
};

}  // namespace

TEST(readingsAreTheConverters) {
  AnalogBoard board("0");
  // The clock's read takes a microsecond.
  EXPECT_EQUAL(board.lines().back(), std::string("analog 680 170 1360 700 1400 none 0 0 took 41"));
  EXPECT_EQUAL(board.reads, std::string("34:3:1 34:3:1 34:3:1 35:3:1 35:1:1 34:2:1 25:2:1 "));
  std::string modes;
  for (const Message& message : board.received(CFC_PIN_MODE)) {
    modes += std::to_string(message.as<cfc_pin>().value) + " ";
  }
  EXPECT_EQUAL(modes, std::string("3 0 "));
  EXPECT_EQUAL(board.received(CFC_PIN_IGNORED).back().as<cfc_pin>().value,
               static_cast<uint32_t>(CFC_IGNORED_WRITE));
}

TEST(continuousConversionsFillFrames) {
  AnalogBoard board("1");
  // 200 conversions at 20 kHz are a frame each 10 ms.
  EXPECT_EQUAL(board.lines(),
               std::vector<std::string>{"frames 0 0 1 0 1 in 10, 5 means 36 720 1440", "ended 0"});
  EXPECT_EQUAL(board.reads, std::string("34:3:100 36:3:100 "));
}

TEST(analogOutputsAreSent) {
  AnalogBoard board("2");
  EXPECT_EQUAL(board.lines().back(), std::string("dac 1 0 1 0"));
  std::string outputs;
  for (const Message& message : board.received(CFC_ANALOG_OUTPUT)) {
    outputs += std::to_string(message.as<cfc_pin>().pin) + ":" +
               std::to_string(message.as<cfc_pin>().value) + " ";
  }
  EXPECT_EQUAL(outputs, std::string("25:200 26:7 25:256 26:256 "));
}

TEST(touchPinsAreMeasured) {
  AnalogBoard board("3");
  EXPECT_EQUAL(board.lines().back(), std::string("touch 40 0 in 20 touches 3"));
  // A measurement each 28 ms while the interrupt is attached.
  EXPECT_EQUAL(board.touched.size(), 11u);
  EXPECT_EQUAL(board.touched[5].time - board.touched[4].time, 27818667u);
  EXPECT_EQUAL(board.touched[0].as<cfc_number>().value, 4);
}

TEST(formerFunctionsConvert) {
  AnalogBoard board("4");
  const std::vector<std::string> lines = board.lines();
  EXPECT_EQUAL(lines[0], std::string("legacy 170 0 80 -1"));
  // The lines and curves of ESP-IDF, by hand.
  EXPECT_EQUAL(lines[1], std::string("volts 75 1039 936 2454 2455 2477 2496 2852 3122"));
}

TEST(clocksFollowTheFrequency) {
  AnalogBoard board("5");
  EXPECT_EQUAL(board.lines().back(), std::string("clocks 1 0 8080 80000000 40 40000000 40"));
}
