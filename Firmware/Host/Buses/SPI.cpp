// SPI masters: each transfer is a call to the board, which knows what is wired to the pins.
#define ESPBENCH_NO_INSTANCES
#include "SPI.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "../Arduino/PinOwners.h"
#include "../Arduino/Sleep.h"
#include "../Runtime/Runtime.h"
#include "esp32-hal-log.h"
#include "pins_arduino.h"

/// A bus, for all objects of its number.
struct spi_struct_t {
  SemaphoreHandle_t lock;
  uint32_t divider;
  uint8_t mode, bitOrder;
};

namespace {

constexpr uint8_t kBuses = 4;
constexpr uint8_t kInput = 0x01, kDriven = 0x02;  // pinMode()'s bits
constexpr uint32_t kSource = 80000000;            // the APB clock
constexpr uint64_t kSecond = 1000000000;
constexpr uint32_t kUndivided = 0x80000000, kSlowest = 0x7FFFF000;
constexpr uint32_t kFIFOSize = 64;
/// The most bytes of one message.
constexpr uint32_t kMaximumPart = 4096;

spi_t buses[kBuses];

// The register of the clock: bits 12 to 17 are a divider less 1, bits 18 to 30 another.
uint32_t registerFor(uint32_t divider, uint32_t predivider) {
  return (predivider - 1) << 18 | (divider - 1) << 12 | divider / 2;
}
uint32_t hertzOf(uint32_t clock) {
  return kSource / (((clock >> 18 & 0x1FFF) + 1) * ((clock >> 12 & 0x3F) + 1));
}

/// As arduino-esp32's spiFrequencyToClockDiv: of the clocks that are not too fast, the fastest, and
/// of equal ones that with the smallest divider.
uint32_t registerOf(uint32_t hertz) {
  if (hertz >= kSource) return kUndivided;
  if (hertz < hertzOf(kSlowest)) return kSlowest;
  uint32_t best = 0, bestHertz = 0;
  for (uint32_t divider = 2; divider <= 64; divider++) {
    const uint32_t near = std::max(kSource / divider / hertz, 1u);
    for (uint32_t predivider = near; predivider <= near + 1 && predivider <= 0x2000; predivider++) {
      const uint32_t candidate = registerFor(divider, predivider);
      if (hertzOf(candidate) > hertz || hertzOf(candidate) <= bestHertz) continue;
      best = candidate;
      bestHertz = hertzOf(candidate);
    }
  }
  return best;
}

/// Pins belong to a bus only as long as another peripheral does not take them: the bus goes on
/// without them.
void detach(void* pin) { *static_cast<int8_t*>(pin) = -1; }

void attach(int8_t& pin, uint8_t mode) {
  if (pin < 0) return;
  espbench::claimPin(static_cast<unsigned>(pin), detach, &pin);
  espbench::configurePin(static_cast<unsigned>(pin), mode);
}

void release(int8_t& pin) {
  if (pin >= 0) espbench::releasePin(static_cast<unsigned>(pin));
}

}  // namespace

/// The bus for one access; within a transaction the task has it already.
class SPIClass::Access {
 public:
  explicit Access(SPIClass& owner)
      : _bus(owner._spi), _locks(owner._spi != nullptr && !owner._inTransaction) {
    if (_locks) xSemaphoreTake(_bus->lock, portMAX_DELAY);
  }
  ~Access() {
    if (_locks) xSemaphoreGive(_bus->lock);
  }

 private:
  spi_t* _bus;
  bool _locks;
};

SPIClass::SPIClass(uint8_t spi_bus) : _spi_num(spi_bus), paramLock(xSemaphoreCreateMutex()) {}

SPIClass::~SPIClass() {
  end();
  if (paramLock != nullptr) vSemaphoreDelete(paramLock);
}

void SPIClass::begin(int8_t sck, int8_t miso, int8_t mosi, int8_t ss) {
  if (_spi != nullptr || _spi_num >= kBuses) return;
  if (_div == 0) _div = registerOf(_freq);
  spi_t& bus = buses[_spi_num];
  if (bus.lock == nullptr) bus.lock = xSemaphoreCreateMutex();
  if (bus.lock == nullptr) return;
  _spi = &bus;
  bus.divider = _div;
  bus.mode = SPI_MODE0;
  bus.bitOrder = SPI_MSBFIRST;
  const bool isDefault = sck == -1 && miso == -1 && mosi == -1 && ss == -1;
  const bool isVSPI = _spi_num == VSPI;
  _sck = isDefault ? (isVSPI ? SCK : 14) : sck;
  _miso = isDefault ? (isVSPI ? MISO : 12) : miso;
  _mosi = isDefault ? (isVSPI ? MOSI : 13) : mosi;
  _ss = isDefault ? (isVSPI ? SS : 15) : ss;
  attachPins();
}

