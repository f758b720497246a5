// arduino-esp32 3.x HardwareSerial: UART 0, the console.
#pragma once

// The chip's has it for its callbacks: sketches use std::function without including it.
#include <functional>

#include "Stream.h"

#define SERIAL_8N1 0x800001c

/// Sends 10 bits per byte at the baud rate through a transmit FIFO of 128 bytes: a write blocks
/// while it is full. Receives into a buffer of 256 bytes; further bytes are lost.
class HardwareSerial : public Stream {
 public:
  /// Starts the UART. The virtual board supports only 8N1 and the default pins.
  void begin(unsigned long baud, uint32_t config = SERIAL_8N1);
  void end();
  void updateBaudRate(unsigned long baud);
  uint32_t baudRate() const { return _baud; }
  size_t setRxBufferSize(size_t size);
  void setDebugOutput(bool) {}
  operator bool() const { return _begun; }

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
  bool _begun = false;
  uint32_t _baud = 0;
};

extern HardwareSerial Serial;
