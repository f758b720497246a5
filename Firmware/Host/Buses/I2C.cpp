// I2C masters: each transaction is a call to the board, which knows what is wired to the pins.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "../Arduino/PinOwners.h"
#include "../Arduino/Sleep.h"
#include "../Runtime/Heap.h"
#include "../Runtime/Runtime.h"
#include "esp32-hal-i2c.h"
#include "esp32-hal-log.h"
#include "freertos/FreeRTOS.h"
#include "freertos/semphr.h"

namespace {

constexpr uint8_t kBuses = 2;
constexpr uint8_t kInput = 0x01, kPullUp = 0x04;  // pinMode()'s bits
constexpr uint16_t kAddresses = 128;
constexpr uint32_t kDefaultHertz = 100000, kMaximumHertz = 1000000;
constexpr uint64_t kMillisecond = 1000000;
/// The most bytes of one reply; reading more takes longer than any usual time-out of a bus.
constexpr size_t kMaximumRead = 32768;

struct Bus {
  bool isInitialized;
  bool hasDevices;  ///< a device was written to or read
  uint32_t frequency;
  SemaphoreHandle_t lock;
  int8_t scl, sda;
};
Bus buses[kBuses];

/// A bus that a task has taken, in the way of arduino-esp32's functions.
class TakenBus {
 public:
  explicit TakenBus(uint8_t number) : _lock(buses[number].lock) {
    _isTaken = _lock != nullptr && xSemaphoreTake(_lock, portMAX_DELAY) == pdTRUE;
    if (!_isTaken) {
      log_e("could not acquire lock");
    } else if (!buses[number].isInitialized) {
      log_e("bus is not initialized");
    } else {
      _isReady = true;
    }
  }
  ~TakenBus() {
    if (_isTaken) xSemaphoreGive(_lock);
  }
  explicit operator bool() const { return _isReady; }

 private:
  SemaphoreHandle_t _lock;
  bool _isTaken = false, _isReady = false;
};

uint32_t limited(uint32_t hertz) {
  return hertz == 0 ? kDefaultHertz : std::min(hertz, kMaximumHertz);
}

void detach(void* bus) {
  const auto number = static_cast<uint8_t>(static_cast<Bus*>(bus) - buses);
  if (!buses[number].isInitialized) return;
  const esp_err_t error = i2cDeinit(number);
  if (error != ESP_OK) log_e("i2cDeinit failed with error: %d", error);
}

/// A pin of a bus is an input and an output with open drain. GPIO 34 to 39 have no output.
bool isUsable(int8_t pin) {
  if (pin >= 0 && espbench::hasOutput(static_cast<unsigned>(pin))) return true;
  espbench::ignorePin(static_cast<unsigned>(static_cast<uint8_t>(pin)),
                      pin >= 0 && espbench::isPin(static_cast<unsigned>(pin))
                          ? CFC_IGNORED_NO_OUTPUT
                          : CFC_IGNORED_NO_PIN);
  return false;
}

/// Runs a transaction; the calling task waits while it is on the bus.
int32_t transact(Bus& bus, cfc_i2c transaction, const uint8_t* written, size_t writeCount,
                 uint8_t* read) {
  transaction.sda = static_cast<uint8_t>(bus.sda);
  transaction.scl = static_cast<uint8_t>(bus.scl);
  transaction.clock_hz = bus.frequency;
  bus.hasDevices |= writeCount + transaction.read_count > 0;
  cfc_i2c_result result;
  const size_t length = sizeof result + transaction.read_count;
  uint8_t* reply;
  {
    espbench::HostScope own;
    reply = static_cast<uint8_t*>(malloc(length));
    if (reply == nullptr) abort();
  }
  const int32_t status =
      espbench::call(CFC_I2C, &transaction, sizeof transaction, written, writeCount, reply, length);
  memcpy(&result, reply, sizeof result);
  if (status == CFC_I2C_DONE && read != nullptr) {
    memcpy(read, reply + sizeof result, transaction.read_count);
  }
  {
    espbench::HostScope own;
    free(reply);
  }
  espbench::sleepUntil(espbench::now() + result.duration_ns);
  return status;
}

cfc_i2c transactionWith(uint16_t address, uint32_t flags, size_t readCount, uint32_t milliseconds) {
  cfc_i2c transaction = {};
  transaction.address = address;
  transaction.flags = flags;
  transaction.read_count = static_cast<uint32_t>(readCount);
  transaction.timeout_ns = milliseconds * kMillisecond;
  return transaction;
}

esp_err_t logFailure(const char* function, esp_err_t error) {
  log_e("%s failed: [%d] %s", function, error, esp_err_to_name(error));
  return error;
}

}  // namespace