void SPIClass::attachPins() {
  // As on the chip, the pins behind one that cannot be used are not attached.
  for (auto [pin, mode] :
       {std::pair(&_sck, kDriven), std::pair(&_miso, kInput), std::pair(&_mosi, kDriven)}) {
    const auto number = static_cast<unsigned>(*pin);
    if (*pin < 0 && pin != &_sck) continue;
    if (mode == kDriven ? espbench::hasOutput(number) : espbench::isPin(number)) {
      attach(*pin, mode);
      continue;
    }
    log_e("Attaching pins to SPI failed.");
    if (*pin >= 0) {
      espbench::ignorePin(number,
                          espbench::isPin(number) ? CFC_IGNORED_NO_OUTPUT : CFC_IGNORED_NO_PIN);
    }
    for (int8_t* rest : {&_sck, &_miso, &_mosi}) {
      if (espbench::ownerOfPin(static_cast<unsigned>(*rest), detach) != rest) *rest = -1;
    }
    return;
  }
}

void SPIClass::end() {
  if (_spi == nullptr) return;
  for (int8_t* pin : {&_sck, &_miso, &_mosi}) release(*pin);
  setHwCs(false);
  _spi = nullptr;
}

void SPIClass::setHwCs(bool use) {
  if (_ss < 0) return;
  if (use && !_use_hw_ss && _spi != nullptr) {
    attach(_ss, kDriven);
    espbench::setOutput(static_cast<unsigned>(_ss), !_invertsSS);
  } else if (!use && _use_hw_ss) {
    // The number remains, for the next setHwCs(true).
    const int8_t pin = _ss;
    release(_ss);
    _ss = pin;
  }
  _use_hw_ss = use;
}

void SPIClass::setSSInvert(bool invert) {
  if (_spi == nullptr) return;
  _invertsSS = invert;
  if (_use_hw_ss && _ss >= 0) espbench::setOutput(static_cast<unsigned>(_ss), !invert);
}

void SPIClass::setFrequency(uint32_t freq) {
  xSemaphoreTake(paramLock, portMAX_DELAY);
  if (_freq != freq || _div != getClockDivider()) {
    _freq = freq;
    _div = registerOf(freq);
    if (_spi != nullptr) _spi->divider = _div;
  }
  xSemaphoreGive(paramLock);
}

void SPIClass::setClockDivider(uint32_t clockDiv) {
  xSemaphoreTake(paramLock, portMAX_DELAY);
  _div = clockDiv;
  if (_spi != nullptr) _spi->divider = _div;
  xSemaphoreGive(paramLock);
}

uint32_t SPIClass::getClockDivider() { return _spi != nullptr ? _spi->divider : 0; }

void SPIClass::setDataMode(uint8_t dataMode) {
  if (_spi != nullptr) _spi->mode = dataMode <= SPI_MODE3 ? dataMode : SPI_MODE0;
}

void SPIClass::setBitOrder(uint8_t bitOrder) {
  if (_spi != nullptr && bitOrder <= SPI_MSBFIRST) _spi->bitOrder = bitOrder;
}

void SPIClass::beginTransaction(SPISettings settings) {
  xSemaphoreTake(paramLock, portMAX_DELAY);
  if (_freq != settings._clock || _div != getClockDivider()) {
    _freq = settings._clock;
    _div = registerOf(_freq);
  }
  if (_spi != nullptr) {
    xSemaphoreTake(_spi->lock, portMAX_DELAY);
    _spi->divider = _div;
    setDataMode(settings._dataMode);
    setBitOrder(settings._bitOrder);
  }
  _inTransaction = true;
}

void SPIClass::endTransaction() {
  if (!_inTransaction) return;
  _inTransaction = false;
  if (_spi != nullptr) xSemaphoreGive(_spi->lock);
  xSemaphoreGive(paramLock);
}

