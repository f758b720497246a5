#include "Board.h"
#include "Testing.h"

namespace {

using Lines = std::vector<std::string>;

std::vector<cfc_servo> servosAt(uint32_t pin, const Board& board) {
  std::vector<cfc_servo> all;
  for (const Message& message : board.received(CFC_SERVO)) {
    if (message.as<cfc_servo>().pin == pin) all.push_back(message.as<cfc_servo>());
  }
  return all;
}

}  // namespace

TEST(servosUseChannelsLikeTheLibrary) {
  Board board("Servos");
  board.run(kSecond);
  EXPECT_EQUAL(board.lines(),
               Lines{"write 0", "attach 0 2 1", "0 -1 488", "90 89 1445", "180 178 2382",
                     "1000 46 996", "-5 -1 488", "400 178 2382", "3000 178 2382", "detached 0 0",
                     "channels 0 1 8 9 2 3 10 11 4 5 12 13 6 7 14 15 left 0"});
}

TEST(everyPulseChangeIsSentToTheBoard) {
  Board board("Servos");
  board.run(kSecond);
  std::vector<cfc_servo> all = servosAt(13, board);
  EXPECT_EQUAL(all.size(), 13u);
  // No pulses before the first write.
  EXPECT_EQUAL(all[0].is_attached, 1u);
  EXPECT_EQUAL(all[0].pulse_ns, 0u);
  EXPECT_EQUAL(all[0].period_ns, 20000000u);
  EXPECT_EQUAL(all[0].minimum_us, 500u);
  EXPECT_EQUAL(all[0].maximum_us, 2400u);
  EXPECT_EQUAL(all[1].pulse_ns, 25u * 20000000 / 1024);
  EXPECT_EQUAL(all[2].pulse_ns, 74u * 20000000 / 1024);
  EXPECT_EQUAL(all[8].pulse_ns, 0u);  // release()
  EXPECT_EQUAL(all[8].is_attached, 1u);
  EXPECT_EQUAL(all[9].pulse_ns, 76u * 20000000 / 1024);
  EXPECT_EQUAL(all[10].is_attached, 0u);
  // The channel kept its duty.
  EXPECT_EQUAL(all[11].pulse_ns, 76u * 20000000 / 1024);
  EXPECT_EQUAL(all[11].minimum_us, 544u);
  EXPECT_EQUAL(all[12].is_attached, 0u);
}
