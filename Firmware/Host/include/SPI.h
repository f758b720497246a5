// arduino-esp32 3.x SPI: masters on the buses FSPI, HSPI and VSPI, which have any pins.
//
// A transfer takes the time of its bits at the bus's clock, and the task computes meanwhile, as on
// the chip. Before begin(), or after end(), nothing is sent: transfer() returns 0, and
// transferBytes() leaves its output as it is.
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "esp32-hal-spi.h"
#include "freertos/FreeRTOS.h"
#include "freertos/semphr.h"

#define ESPBENCH_UNAVAILABLE(name) \
  __attribute__((unavailable(name " is not in espbench's host core")))

class SPISettings {
 public:
  SPISettings() {}
  SPISettings(uint32_t clock, uint8_t bitOrder, uint8_t dataMode)
      : _clock(clock), _bitOrder(bitOrder), _dataMode(dataMode) {}
  uint32_t _clock = 1000000;
  uint8_t _bitOrder = SPI_MSBFIRST;
  uint8_t _dataMode = SPI_MODE0;
};

struct spi_struct_t;
typedef struct spi_struct_t spi_t;

class SPIClass {
 public:
  SPIClass(uint8_t spi_bus = HSPI);
  ~SPIClass();

  /// Without pins: 18, 19, 23 and 5 for VSPI, otherwise 14, 12, 13 and 15. Only setHwCs() uses the
  /// fourth.
  void begin(int8_t sck = -1, int8_t miso = -1, int8_t mosi = -1, int8_t ss = -1);
  void end();

  /// The bus itself sets SS low during each transfer, of which it makes several when there are more
  /// than 64 bytes.
  void setHwCs(bool use);
  void setSSInvert(bool invert);
  void setBitOrder(uint8_t bitOrder);
  void setDataMode(uint8_t dataMode);
  /// The clock is the nearest below that dividers of 80 MHz give.
  void setFrequency(uint32_t freq);
  void setClockDivider(uint32_t clockDiv);
  uint32_t getClockDivider();

  /// The bus belongs to the calling task until endTransaction(). A second call waits for ever.
  void beginTransaction(SPISettings settings);
  void endTransaction(void);

  void transfer(void* data, uint32_t size);
  uint8_t transfer(uint8_t data);
  uint16_t transfer16(uint16_t data);
  uint32_t transfer32(uint32_t data);
  /// `data` may be NULL, which sends 0xFF, and so may `out`.
  void transferBytes(const uint8_t* data, uint8_t* out, uint32_t size);

  void write(uint8_t data) { transfer(data); }
  void write16(uint16_t data) { transfer16(data); }
  void write32(uint32_t data) { transfer32(data); }
  void writeBytes(const uint8_t* data, uint32_t size);
  /// 16-bit numbers in the order of the chip's memory; the first is sent first.
  void writePixels(const void* data, uint32_t size);
  /// `size` is 64 at most.
  void writePattern(const uint8_t* data, uint8_t size, uint32_t repeat);
  ESPBENCH_UNAVAILABLE("SPIClass::transferBits")
  void transferBits(uint32_t data, uint32_t* out, uint8_t bits);
  ESPBENCH_UNAVAILABLE("SPIClass::bus") spi_t* bus();
  int8_t pinSS() { return _ss; }

 private:
  class Access;
  void attachPins();
  void exchange(const uint8_t* data, uint8_t* out, uint32_t size);
  uint32_t swapped(uint32_t data, int bytes);

  uint8_t _spi_num;
  spi_t* _spi = nullptr;
  bool _use_hw_ss = false;
  bool _invertsSS = false;
  int8_t _sck = -1, _miso = -1, _mosi = -1, _ss = -1;
  uint32_t _div = 0;
  uint32_t _freq = 1000000;
  bool _inTransaction = false;
  SemaphoreHandle_t paramLock;
};

#undef ESPBENCH_UNAVAILABLE

// Inline, so that only programs that include this header contain it, as on the chip.
// (The host core's own file, which all programs contain, does without.)
#ifndef ESPBENCH_NO_INSTANCES
inline SPIClass SPI{VSPI};
#endif