void SPIClass::exchange(const uint8_t* data, uint8_t* out, uint32_t size) {
  if (_spi == nullptr) return;
  const bool selects = _use_hw_ss && _ss >= 0;
  const uint32_t most = selects ? kFIFOSize : kMaximumPart;
  while (size > 0) {
    const uint32_t part = std::min(size, most);
    cfc_spi transfer = {};
    transfer.sck = static_cast<uint8_t>(_sck);
    transfer.miso = static_cast<uint8_t>(_miso);
    transfer.mosi = static_cast<uint8_t>(_mosi);
    transfer.mode = _spi->mode;
    transfer.bit_order = _spi->bitOrder;
    transfer.clock_hz = (_spi->divider & kUndivided) != 0 ? kSource : hertzOf(_spi->divider);
    transfer.count = part;
    if (selects) espbench::setOutput(static_cast<unsigned>(_ss), _invertsSS);
    if (data != nullptr) {
      espbench::call(CFC_SPI, &transfer, sizeof transfer, data, part, out, out ? part : 0);
    } else {
      uint8_t ones[kFIFOSize];
      memset(ones, 0xFF, sizeof ones);
      transfer.count = std::min(part, kFIFOSize);
      espbench::call(CFC_SPI, &transfer, sizeof transfer, ones, transfer.count, out,
                     out ? transfer.count : 0);
    }
    const uint64_t bits = 8 * transfer.count;
    espbench::spend((bits * kSecond + transfer.clock_hz - 1) / transfer.clock_hz);
    if (selects) espbench::setOutput(static_cast<unsigned>(_ss), !_invertsSS);
    if (data != nullptr) data += transfer.count;
    if (out != nullptr) out += transfer.count;
    size -= transfer.count;
  }
}

/// The number whose bytes in memory are those of `data` in the order on the line.
uint32_t SPIClass::swapped(uint32_t data, int bytes) {
  if (_spi == nullptr || _spi->bitOrder != SPI_MSBFIRST) return data;
  return __builtin_bswap32(data) >> (32 - 8 * bytes);
}

uint8_t SPIClass::transfer(uint8_t data) {
  Access access(*this);
  uint8_t received = 0;
  exchange(&data, &received, sizeof data);
  return received;
}

uint16_t SPIClass::transfer16(uint16_t data) {
  Access access(*this);
  const auto sent = static_cast<uint16_t>(swapped(data, 2));
  uint16_t received = 0;
  exchange(reinterpret_cast<const uint8_t*>(&sent), reinterpret_cast<uint8_t*>(&received), 2);
  return static_cast<uint16_t>(swapped(received, 2));
}

uint32_t SPIClass::transfer32(uint32_t data) {
  Access access(*this);
  const uint32_t sent = swapped(data, 4);
  uint32_t received = 0;
  exchange(reinterpret_cast<const uint8_t*>(&sent), reinterpret_cast<uint8_t*>(&received), 4);
  return swapped(received, 4);
}

void SPIClass::transfer(void* data, uint32_t size) {
  transferBytes(static_cast<const uint8_t*>(data), static_cast<uint8_t*>(data), size);
}

void SPIClass::transferBytes(const uint8_t* data, uint8_t* out, uint32_t size) {
  Access access(*this);
  exchange(data, out, size);
}

void SPIClass::writeBytes(const uint8_t* data, uint32_t size) {
  transferBytes(data, nullptr, size);
}

void SPIClass::writePixels(const void* data, uint32_t size) {
  Access access(*this);
  const auto* bytes = static_cast<const uint8_t*>(data);
  uint8_t swaps[kFIFOSize];
  const bool isSwapped = _spi != nullptr && _spi->bitOrder == SPI_MSBFIRST;
  while (size > 0) {
    const uint32_t part = std::min(size, kFIFOSize);
    for (uint32_t i = 0; i < part; i++) swaps[i] = bytes[isSwapped && (i ^ 1) < part ? i ^ 1 : i];
    exchange(swaps, nullptr, part);
    bytes += part;
    size -= part;
  }
}

void SPIClass::writePattern(const uint8_t* data, uint8_t size, uint32_t repeat) {
  if (size > kFIFOSize || size == 0) return;
  uint8_t patterns[kFIFOSize];
  const uint32_t inFIFO = kFIFOSize / size;
  for (uint32_t i = 0; i < inFIFO * size; i++) patterns[i] = data[i % size];
  while (repeat > 0) {
    const uint32_t part = std::min(repeat, inFIFO);
    writeBytes(patterns, part * size);
    repeat -= part;
  }
}