extern "C" {

bool i2cIsInit(uint8_t i2c_num) { return i2c_num < kBuses && buses[i2c_num].isInitialized; }

esp_err_t i2cInit(uint8_t i2c_num, int8_t sda, int8_t scl, uint32_t frequency) {
  if (i2c_num >= kBuses) return ESP_ERR_INVALID_ARG;
  Bus& bus = buses[i2c_num];
  if (bus.lock == nullptr) bus.lock = xSemaphoreCreateMutex();
  if (bus.lock == nullptr) {
    log_e("xSemaphoreCreateMutex failed");
    return ESP_ERR_NO_MEM;
  }
  xSemaphoreTake(bus.lock, portMAX_DELAY);
  esp_err_t error = ESP_OK;
  if (bus.isInitialized) {
    log_e("bus is already initialized");
    error = ESP_FAIL;
  } else if (!isUsable(sda) || !isUsable(scl)) {
    error = logFailure("i2c_new_master_bus", ESP_ERR_INVALID_ARG);
  } else {
    // Another bus or peripheral that has the pins ends; this bus does not have them yet.
    for (int8_t pin : {sda, scl}) {
      espbench::claimPin(static_cast<unsigned>(pin), detach, &bus);
      espbench::configurePin(static_cast<unsigned>(pin), kInput | kPullUp);
    }
    bus.frequency = limited(frequency);
    bus.hasDevices = false;
    bus.sda = sda;
    bus.scl = scl;
    bus.isInitialized = true;
  }
  xSemaphoreGive(bus.lock);
  return error;
}

esp_err_t i2cDeinit(uint8_t i2c_num) {
  if (i2c_num >= kBuses) return ESP_ERR_INVALID_ARG;
  Bus& bus = buses[i2c_num];
  TakenBus taken(i2c_num);
  if (!taken) return ESP_FAIL;
  bus.isInitialized = false;
  for (int8_t pin : {bus.scl, bus.sda}) {
    if (espbench::ownerOfPin(static_cast<unsigned>(pin), detach) == &bus) {
      espbench::releasePin(static_cast<unsigned>(pin));
    }
  }
  bus.scl = bus.sda = -1;
  return ESP_OK;
}

esp_err_t i2cSetClock(uint8_t i2c_num, uint32_t frequency) {
  if (i2c_num >= kBuses) return ESP_ERR_INVALID_ARG;
  TakenBus taken(i2c_num);
  if (!taken) return ESP_FAIL;
  Bus& bus = buses[i2c_num];
  if (bus.frequency == frequency) return ESP_OK;
  bus.frequency = limited(frequency);
  // The result is that of changing the devices so far.
  return bus.hasDevices ? ESP_OK : ESP_FAIL;
}

esp_err_t i2cGetClock(uint8_t i2c_num, uint32_t* frequency) {
  if (i2c_num >= kBuses) return ESP_ERR_INVALID_ARG;
  if (!buses[i2c_num].isInitialized) {
    log_e("bus is not initialized");
    return ESP_FAIL;
  }
  *frequency = buses[i2c_num].frequency;
  return ESP_OK;
}

esp_err_t i2cWrite(uint8_t i2c_num, uint16_t address, const uint8_t* buff, size_t size,
                   uint32_t timeOutMillis) {
  if (i2c_num >= kBuses) return ESP_ERR_INVALID_ARG;
  if (address >= kAddresses) {
    log_e("Only 7bit I2C addresses are supported");
    return ESP_ERR_INVALID_ARG;
  }
  TakenBus taken(i2c_num);
  if (!taken) return ESP_FAIL;
  const int32_t status =
      transact(buses[i2c_num], transactionWith(address, CFC_I2C_WRITES, 0, timeOutMillis), buff,
               size, nullptr);
  if (status == CFC_I2C_DONE) return ESP_OK;
  if (size == 0 && status == CFC_I2C_NO_ADDRESS) return ESP_ERR_NOT_FOUND;
  if (size == 0 && status == CFC_I2C_TIMEOUT) return ESP_ERR_TIMEOUT;
  return logFailure("i2c_master_transmit", ESP_ERR_INVALID_STATE);
}

esp_err_t i2cRead(uint8_t i2c_num, uint16_t address, uint8_t* buff, size_t size,
                  uint32_t timeOutMillis, size_t* readCount) {
  *readCount = 0;
  if (i2c_num >= kBuses) return ESP_ERR_INVALID_ARG;
  TakenBus taken(i2c_num);
  if (!taken) return ESP_FAIL;
  if (size == 0 || size > kMaximumRead || address >= kAddresses) {
    return logFailure("i2c_master_receive", ESP_ERR_INVALID_ARG);
  }
  if (transact(buses[i2c_num], transactionWith(address, CFC_I2C_READS, size, timeOutMillis),
               nullptr, 0, buff) != CFC_I2C_DONE) {
    return logFailure("i2c_master_receive", ESP_ERR_INVALID_STATE);
  }
  *readCount = size;
  return ESP_OK;
}

esp_err_t i2cWriteReadNonStop(uint8_t i2c_num, uint16_t address, const uint8_t* wbuff, size_t wsize,
                              uint8_t* rbuff, size_t rsize, uint32_t timeOutMillis,
                              size_t* readCount) {
  *readCount = 0;
  if (i2c_num >= kBuses) return ESP_ERR_INVALID_ARG;
  TakenBus taken(i2c_num);
  if (!taken) return ESP_FAIL;
  if (wsize == 0 || rsize == 0 || rsize > kMaximumRead || address >= kAddresses) {
    return logFailure("i2c_master_transmit_receive", ESP_ERR_INVALID_ARG);
  }
  const cfc_i2c transaction =
      transactionWith(address, CFC_I2C_WRITES | CFC_I2C_READS, rsize, timeOutMillis);
  if (transact(buses[i2c_num], transaction, wbuff, wsize, rbuff) != CFC_I2C_DONE) {
    return logFailure("i2c_master_transmit_receive", ESP_ERR_INVALID_STATE);
  }
  *readCount = rsize;
  return ESP_OK;
}

}  // extern "C"
