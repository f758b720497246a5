#define ESPBENCH_NO_INSTANCES
#include "Wire.h"

#include <cstdlib>

#include "esp32-hal-i2c-slave.h"
#include "esp32-hal-i2c.h"
#include "pins_arduino.h"

TwoWire::~TwoWire() {
  end();
  if (lock != nullptr) vSemaphoreDelete(lock);
}

bool TwoWire::takeLock(bool creates) {
  if (lock == nullptr && creates) {
    lock = xSemaphoreCreateMutex();
    if (lock == nullptr) {
      log_e("xSemaphoreCreateMutex failed");
      return false;
    }
  }
  if (lock != nullptr && xSemaphoreTake(lock, portMAX_DELAY) == pdTRUE) return true;
  log_e("could not acquire lock");
  return false;
}

/// True, with the core's log, if the bus is a slave, which cannot do what a master does.
bool TwoWire::isSlaveLogged() {
  if (is_slave) log_e("Bus is in Slave Mode");
  return is_slave;
}

/// The lock of the calling task's transaction, which it may have already.
bool TwoWire::takeTransaction() {
  TaskHandle_t task = xTaskGetCurrentTaskHandle();
  if (currentTaskHandle == task) return true;
  if (!takeLock(false)) return false;
  currentTaskHandle = task;
  return true;
}

void TwoWire::endOfTransaction() {
  currentTaskHandle = nullptr;
  xSemaphoreGive(lock);
}

bool TwoWire::initPins(int sdaPin, int sclPin) {
  if (sdaPin < 0) sdaPin = sda != -1 || num != 0 ? sda : SDA;
  if (sdaPin < 0) {
    log_e("no Default SDA Pin for Second Peripheral");
    return false;
  }
  if (sclPin < 0) sclPin = scl != -1 || num != 0 ? scl : SCL;
  if (sclPin < 0) {
    log_e("no Default SCL Pin for Second Peripheral");
    return false;
  }
  sda = static_cast<int8_t>(sdaPin);
  scl = static_cast<int8_t>(sclPin);
  return true;
}

bool TwoWire::setPins(int sdaPin, int sclPin) {
  if (!takeLock(true)) return false;
  if (i2cIsInit(num)) {
    log_e("bus already initialized. change pins only when not.");
  } else {
    initPins(sdaPin, sclPin);
  }
  xSemaphoreGive(lock);
  return !i2cIsInit(num);
}

bool TwoWire::allocateWireBuffer() {
  if (rxBuffer == nullptr) rxBuffer = static_cast<uint8_t*>(malloc(bufferSize));
  if (rxBuffer == nullptr) {
    log_e("Can't allocate memory for I2C_%d rxBuffer", num);
    return false;
  }
  if (txBuffer == nullptr) txBuffer = static_cast<uint8_t*>(malloc(bufferSize));
  if (txBuffer == nullptr) {
    log_e("Can't allocate memory for I2C_%d txBuffer", num);
    freeWireBuffer();
    return false;
  }
  return true;
}

void TwoWire::freeWireBuffer() {
  free(rxBuffer);
  free(txBuffer);
  rxBuffer = txBuffer = nullptr;
}

size_t TwoWire::setBufferSize(size_t bSize) {
  if (bSize < 32) {
    log_e("Minimum Wire Buffer size is 32 bytes");
    return 0;
  }
  if (!takeLock(true)) return 0;
  const bool isAllocated = rxBuffer != nullptr || txBuffer != nullptr;
  if (isAllocated && bSize != bufferSize) {
    freeWireBuffer();
    bufferSize = bSize;
    if (!allocateWireBuffer()) {
      bSize = 0;
      log_e("Buffer allocation failed");
    }
  } else {
    bufferSize = bSize;
  }
  xSemaphoreGive(lock);
  return bSize;
}

bool TwoWire::begin(int sdaPin, int sclPin, uint32_t frequency) {
  if (!takeLock(true)) return false;
  bool isStarted = i2cIsInit(num);
  if (is_slave) {
    log_e("Bus already started in Slave Mode.");
  } else if (isStarted) {
    log_w("Bus already started in Master Mode.");
  } else {
    isStarted = allocateWireBuffer() && initPins(sdaPin, sclPin) &&
                i2cInit(num, sda, scl, frequency) == ESP_OK;
    if (!isStarted) freeWireBuffer();
  }
  xSemaphoreGive(lock);
  return isStarted;
}

bool TwoWire::begin(uint8_t slaveAddr, int sdaPin, int sclPin, uint32_t frequency) {
  if (!takeLock(true)) return false;
  if (is_slave) {
    log_w("Bus already started in Slave Mode.");
  } else if (i2cIsInit(num)) {
    log_e("Bus already started in Master Mode.");
    freeWireBuffer();
  } else if (allocateWireBuffer() && initPins(sdaPin, sclPin)) {
    i2cSlaveAttachCallbacks(num, onRequestService, onReceiveService, this);
    is_slave = i2cSlaveInit(num, sda, scl, slaveAddr, frequency, bufferSize, bufferSize) == ESP_OK;
    if (!is_slave) log_e("Slave Init ERROR");
  }
  if (!is_slave) freeWireBuffer();
  xSemaphoreGive(lock);
  return is_slave;
}

