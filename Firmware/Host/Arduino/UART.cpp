#include "UART.h"

#include <algorithm>

#include "../Runtime/Cores.h"

namespace espbench {
namespace {

constexpr uint32_t kBootBaud = 115200;  ///< The ROM's baud rate, used until begin().
constexpr size_t kReceiveBuffer = 256;  ///< HardwareSerial's default
constexpr uint64_t kRefillBelow = 10;  ///< The FIFO level at which the driver fills the FIFO again.
constexpr uint64_t kBitsPerByte = 10;
constexpr uint64_t kNanosecondsPerSecond = 1000000000;
constexpr uint64_t kBitNanoseconds = kBitsPerByte * kNanosecondsPerSecond;
/// The interval at which a waiting writer checks CTS.
constexpr uint64_t kHeldNanoseconds = kTickNanoseconds;

constexpr UART idle(uint32_t port) {
  UART uart = {};
  uart.port = port;
  uart.baud = kBootBaud;
  uart.ringCapacity = kReceiveBuffer;
  uart.threshold = 64;
  return uart;
}

}  // namespace

UART uarts[kUARTs] = {idle(0), idle(1), idle(2)};

uint64_t UART::sendingTime(uint64_t bytes) const { return bytes * kBitNanoseconds / baud; }

uint64_t UART::unsent() const {
  if (isHeld) return heldBytes;
  uint64_t time = now();
  if (lineFreeAt <= time) return 0;
  return ((lineFreeAt - time) * baud + kBitNanoseconds - 1) / kBitNanoseconds;
}

uint64_t UART::room() const {
  uint64_t capacity = kUARTFIFOSize + transmitBuffer;
  return capacity - std::min(capacity, unsent());
}

void UART::put(const uint8_t* bytes, uint64_t count) {
  uint64_t start = std::max(lineFreeAt, now());
  bool follows = start == lineFreeAt;
  if (!follows || burstBytes == 0) burstStart = start, burstBytes = 0;
  if (isHeld) {
    heldBytes += count;
  } else {
    burstBytes += count;
    lineFreeAt = burstStart + sendingTime(burstBytes);
  }
  if (follows && extendLastOutput(port, bytes, count)) return;
  cfc_serial_output output = {port, 0, start};
  send(CFC_SERIAL_OUTPUT, &output, sizeof output, bytes, count);
}

void UART::transmit(const uint8_t* bytes, uint64_t count) {
  while (count > 0) {
    uint64_t part = std::min(room(), count);
    if (part > 0) put(bytes, part);
    bytes += part;
    count -= part;
    if (count == 0) return;
    if (isHeld) {
      spend(kHeldNanoseconds);
      continue;
    }
    // The driver moves bytes from its ring to the FIFO when the FIFO is nearly empty.
    uint64_t roomAt = lineFreeAt - sendingTime(kRefillBelow + transmitBuffer);
    if (roomAt > now()) spend(roomAt - now());
  }
}

void UART::drain() {
  while (isHeld && heldBytes > 0) spend(kHeldNanoseconds);
  if (lineFreeAt > now()) spend(lineFreeAt - now());
}

void UART::tellBaud(uint32_t rate) {
  cfc_serial_begin begin = {port, rate};
  send(CFC_SERIAL_BEGIN, &begin, sizeof begin);
}

void UART::open(uint32_t rate) {
  drain();
  if (ring == nullptr) ring = new uint8_t[ringCapacity];
  discardReceived();
  isOpen = true;
  burstBytes = 0;
  baud = rate;
  tellBaud(rate);
  updateReady();
}

void UART::close() {
  drain();
  isOpen = false;
  updateReady();
  tellBaud(0);
}

void UART::setBaud(uint32_t rate) {
  drain();
  burstBytes = 0;
  baud = rate;
  tellBaud(rate);
}

void UART::receive(const uint8_t* bytes, size_t count) {
  if (!isOpen) return;
  for (size_t i = 0; i < count; i++) {
    if (ringCount < ringCapacity && fifoCount == 0) {
      ring[(ringStart + ringCount++) % ringCapacity] = bytes[i];
    } else if (port == 0) {
      return;
    } else if (fifoCount < kUARTFIFOSize) {
      fifo[fifoCount++] = bytes[i];
    } else {
      // ESP-IDF's driver resets a FIFO that has overflowed (UART_INTR_RXFIFO_OVF).
      fifoCount = 0;
      hasOverflowed = true;
    }
  }
  hasArrived = true;
  updateReady();
  wakeByBoard(waiters);
}

void UART::refill() {
  if (fifoCount == 0) return;
  size_t part = std::min(fifoCount, ringCapacity - ringCount);
  for (size_t i = 0; i < part; i++) ring[(ringStart + ringCount++) % ringCapacity] = fifo[i];
  fifoCount -= part;
  for (size_t i = 0; i < fifoCount; i++) fifo[i] = fifo[i + part];
  updateReady();
}

int UART::take() {
  if (ringCount == 0) return -1;
  uint8_t byte = ring[ringStart];
  ringStart = (ringStart + 1) % ringCapacity;
  // The driver empties the FIFO into its ring when the ring has room for all bytes.
  if (--ringCount + fifoCount <= ringCapacity) refill();
  return byte;
}

void UART::discardReceived() {
  ringCount = fifoCount = 0;
  updateReady();
}

void UART::updateReady() {
  bool ready = isOpen && usesRTS && fifoCount < threshold;
  if (ready == isReady) return;
  isReady = ready;
  cfc_serial_line line = {port, ready};
  send(CFC_SERIAL_READY, &line, sizeof line);
}

void UART::setClearToSend(bool isGiven) {
  bool holds = usesCTS && !isGiven;
  if (holds == isHeld) return;
  if (holds) {
    heldBytes = unsent();
    isHeld = true;
    return;
  }
  isHeld = false;
  burstStart = now();
  burstBytes = heldBytes;
  heldBytes = 0;
  lineFreeAt = burstStart + sendingTime(burstBytes);
}

void serialInput(uint32_t port, const uint8_t* bytes, size_t length) {
  if (port < kUARTs) uarts[port].receive(bytes, length);
}

void serialClearToSend(uint32_t port, bool isGiven) {
  if (port < kUARTs) uarts[port].setClearToSend(isGiven);
}

}  // namespace espbench
