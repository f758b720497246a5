#include "HCIScript.h"

#include <algorithm>
#include <fstream>

#include "Testing.h"

namespace {

Bytes fromHex(const std::string& text) {
  Bytes bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

/// The text of a member of a line's JSON object.
std::string member(const std::string& line, const std::string& name) {
  const std::string opening = "\"" + name + "\":\"";
  size_t start = line.find(opening);
  if (start == std::string::npos) return "";
  start += opening.size();
  return line.substr(start, line.find('"', start) - start);
}

constexpr uint8_t kCommand = 1, kEvent = 4;
constexpr uint16_t kSetAdvertisingData = 0x2008, kSetScanResponseData = 0x2009;
constexpr uint16_t kHostNumberOfCompletedPackets = 0x0c35;

uint16_t opcode(const Bytes& command) {
  return static_cast<uint16_t>(command[1] | command[2] << 8);
}

/// The host sends these after a second, or a number of packets: their position depends on the
/// timing.
bool isHostCredits(const Bytes& packet) {
  return packet.size() > 3 && packet[0] == kCommand &&
         opcode(packet) == kHostNumberOfCompletedPackets;
}

/// The packets after the first command with this one's opcode, in the same phase.
std::vector<Bytes> answers(const std::vector<HCILine>& trace, const Bytes& command) {
  std::vector<Bytes> found;
  auto isCommand = [&](const HCILine& line) {
    return line.isFromHost && line.packet[0] == kCommand && opcode(line.packet) == opcode(command);
  };
  auto line = std::find_if(trace.begin(), trace.end(), isCommand);
  const bool isFound = line != trace.end();
  const std::string phase = isFound ? line->phase : "";
  while (isFound && ++line != trace.end() && !line->isFromHost && line->phase == phase) {
    found.push_back(line->packet);
  }
  if (!isFound) found.push_back({kEvent, 0x0e, 4, 1, command[1], command[2], 0});
  return found;
}

}  // namespace

std::vector<HCILine> readHCITrace(const std::string& path) {
  std::vector<HCILine> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    lines.push_back(
        {member(line, "phase"), member(line, "dir") == "h2c", fromHex(member(line, "hci"))});
  }
  return lines;
}

std::string shownHCI(const Bytes& packet) {
  size_t length = packet.size();
  if (length > 4 && packet[0] == kCommand &&
      (opcode(packet) == kSetAdvertisingData || opcode(packet) == kSetScanResponseData)) {
    length = std::min<size_t>(length, 5u + packet[4]);
  }
  std::string text;
  for (size_t i = 0; i < length; i++) {
    static const char digits[] = "0123456789abcdef";
    text += digits[packet[i] >> 4];
    text += digits[packet[i] & 15];
  }
  return text;
}

Bytes HCIBoard::nextPacket(uint64_t time) {
  const uint64_t end = now + time;
  for (;;) {
    while (_seen < messages.size()) {
      const Message& message = messages[_seen++];
      if (message.type == CFC_HCI_SEND) return message.payload;
    }
    if (ended || now >= end) return {};
    run(kMillisecond);
  }
}

void HCIBoard::replay(const std::vector<HCILine>& trace) {
  for (const HCILine& line : trace) {
    if (line.isFromHost) {
      if (isHostCredits(line.packet)) continue;
      Bytes packet;
      do packet = nextPacket();
      while (isHostCredits(packet));
      EXPECT_EQUAL(shownHCI(packet), shownHCI(line.packet));
    } else {
      sendPacket(line.packet);
    }
  }
}

std::vector<Bytes> HCIBoard::serve(const std::vector<HCILine>& trace, uint64_t time) {
  std::vector<Bytes> commands;
  const uint64_t end = now + time;
  while (now < end && !ended) {
    Bytes packet = nextPacket(end - now);
    if (packet.size() < 4 || packet[0] != kCommand) continue;
    commands.push_back(packet);
    for (const Bytes& answer : answers(trace, packet)) sendPacket(answer);
  }
  return commands;
}
