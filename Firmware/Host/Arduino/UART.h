// The chip's UARTs: transmitter, receiver and their driver's buffers.
#ifndef ESPBENCH_UART_H
#define ESPBENCH_UART_H

#include <cstddef>
#include <cstdint>

#include "../Runtime/Runtime.h"

namespace espbench {

constexpr int kUARTs = 3;
constexpr uint64_t kUARTFIFOSize = 128;

/// One UART. Plain data: used before constructors have run.
struct UART {
  uint32_t port;
  uint32_t baud;  ///< of the transmitter; UART 0 has the ROM's rate until begin()
  bool isOpen;

  // The transmitter.
  uint64_t lineFreeAt;  ///< The end of the last byte to send.
  // The number of bytes without a gap up to lineFreeAt, so that rounding errors do not accumulate.
  uint64_t burstStart, burstBytes;
  size_t transmitBuffer;  ///< bytes, in addition to the FIFO
  bool isHeld;            ///< CTS is not asserted: nothing is sent
  uint64_t heldBytes;     ///< bytes to send once CTS is asserted

  // The receiver: the driver's ring, and the FIFO behind it.
  uint8_t* ring;
  size_t ringCapacity, ringStart, ringCount;
  uint8_t fifo[kUARTFIFOSize];
  size_t fifoCount;
  bool usesCTS, usesRTS;
  uint8_t threshold;  ///< RTS is deasserted when the FIFO holds this many bytes
  bool isReady;       ///< last RTS state reported to the board

  // Where the task of the callbacks waits.
  WaitList waiters;
  bool hasArrived, hasOverflowed;

  /// Starts the UART; `baud` is not 0.
  void open(uint32_t baud);
  /// Sends the remaining bytes, and stops.
  void close();
  void setBaud(uint32_t baud);
  /// Sends bytes through FIFO and buffer; returns when the last one has entered them.
  void transmit(const uint8_t* bytes, uint64_t count);
  /// Returns when everything has been sent.
  void drain();
  /// The number of bytes that transmit() accepts at once.
  uint64_t room() const;
  /// Receives bytes from the far end.
  void receive(const uint8_t* bytes, size_t count);
  /// Removes and returns a byte of the ring; -1 when it is empty.
  int take();
  void discardReceived();
  /// The far end asserts or deasserts CTS.
  void setClearToSend(bool isGiven);
  /// Sends the board the current level of RTS.
  void updateReady();

 private:
  uint64_t unsent() const;
  uint64_t sendingTime(uint64_t bytes) const;
  void put(const uint8_t* bytes, uint64_t count);
  void tellBaud(uint32_t baud);
  void refill();
};

extern UART uarts[kUARTs];

}  // namespace espbench

#endif
