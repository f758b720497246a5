// Sketches with the NimBLE-Arduino library, with a controller that answers like the one in the
// recorded traces; these come from the same library (2.5.1).
#include <unistd.h>

#include "HCIScript.h"
#include "Processors.h"
#include "TableStorage.h"
#include "Testing.h"

namespace {

std::vector<HCILine> trace(const std::string& name) {
  std::vector<HCILine> lines = readHCITrace("Tests/Bluetooth/Traces/nimble-hci-" + name + ".jsonl");
  EXPECT(!lines.empty());
  return lines;
}

/// Skips the test when the sketch has not been built with the library.
bool isBuilt(const std::string& name) {
  if (access((sketchPrograms() + "/" + name).c_str(), X_OK) == 0) return true;
  skip("ESPBENCH_NIMBLE names no folder of NimBLE-Arduino");
  return false;
}

struct LibraryBoard : HCIBoard {
  TableStorage storage;

  explicit LibraryBoard(const std::string& name) : HCIBoard(name) {
    answer = [this](const Message& call, Bytes& more) {
      if (call.type == CFC_HCI_OPEN) {
        more = {0, 0x05, 0x02, 0x01, 0xc4, 0x0a, 0x24, 0};
        return 0;
      }
      return storage.answer(call, more);
    };
  }
};

/// An ATT request in one ACL packet, on the connection of the trace.
Bytes attRequest(const Bytes& pdu) {
  const uint8_t length = static_cast<uint8_t>(pdu.size());
  Bytes packet = {2, 0x01, 0x20, static_cast<uint8_t>(length + 4), 0, length, 0, 4, 0};
  packet.insert(packet.end(), pdu.begin(), pdu.end());
  return packet;
}

/// The lines of the phases whose name begins with `phase`.
std::vector<HCILine> phases(const std::vector<HCILine>& trace, const std::string& phase) {
  std::vector<HCILine> found;
  for (const HCILine& line : trace) {
    if (line.phase.compare(0, phase.size(), phase) == 0) found.push_back(line);
  }
  return found;
}

/// Replays initialisation, connection and disconnection of `trace`, with an exchange of MTUs that
/// the trace files do not contain.
void replayConnection(LibraryBoard& board, const std::vector<HCILine>& trace) {
  board.replay(phases(trace, "init"));
  board.replay(phases(trace, "connect:"));
  board.sendPacket(attRequest({0x02, 0x17, 0x00}));
  EXPECT_EQUAL(shownHCI(board.nextPacket()),
               "020100070003000400"
               "03ff00");
  board.sendPacket({4, 0x13, 5, 1, 1, 0, 1, 0});
  board.replay(phases(trace, "disconnect"));
  EXPECT_EQUAL(shownHCI(board.nextPacket()), "");
}

}  // namespace

TEST(theLibrarySendsWhatWasRecorded) {
  if (!isBuilt("Library-TraceCalculator")) return;
  LibraryBoard board("Library-TraceCalculator");
  replayConnection(board, trace("init"));
  std::vector<Message> named = board.received(CFC_NIMBLE);
  EXPECT_EQUAL(named.size(), 1u);
  const std::string name(named[0].payload.begin(), named[0].payload.end());
  EXPECT_EQUAL(name.substr(0, 15), "NimBLE-Arduino ");
  EXPECT_EQUAL(board.count(CFC_HCI_OPEN), 1u);
  EXPECT(!board.ended);
}

TEST(theLibraryPairsAsRecorded) {
  if (!isBuilt("Library-TraceLock")) return;
  LibraryBoard board("Library-TraceLock");
  const std::vector<HCILine> lock = trace("lock");
  replayConnection(board, lock);
  // The file has the pairings, each on its own connection, but not the start and end of these
  // connections.
  for (const char* phase : {"pair:just works", "pair:legacy just works",
                            "pair:passkey entry, wrong", "pair:passkey entry 123456"}) {
    board.sendPacket(phases(lock, "connect:").front().packet);
    board.serve(lock, 100 * kMillisecond);
    board.replay(phases(lock, phase));
    board.serve(lock, 100 * kMillisecond);
    board.sendPacket(phases(lock, "disconnect").front().packet);
    board.serve(lock, 100 * kMillisecond);
  }
  // The last pairing has created a bond.
  EXPECT(board.storage.spaces.count("nimble_bond") == 1);
  EXPECT(!board.storage.items.empty());
  EXPECT(!board.ended);
}

TEST(theLibraryRunsTheSameTwice) {
  if (!isBuilt("Library-TraceCalculator")) return;
  LibraryBoard first("Library-TraceCalculator"), second("Library-TraceCalculator");
  replayConnection(first, trace("init"));
  replayConnection(second, trace("init"));
  expectSameRun(first, second);
}

TEST(theLibraryRunsTheSameWhileTheMachineIsBusy) {
  if (!isBuilt("Library-Calculator") || !isBuilt("Library-TraceCalculator")) return;
  LibraryBoard idle("Library-TraceCalculator"), idleSketch("Library-Calculator");
  replayConnection(idle, trace("init"));
  idleSketch.serve(trace("init"), kSecond);
  BusyProcessors others;
  LibraryBoard busy("Library-TraceCalculator"), busySketch("Library-Calculator");
  replayConnection(busy, trace("init"));
  busySketch.serve(trace("init"), kSecond);
  expectSameRun(idle, busy);
  expectSameRun(idleSketch, busySketch);
}

TEST(ourSketchesAdvertiseWithTheLibrary) {
  for (const char* name : {"Calculator", "ServoLock"}) {
    if (!isBuilt(std::string("Library-") + name)) return;
    LibraryBoard board(std::string("Library-") + name);
    std::vector<Bytes> commands = board.serve(trace("init"), kSecond);
    EXPECT(!commands.empty());
    if (commands.empty()) continue;
    EXPECT_EQUAL(shownHCI(commands.front()), "01030c00");
    EXPECT_EQUAL(shownHCI(commands.back()), "010a200101");
    EXPECT(!board.ended);
  }
}
