// arduino-esp32 3.x Wire: the two I2C buses, as masters or slaves.
//
// endTransmission() returns what arduino-esp32 3.3 returns on the chip: 0, 2 for a missing device
// only if no byte was written, 5 for a time-out in that case, and 4 for every other failure, such
// as a device that does not acknowledge its address or a byte of data. A byte too many is not
// stored, and not reported; there is no result 1 or 3.
//
// As a slave the ESP32 cannot hold the clock: a master reads what was prepared before, by
// slaveWrite() or by the onRequest() of the read before. onReceive() and onRequest() run in the
// task "i2c_slave_task", after the STOP.
#pragma once
// As in Print.h.
#pragma GCC system_header

#include "HardwareI2C.h"
#include "esp32-hal.h"
#include "freertos/semphr.h"
#include "freertos/task.h"

#define WIRE_HAS_BUFFER_SIZE 1
#define WIRE_HAS_END 1

#ifndef I2C_BUFFER_LENGTH
#define I2C_BUFFER_LENGTH 128
#endif

class TwoWire : public HardwareI2C {
 public:
  TwoWire(uint8_t bus_num) : num(bus_num & 1) {}
  ~TwoWire();

  /// The pins of begin(); not while the bus is started.
  bool setPins(int sda, int scl);
  /// On pins 21 and 22 unless others are set; Wire1 has no default.
  bool begin() override final { return begin(-1, -1); }
  /// `frequency` in Hz; 0 is 100 kHz. True if the bus runs, also if it did before.
  bool begin(int sda, int scl, uint32_t frequency = 0);
  bool end() override;
  /// Takes effect, but returns false before the first transaction with data, as on the chip.
  bool setClock(uint32_t freq) override;
  uint32_t getClock();
  /// Of a transaction, in milliseconds; 50 at first.
  void setTimeOut(uint16_t timeOutMillis) { _timeOutMillis = timeOutMillis; }
  uint16_t getTimeOut() { return static_cast<uint16_t>(_timeOutMillis); }
  /// Of both buffers, at least 32. Returns the size, or 0.
  size_t setBufferSize(size_t bSize);

  /// The bus belongs to the calling task until its endTransmission() or requestFrom().
  void beginTransmission(uint8_t address) override;
  /// Without STOP nothing is sent yet: requestFrom() of the same address sends and reads, with a
  /// repeated START.
  uint8_t endTransmission(bool stopBit) override;
  uint8_t endTransmission() override { return endTransmission(true); }
  /// Always ends with STOP. Returns the number of bytes, which is 0 if the transaction fails. Like
  /// on the chip, more bytes than the buffer has are written past its end.
  size_t requestFrom(uint8_t address, size_t len, bool stopBit) override;
  size_t requestFrom(uint8_t address, size_t len) override {
    return requestFrom(address, len, true);
  }

  size_t write(uint8_t data) override;
  size_t write(const uint8_t* data, size_t quantity) override;
  int available() override { return static_cast<int>(rxLength - rxIndex); }
  int read() override;
  int peek() override;
  void flush() override { rxIndex = rxLength = txLength = 0; }

  /// The bus as a slave, on the pins of begin(). False, as is the other begin(), while the bus is
  /// started as the other of both.
  bool begin(uint8_t address) override final { return begin(address, -1, -1, 0); }
  bool begin(uint8_t slaveAddr, int sda, int scl, uint32_t frequency);
  /// Called with the number of bytes of a write, which read() gives until the next one.
  void onReceive(const std::function<void(int)>& function) override { user_onReceive = function; }
  /// Called when a master has read. What it writes, at most the buffer, is for the next read, and
  /// replaces what is left for that.
  void onRequest(const std::function<void()>& function) override { user_onRequest = function; }
  /// Sets what a master reads next. Returns the bytes that have room.
  size_t slaveWrite(const uint8_t* buffer, size_t len);

 protected:
  uint8_t num;
  int8_t sda = -1;
  int8_t scl = -1;
  size_t bufferSize = I2C_BUFFER_LENGTH;
  uint8_t* rxBuffer = nullptr;
  size_t rxIndex = 0;
  size_t rxLength = 0;
  uint8_t* txBuffer = nullptr;
  size_t txLength = 0;
  uint16_t txAddress = 0;
  uint32_t _timeOutMillis = 50;
  bool nonStop = false;
  TaskHandle_t currentTaskHandle = nullptr;
  SemaphoreHandle_t lock = nullptr;
  bool is_slave = false;
  std::function<void()> user_onRequest;
  std::function<void(int)> user_onReceive;

 private:
  static void onRequestService(uint8_t num, void* arg);
  static void onReceiveService(uint8_t num, uint8_t* inBytes, size_t numBytes, bool stop,
                               void* arg);
  bool isSlaveLogged();
  bool takeLock(bool creates);
  bool takeTransaction();
  void endOfTransaction();
  bool initPins(int sdaPin, int sclPin);
  bool allocateWireBuffer();
  void freeWireBuffer();
};

// Inline, so that only programs that include this header contain them, as on the chip.
// (The host core's own file, which all programs contain, does without.)
#ifndef ESPBENCH_NO_INSTANCES
inline TwoWire Wire{0};
inline TwoWire Wire1{1};
#endif
