#include "HardwareSerial.h"

#include <algorithm>
#include <vector>

#include "../Runtime/Runtime.h"
#include "esp32-hal-log.h"

HardwareSerial Serial;

namespace {

constexpr uint32_t kBootBaud = 115200;  ///< The ROM's, until begin().
constexpr uint64_t kFIFOSize = 128;
constexpr uint64_t kRefillBelow = 10;  ///< The driver fills the FIFO again when it holds so little.
constexpr uint64_t kBitsPerByte = 10;
constexpr uint64_t kNanosecondsPerSecond = 1000000000;

// UART 0. Plain data: used before constructors have run.
uint32_t lineBaud = kBootBaud;
uint64_t lineFreeAt;  ///< When the transmitter has sent everything.
// The number of bytes without a gap up to lineFreeAt, so that rounding errors do not accumulate.
uint64_t burstStart, burstBytes;

uint8_t* received;
size_t receivedCapacity = 256, receivedStart, receivedCount;
bool receiving;

uint64_t sendingTime(uint64_t bytes) {
  return bytes * kBitsPerByte * kNanosecondsPerSecond / lineBaud;
}

uint64_t bytesInFIFO() {
  uint64_t now = espbench::now();
  if (lineFreeAt <= now) return 0;
  return ((lineFreeAt - now) * lineBaud + kBitsPerByte * kNanosecondsPerSecond - 1) /
         (kBitsPerByte * kNanosecondsPerSecond);
}

/// Sends bytes that fit into the FIFO.
void put(const uint8_t* bytes, uint64_t count) {
  uint64_t start = std::max(lineFreeAt, espbench::now());
  bool follows = start == lineFreeAt;
  if (!follows || burstBytes == 0) burstStart = start, burstBytes = 0;
  burstBytes += count;
  lineFreeAt = burstStart + sendingTime(burstBytes);
  if (follows && espbench::extendLastMessage(CFC_SERIAL_OUTPUT, bytes, count)) return;
  cfc_serial_output output = {0, 0, start};
  espbench::send(CFC_SERIAL_OUTPUT, &output, sizeof output, bytes, count);
}

/// Sends bytes through the FIFO; returns when the last one has entered it.
void transmit(const uint8_t* bytes, uint64_t count) {
  while (count > 0) {
    uint64_t room = kFIFOSize - std::min(kFIFOSize, bytesInFIFO());
    uint64_t now = std::min(room, count);
    if (now > 0) put(bytes, now);
    bytes += now;
    count -= now;
    if (count > 0) {
      uint64_t roomAt = lineFreeAt - sendingTime(kRefillBelow);
      if (roomAt > espbench::now()) espbench::spend(roomAt - espbench::now());
    }
  }
}

void tellBaud(uint32_t baud) {
  cfc_serial_begin begin = {0, baud};
  espbench::send(CFC_SERIAL_BEGIN, &begin, sizeof begin);
}

}  // namespace

namespace espbench {

void serialInput(uint32_t port, const uint8_t* bytes, size_t length) {
  if (port != 0 || !receiving) return;
  for (size_t i = 0; i < length && receivedCount < receivedCapacity; i++) {
    received[(receivedStart + receivedCount++) % receivedCapacity] = bytes[i];
  }
}

/// printf() and puts() of the C library go to the console, as on the chip: a line ends CRLF.
ssize_t writeConsole(void*, const char* text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\n') transmit(reinterpret_cast<const uint8_t*>("\r"), 1);
    transmit(reinterpret_cast<const uint8_t*>(text + i), 1);
  }
  return static_cast<ssize_t>(length);
}

void openConsole() {
  cookie_io_functions_t functions = {};
  functions.write = writeConsole;
  FILE* console = fopencookie(nullptr, "w", functions);
  if (console == nullptr) return;
  // By lines, as newlib's stdout. Without a buffer the C library would take one of 8 KB on the
  // task's stack with each call.
  static char line[128];
  setvbuf(console, line, _IOLBF, sizeof line);
  stdout = console;
}

void drainConsole() {
  if (lineFreeAt > now()) spend(lineFreeAt - now());
}

}  // namespace espbench

void HardwareSerial::begin(unsigned long baud, uint32_t) {
  if (baud == 0) baud = kBootBaud;
  espbench::drainConsole();
  if (received == nullptr) received = new uint8_t[receivedCapacity];
  receivedCount = 0;
  receiving = true;
  _begun = true;
  burstBytes = 0;
  _baud = lineBaud = static_cast<uint32_t>(baud);
  tellBaud(_baud);
}

void HardwareSerial::end() {
  if (!_begun) return;
  flush();
  _begun = receiving = false;
  tellBaud(0);
}

void HardwareSerial::updateBaudRate(unsigned long baud) {
  if (!_begun || baud == 0) return;
  flush();
  burstBytes = 0;
  _baud = lineBaud = static_cast<uint32_t>(baud);
  tellBaud(_baud);
}

size_t HardwareSerial::setRxBufferSize(size_t size) {
  if (_begun) return 0;  // As the core: only before begin().
  delete[] received;
  received = nullptr;
  receivedCapacity = std::max(size, static_cast<size_t>(kFIFOSize + 1));
  return receivedCapacity;
}

int HardwareSerial::available() {
  espbench::spend(espbench::kPollNanoseconds);
  return static_cast<int>(receivedCount);
}

int HardwareSerial::availableForWrite() {
  espbench::spend(espbench::kPollNanoseconds);
  return static_cast<int>(kFIFOSize - std::min(kFIFOSize, bytesInFIFO()));
}

int HardwareSerial::peek() {
  espbench::spend(espbench::kPollNanoseconds);
  return receivedCount > 0 ? received[receivedStart] : -1;
}

int HardwareSerial::read() {
  int c = peek();
  if (c >= 0) {
    receivedStart = (receivedStart + 1) % receivedCapacity;
    receivedCount--;
  }
  return c;
}

size_t HardwareSerial::read(uint8_t* buffer, size_t size) {
  size_t count = 0;
  while (count < size && receivedCount > 0) buffer[count++] = static_cast<uint8_t>(read());
  return count;
}

void HardwareSerial::flush() { flush(true); }

void HardwareSerial::flush(bool transmitOnly) {
  if (!_begun) return;
  uint64_t now = espbench::now();
  if (lineFreeAt > now) espbench::spend(lineFreeAt - now);
  if (!transmitOnly) receivedCount = 0;
}

size_t HardwareSerial::write(const uint8_t* buffer, size_t size) {
  if (!_begun) return 0;
  transmit(buffer, size);
  return size;
}

extern "C" int log_printf(const char* format, ...) {
  char text[256];
  va_list arg;
  va_start(arg, format);
  int length = vsnprintf(text, sizeof text, format, arg);
  va_end(arg);
  if (length <= 0) return 0;
  size_t count = std::min(static_cast<size_t>(length), sizeof text - 1);
  transmit(reinterpret_cast<const uint8_t*>(text), count);
  return static_cast<int>(count);
}

extern "C" const char* pathToFileName(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}
