// arduino-esp32 3.x HardwareSerial: UART 0, the console, and UARTs 1 and 2.
#pragma once

// The chip's header includes this for its callbacks: sketches use std::function without an own
// include.
#include <functional>

#include "Stream.h"

#define SERIAL_8N1 0x800001c

enum SerialHwFlowCtrl {
  UART_HW_FLOWCTRL_DISABLE = 0,
  UART_HW_FLOWCTRL_RTS = 1,
  UART_HW_FLOWCTRL_CTS = 2,
  UART_HW_FLOWCTRL_CTS_RTS = 3
};

typedef enum {
  UART_NO_ERROR,
  UART_BREAK_ERROR,
  UART_BUFFER_FULL_ERROR,
  UART_FIFO_OVF_ERROR,
  UART_FRAME_ERROR,
  UART_PARITY_ERROR
} hardwareSerial_error_t;

typedef std::function<void(void)> OnReceiveCb;
typedef std::function<void(hardwareSerial_error_t)> OnReceiveErrorCb;

/// Sends 10 bits per byte at the baud rate through a transmit FIFO of 128 bytes, and a buffer if
/// one is set: a write blocks while they are full. Receives into a buffer of 256 bytes; when that
/// is full, into the FIFO of 128 bytes, which is emptied when it overflows. With UART 0, further
/// bytes are lost at once.
class HardwareSerial : public Stream {
 public:
  constexpr explicit HardwareSerial(uint8_t uart) : _uart(uart) {}

  /// Starts the UART. The board supports only 8N1, and UART 0 only with its default pins.
  void begin(unsigned long baud, uint32_t config = SERIAL_8N1, int8_t rxPin = -1, int8_t txPin = -1,
             bool invert = false, unsigned long timeout_ms = 20000,
             uint8_t rxfifo_full_thrhd = 120);
  void end();
  void updateBaudRate(unsigned long baud);
  uint32_t baudRate();
  /// Any pins but those of the flash (6 to 11) are accepted; flow control needs its own pins.
  bool setPins(int8_t rxPin, int8_t txPin, int8_t ctsPin = -1, int8_t rtsPin = -1);
  /// RTS is deasserted while the FIFO contains `threshold` bytes; nothing is sent while CTS is
  /// deasserted.
  bool setHwFlowCtrlMode(SerialHwFlowCtrl mode = UART_HW_FLOWCTRL_CTS_RTS, uint8_t threshold = 64);
  /// Has an effect only before begin().
  size_t setRxBufferSize(size_t size);
  /// Has an effect only before begin(). `size`: 0, or more than 128.
  size_t setTxBufferSize(size_t size);
  /// Called in a task when bytes have arrived.
  void onReceive(OnReceiveCb function, bool onlyOnTimeout = false);
  /// Called in the same task when bytes were lost.
  void onReceiveError(OnReceiveErrorCb function);
  void setDebugOutput(bool) {}
  operator bool() const;

  int available() override;
  int availableForWrite() override;
  int peek() override;
  int read() override;
  size_t read(uint8_t* buffer, size_t size);
  size_t read(char* buffer, size_t size) { return read(reinterpret_cast<uint8_t*>(buffer), size); }
  size_t readBytes(char* buffer, size_t length) override {
    return Stream::readBytes(buffer, length);
  }
  size_t readBytes(uint8_t* buffer, size_t length) override {
    return Stream::readBytes(reinterpret_cast<char*>(buffer), length);
  }
  void flush() override;
  void flush(bool transmitOnly);
  size_t write(uint8_t c) override { return write(&c, 1); }
  size_t write(const uint8_t* buffer, size_t size) override;
  using Print::write;
  size_t write(unsigned long n) { return write(static_cast<uint8_t>(n)); }
  size_t write(long n) { return write(static_cast<uint8_t>(n)); }
  size_t write(unsigned int n) { return write(static_cast<uint8_t>(n)); }
  size_t write(int n) { return write(static_cast<uint8_t>(n)); }

 private:
  uint8_t _uart;
};

extern HardwareSerial Serial;
extern HardwareSerial Serial1;
extern HardwareSerial Serial2;