bool TwoWire::end() {
  if (lock == nullptr) return true;
  if (!takeLock(false)) return false;
  esp_err_t error = ESP_OK;
  if (is_slave) {
    error = i2cSlaveDeinit(num);
    if (error == ESP_OK) is_slave = false;
  } else if (i2cIsInit(num)) {
    error = i2cDeinit(num);
  }
  freeWireBuffer();
  xSemaphoreGive(lock);
  return error == ESP_OK;
}

uint32_t TwoWire::getClock() {
  uint32_t frequency = 0;
  if (!takeLock(false)) return frequency;
  if (!isSlaveLogged()) i2cGetClock(num, &frequency);
  xSemaphoreGive(lock);
  return frequency;
}

bool TwoWire::setClock(uint32_t frequency) {
  if (!takeLock(false)) return false;
  const esp_err_t error = isSlaveLogged() ? ESP_FAIL : i2cSetClock(num, frequency);
  xSemaphoreGive(lock);
  return error == ESP_OK;
}

void TwoWire::beginTransmission(uint8_t address) {
  if (isSlaveLogged() || !takeTransaction()) return;
  nonStop = false;
  txAddress = address;
  txLength = 0;
}

uint8_t TwoWire::endTransmission(bool sendStop) {
  if (isSlaveLogged()) return 4;
  if (txBuffer == nullptr) {
    log_e("NULL TX buffer pointer");
    return 4;
  }
  if (!sendStop) {
    nonStop = true;
    return 0;
  }
  const esp_err_t error = i2cWrite(num, txAddress, txBuffer, txLength, _timeOutMillis);
  endOfTransaction();
  switch (error) {
    case ESP_OK:
      return 0;
    case ESP_FAIL:
    case ESP_ERR_NOT_FOUND:
      return 2;
    case ESP_ERR_TIMEOUT:
      return 5;
    default:
      return 4;
  }
}

size_t TwoWire::requestFrom(uint8_t address, size_t size, bool) {
  if (isSlaveLogged()) return 0;
  if (rxBuffer == nullptr || txBuffer == nullptr) {
    log_e("NULL buffer pointer");
    return 0;
  }
  if (!takeTransaction()) return 0;
  if (nonStop && address != txAddress) {
    log_e("Unfinished Repeated Start transaction! Expected address do not match! %u != %u", address,
          txAddress);
    endOfTransaction();
    return 0;
  }
  rxIndex = rxLength = 0;
  if (nonStop) {
    nonStop = false;
    const esp_err_t error = i2cWriteReadNonStop(num, address, txBuffer, txLength, rxBuffer, size,
                                                _timeOutMillis, &rxLength);
    if (error != ESP_OK) log_e("i2cWriteReadNonStop returned Error %d", error);
  } else {
    const esp_err_t error = i2cRead(num, address, rxBuffer, size, _timeOutMillis, &rxLength);
    if (error != ESP_OK) log_e("i2cRead returned Error %d", error);
  }
  endOfTransaction();
  return rxLength;
}

size_t TwoWire::write(uint8_t data) {
  if (txBuffer == nullptr) {
    log_e("NULL TX buffer pointer");
    return 0;
  }
  if (txLength >= bufferSize) return 0;
  txBuffer[txLength++] = data;
  return 1;
}

size_t TwoWire::write(const uint8_t* data, size_t quantity) {
  for (size_t i = 0; i < quantity; i++) {
    if (write(data[i]) == 0) return i;
  }
  return quantity;
}

int TwoWire::read() {
  const int value = peek();
  if (value >= 0) rxIndex++;
  return value;
}

int TwoWire::peek() {
  if (rxBuffer == nullptr) {
    log_e("NULL RX buffer pointer");
    return -1;
  }
  return rxIndex < rxLength ? rxBuffer[rxIndex] : -1;
}

size_t TwoWire::slaveWrite(const uint8_t* buffer, size_t len) {
  return i2cSlaveWrite(num, buffer, static_cast<uint32_t>(len), _timeOutMillis);
}

void TwoWire::onReceiveService(uint8_t, uint8_t* inBytes, size_t numBytes, bool, void* arg) {
  auto* wire = static_cast<TwoWire*>(arg);
  if (!wire->user_onReceive) return;
  for (size_t i = 0; i < numBytes; i++) wire->rxBuffer[i] = inBytes[i];
  wire->rxIndex = 0;
  wire->rxLength = numBytes;
  wire->user_onReceive(static_cast<int>(numBytes));
}

void TwoWire::onRequestService(uint8_t, void* arg) {
  auto* wire = static_cast<TwoWire*>(arg);
  if (!wire->user_onRequest) return;
  wire->txLength = 0;
  wire->user_onRequest();
  if (wire->txLength > 0) wire->slaveWrite(wire->txBuffer, wire->txLength);
}
