#include "Board.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "Testing.h"
#include "firmware_channel_turns.h"
#include "firmware_process.h"

namespace {

/// The wall-clock time-out of a turn.
constexpr uint64_t kLostNanoseconds = 20 * kSecond;

[[noreturn]] void fail(const char* what, int error) {
  fprintf(stderr, "test board: %s: %s\n", what, strerror(error));
  exit(70);
}

}  // namespace

std::string functionAt(const std::string& name, uint64_t address) {
  char command[512];
  snprintf(command, sizeof command, "addr2line -f -C -e '%s/%s' %#llx", sketchPrograms().c_str(),
           name.c_str(), static_cast<unsigned long long>(address));
  FILE* output = popen(command, "r");
  char function[256] = "";
  if (output == nullptr || fgets(function, sizeof function, output) == nullptr) return "";
  pclose(output);
  return std::string(function, strcspn(function, "\n"));
}

Board::Board(const std::string& name, uint32_t resetReason, const char* chip) {
  std::string path = sketchPrograms() + "/" + name;
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) fail(path.c_str(), ENOENT);
  int program = -1;
  if (int error = cfc_program_descriptor(bytes.data(), bytes.size(), &program)) {
    fail("cfc_program_descriptor", error);
  }
  if (int error = cfc_create(&_header, &_channel)) fail("cfc_create", error);
  if (int error = cfc_spawn(program, _channel, STDERR_FILENO, false, &_process))
    fail("cfc_spawn", error);
  close(program);

  start.reset_reason = resetReason;
  start.flash_size = 4 << 20;
  start.timer_zero_ns = bootTime - 100 * kMillisecond;
  start.random_seed = 42;
  start.cpu_frequency_mhz = 240;
  start.chip_revision = 301;
  start.chip_cores = 2;
  const uint8_t mac[6] = {0x24, 0x0a, 0xc4, 0x01, 0x02, 0x03};
  memcpy(start.mac, mac, sizeof mac);
  strncpy(start.chip_model, chip, sizeof start.chip_model - 1);
}

Board::~Board() {
  kill(_process, SIGKILL);
  waitpid(_process, nullptr, 0);
  cfc_destroy(_header, _channel);
}

void Board::sendStart() {
  if (_hasStarted) return;
  _hasStarted = true;
  send(CFC_START, start);
  send(CFC_TX_BLOCKS, cfc_number{1000});
}

void Board::send(uint16_t type, const Bytes& payload) {
  sendStart();
  if (!cfc_append(cfc_to_firmware(_header), CFC_TO_FIRMWARE_CAPACITY, &_length, type, now,
                  payload.data(), static_cast<uint32_t>(payload.size()), nullptr, 0)) {
    fail("to_firmware is full", ENOBUFS);
  }
}

void Board::sendSerial(const std::string& text) {
  send(CFC_SERIAL_INPUT, cfc_serial{0, 0}, Bytes(text.begin(), text.end()));
}

void Board::turn() {
  sendStart();
  _header->now_ns = now;
  _header->horizon_ns = horizon;
  _header->to_firmware_length = _length;
  _length = 0;
  turns++;
  cfc_give_turn(_header, CFC_TURN_FIRMWARE);
  if (!cfc_wait_turn(_header, CFC_TURN_BOARD, kLostNanoseconds)) {
    int state = 0;
    if (waitpid(_process, &state, WNOHANG) == 0) fail("the firmware kept the turn", ETIMEDOUT);
    fprintf(stderr, "test board: the firmware's process ended, wait status %#x\n", state);
    exit(70);
  }
  status = _header->status;
  ended = status != CFC_SLEEPING && status != CFC_CALLING;
  uint32_t offset = 0;
  cfc_message message;
  const uint8_t* payload;
  uint64_t last = now;
  while (cfc_next(cfc_to_board(_header), _header->to_board_length, &offset, &message, &payload)) {
    if (message.time_ns < last) fail("a message is older than the one before it", EPROTO);
    last = message.time_ns;
    messages.push_back({message.type, message.time_ns, Bytes(payload, payload + message.length)});
  }
  if (offset != _header->to_board_length) fail("a message is not whole", EPROTO);
  now = std::max(now, _header->firmware_now_ns);
}

void Board::run(uint64_t nanoseconds) {
  uint64_t end = now + nanoseconds;
  while (!ended) {
    turn();
    if (ended) return;
    if (status == CFC_CALLING) {
      Bytes more;
      int32_t code = answer ? answer(messages.back(), more) : defaultAnswer(messages.back(), more);
      send(CFC_REPLY, cfc_reply{code, 0}, more);
      continue;
    }
    if (_length > 0) continue;
    uint64_t wake = _header->wake_deadline_ns;
    if (wake > end) {
      now = std::max(now, end);
      return;
    }
    now = std::max(now, wake);
  }
}

int32_t Board::defaultAnswer(const Message& call, Bytes& more) {
  switch (call.type) {
    case CFC_BLE_INIT:
      more = {0, 0x05, 0x02, 0x01, 0xc4, 0x0a, 0x24, 0};
      return 0;
    case CFC_GATT_REGISTER: {
      uint32_t count = call.as<cfc_gatt_register>().count;
      Bytes table = call.after<cfc_gatt_register>();
      for (uint32_t i = 0; i < count; i++) {
        cfc_attribute attribute;
        memcpy(&attribute, table.data() + i * sizeof attribute, sizeof attribute);
        // A characteristic's value is preceded by its declaration and followed by a CCCD.
        if (attribute.kind == CFC_CHARACTERISTIC) nextHandle++;
        more.push_back(static_cast<uint8_t>(nextHandle));
        more.push_back(static_cast<uint8_t>(nextHandle >> 8));
        nextHandle++;
        if (attribute.kind == CFC_CHARACTERISTIC && (attribute.properties & 0x30)) nextHandle++;
      }
      return 0;
    }
    default:
      return 0;
  }
}

std::vector<Message> Board::received(uint16_t type) const {
  std::vector<Message> found;
  for (const Message& message : messages) {
    if (message.type == type) found.push_back(message);
  }
  return found;
}

std::string Board::console() const {
  std::string text;
  for (const Message& message : received(CFC_SERIAL_OUTPUT)) {
    Bytes bytes = message.after<cfc_serial_output>();
    text.append(bytes.begin(), bytes.end());
  }
  return text;
}

std::vector<std::string> Board::lines() const {
  std::vector<std::string> lines;
  std::string text = console();
  for (size_t start = 0; start < text.size();) {
    size_t end = text.find("\r\n", start);
    if (end == std::string::npos) end = text.size();
    lines.push_back(text.substr(start, end - start));
    start = end + 2;
  }
  return lines;
}

void expectSameRun(const Board& one, const Board& other) {
  EXPECT_EQUAL(one.messages.size(), other.messages.size());
  for (size_t i = 0; i < one.messages.size() && i < other.messages.size(); i++) {
    const Message &first = one.messages[i], &second = other.messages[i];
    if (first.type == second.type && first.time == second.time && first.payload == second.payload) {
      continue;
    }
    addFailure(__FILE__, __LINE__,
               "message " + std::to_string(i) + " of " + std::to_string(one.messages.size()) +
                   " differs: type " + std::to_string(first.type) + " at " +
                   std::to_string(first.time) + ", then type " + std::to_string(second.type) +
                   " at " + std::to_string(second.time));
    break;
  }
  EXPECT_EQUAL(one.turns, other.turns);
  EXPECT_EQUAL(one.now, other.now);
}
