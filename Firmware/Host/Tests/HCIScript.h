// A controller that replays the answers of a recorded one: reads a trace of HCI packets
// (Tests/Bluetooth/ Traces/README.md).
#ifndef ESPBENCH_TESTS_HCI_SCRIPT_H
#define ESPBENCH_TESTS_HCI_SCRIPT_H

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "Board.h"

/// A packet of a trace, in H4 form.
struct HCILine {
  std::string phase;
  bool isFromHost;
  Bytes packet;
};

/// The lines of a trace file; a test fails if the file has none.
std::vector<HCILine> readHCITrace(const std::string& path);

/// The text of a packet, without meaningless bytes: those after the length of advertising data.
std::string shownHCI(const Bytes& packet);

/// A board whose firmware brings its own host.
class HCIBoard : public Board {
 public:
  using Board::Board;

  /// The next packet of the firmware; empty when none arrives within `time`.
  Bytes nextPacket(uint64_t time = 100 * kMillisecond);
  /// Sends the controller's packets of `trace`, and expects the host's, except its credits for the
  /// controller (Host Number of Completed Packets), which depend on time.
  void replay(const std::vector<HCILine>& trace);
  /// Sends a packet of the controller.
  void sendPacket(const Bytes& packet) { send(CFC_HCI_PACKET, packet); }

  /// Answers the firmware's commands for `time`: with the packets that followed such a command in
  /// `trace`, or with success. Returns the commands.
  std::vector<Bytes> serve(const std::vector<HCILine>& trace, uint64_t time);

 private:
  size_t _seen = 0;
};

#endif
