// A board for tests: uses the firmware channel with a sketch's program and records its messages.
#ifndef ESPBENCH_TESTS_BOARD_H
#define ESPBENCH_TESTS_BOARD_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "firmware_channel.h"

constexpr uint64_t kMicrosecond = 1000;
constexpr uint64_t kMillisecond = 1000000;
constexpr uint64_t kSecond = 1000000000;

using Bytes = std::vector<uint8_t>;

/// A message of the firmware.
struct Message {
  uint16_t type;
  uint64_t time;
  Bytes payload;

  /// The payload's fixed part.
  template <typename T>
  T as() const {
    T value = {};
    if (payload.size() >= sizeof value) __builtin_memcpy(&value, payload.data(), sizeof value);
    return value;
  }
  /// The payload after the fixed part.
  template <typename T>
  Bytes after() const {
    return payload.size() < sizeof(T) ? Bytes() : Bytes(payload.begin() + sizeof(T), payload.end());
  }
};

/// The function at an address of a test sketch's program, as reported by addr2line.
std::string functionAt(const std::string& name, uint64_t address);

/// Runs one sketch in virtual time, starting at `bootTime`.
class Board {
 public:
  static constexpr uint64_t bootTime = 5 * kSecond;

  /// Starts the program of the test sketch `name`.
  explicit Board(const std::string& name, uint32_t resetReason = CFC_RESET_POWER_ON,
                 const char* chip = "ESP32-D0WDQ6");
  ~Board();
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  /// Runs for a time; stops early when the firmware has ended.
  void run(uint64_t nanoseconds);
  /// Runs until the firmware has ended, at most 10 s of virtual time.
  void runToEnd() { run(10 * kSecond); }

  /// Sends a message in the next turn, at once.
  void send(uint16_t type, const Bytes& payload);
  template <typename T>
  void send(uint16_t type, const T& fixed, const Bytes& tail = {}) {
    Bytes payload(reinterpret_cast<const uint8_t*>(&fixed),
                  reinterpret_cast<const uint8_t*>(&fixed) + sizeof fixed);
    payload.insert(payload.end(), tail.begin(), tail.end());
    send(type, payload);
  }
  void sendSerial(const std::string& text);
  /// The first message to the firmware.
  cfc_start start = {};

  /// The console output so far.
  std::string console() const;
  /// The console's lines, without their CRLF.
  std::vector<std::string> lines() const;
  /// The messages of one type.
  std::vector<Message> received(uint16_t type) const;
  size_t count(uint16_t type) const { return received(type).size(); }
  /// All messages, in order.
  std::vector<Message> messages;

  uint64_t now = bootTime;
  /// The horizon of the firmware; unlimited unless a test sets it.
  uint64_t horizon = CFC_NEVER;
  /// The status of the last turn.
  uint32_t status = CFC_SLEEPING;
  bool ended = false;
  uint64_t turns = 0;
  const cfc_fault& fault() const { return _header->fault; }

  /// Answers calls: returns the status and writes the reply's data to `more`. The default gives
  /// handles from 14 on, an address, and 0 for all other calls.
  std::function<int32_t(const Message& call, Bytes& more)> answer;

  /// Answers calls while `answer` is empty.
  int32_t defaultAnswer(const Message& call, Bytes& more);

  /// The handle of the next registered attribute.
  uint16_t nextHandle = 14;

  /// The ID of the firmware's process.
  int32_t process() const { return _process; }

 private:
  void turn();
  void sendStart();

  bool _hasStarted = false;
  cfc_header* _header = nullptr;
  int _channel = -1;
  int32_t _process = 0;
  uint32_t _length = 0;
};

/// Expects that two boards got the same messages at the same instants, byte for byte.
void expectSameRun(const Board& one, const Board& other);

#endif
