#include "Board.h"
#include "Testing.h"

namespace {

using Lines = std::vector<std::string>;

/// A board that has run one case of the sketch.
class PWMBoard : public Board {
 public:
  explicit PWMBoard(const char* name) : Board("PWM") {
    run(50 * kMillisecond);
    sendSerial(name);
    run(kSecond);
  }

  /// The signals of a pin: duty/full at a frequency in mHz.
  std::string signals(uint32_t pin) const {
    std::string text;
    for (const Message& message : received(CFC_PWM)) {
      const cfc_pwm pwm = message.as<cfc_pwm>();
      if (pwm.pin != pin) continue;
      text += pwm.is_attached == 0
                  ? "off "
                  : std::to_string(pwm.duty) + "/" + std::to_string(1u << pwm.bits) + "@" +
                        std::to_string(pwm.millihertz) + " ";
    }
    return text;
  }
  std::vector<cfc_servo> servos() const {
    std::vector<cfc_servo> all;
    for (const Message& message : received(CFC_SERVO)) all.push_back(message.as<cfc_servo>());
    return all;
  }
};

}  // namespace

TEST(dutiesAreThoseThatThePinShows) {
  PWMBoard board("d");
  Lines lines = board.lines();
  // Both groups are tried.
  EXPECT_EQUAL(lines.size(), 6u);
  EXPECT_EQUAL(lines[0].substr(lines[0].find(')') + 2),
               std::string("ledc: requested frequency 5000 and duty resolution 15 can not be "
                           "achieved, try reducing freq_hz or duty_resolution. div_param=0"));
  EXPECT_EQUAL(Lines(lines.end() - 4, lines.end()),
               Lines{"attach 1 0 0 1", "duty 64 at 5000 Hz", "changed 1000 note 440",
                     "after pinMode 0 0 1"});
  EXPECT_EQUAL(board.signals(18),
               std::string("0/256@5000000 64/256@5000000 256/256@5000000 0/256@5000000 "
                           "768/1024@1000000 768/1024@439996 513/1024@439996 off "));
  EXPECT_EQUAL(board.signals(19) + board.signals(34), std::string());
  std::string ignored;
  for (const Message& message : board.received(CFC_PIN_IGNORED)) {
    ignored += std::to_string(message.as<cfc_pin>().pin) + ":" +
               std::to_string(message.as<cfc_pin>().value) + " ";
  }
  EXPECT_EQUAL(ignored, std::string("34:1 "));
}

TEST(channelsAndTimersAreAsManyAsTheChips) {
  PWMBoard board("c");
  EXPECT_EQUAL(board.lines(), Lines{"channels 16 1 1 duty 7", "timers 8 group 1 1"});
  // A channel in use keeps its frequency; its pins show its duty.
  EXPECT_EQUAL(board.signals(32), std::string("0/256@1000000 7/256@1000000 off "));
  EXPECT_EQUAL(board.signals(27), std::string("0/256@1000000 7/256@1000000 off "));
}

TEST(servosAndPWMShareTheChannels) {
  PWMBoard board("s");
  EXPECT_EQUAL(board.lines(), Lines{"servos 1 0 duty 27"});
  EXPECT_EQUAL(board.signals(13) + board.signals(14), std::string());
  EXPECT_EQUAL(board.signals(18), std::string("0/256@5000000 100/256@5000000 10/256@5000000 "));
  // The servo's duty remains in its channel, then it is that of the PWM pin, at whose frequency the
  // second servo gets its pulses.
  EXPECT_EQUAL(board.signals(19), std::string("75/1024@1000000 27/1024@1000000 "));
  const std::vector<cfc_servo> servos = board.servos();
  EXPECT_EQUAL(servos.size(), 6u);
  EXPECT_EQUAL(servos[1].pulse_ns, 75u * 20000000 / 1024);
  EXPECT_EQUAL(servos[2].is_attached, 0u);
  EXPECT_EQUAL(servos[4].period_ns, 1000000u);
  EXPECT_EQUAL(servos[4].pulse_ns, 27u * 1000000 / 1024);
}

TEST(fadesTakeTheirTime) {
  PWMBoard board("f");
  EXPECT_EQUAL(board.lines(), Lines{"fade 1 0 1 after 51", "argument 10 duty 100"});
  EXPECT_EQUAL(board.signals(18),
               std::string("0/256@5000000 50/256@5000000 100/256@5000000 150/256@5000000 "
                           "200/256@5000000 250/256@5000000 256/256@5000000 128/256@5000000 "
                           "111/256@5000000 100/256@5000000 "));
  const std::vector<Message> all = board.received(CFC_PWM);
  // A step of the fade is one period: it ends early, as on the chip.
  EXPECT_EQUAL(all[6].time - all[0].time, 200 * kMicrosecond + 256 * 200 * kMicrosecond);
}

TEST(tonesFollowEachOther) {
  PWMBoard board("t");
  EXPECT_EQUAL(board.lines(), Lines{"tones"});
  EXPECT_EQUAL(board.signals(25),
               std::string("0/1024@439996 511/1024@439996 0/1024@439996 0/1024@880011 "
                           "511/1024@880011 0/1024@880011 off "));
  EXPECT_EQUAL(board.signals(26), std::string());
  const std::vector<Message> all = board.received(CFC_PWM);
  // delay() ends at a tick.
  EXPECT_EQUAL((all[2].time - all[1].time) / kMillisecond, 99u);
}

TEST(analogWriteIsPWM) {
  PWMBoard board("a");
  EXPECT_EQUAL(board.lines(), Lines{"analog 1024"});
  EXPECT_EQUAL(board.signals(27), std::string("0/256@1000000 127/256@1000000 127/1024@1000000 "
                                              "127/1024@20000000 1024/1024@20000000 "));
  EXPECT_EQUAL(board.signals(33), std::string("0/1024@20000000 5/1024@20000000 "));
}
