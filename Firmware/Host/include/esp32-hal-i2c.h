// arduino-esp32 3.x esp32-hal-i2c.h: the two I2C masters under Wire and Wire1.
//
// Errors are those of ESP-IDF 5.5: a device that does not answer gives ESP_ERR_NOT_FOUND only when
// nothing is written (size 0); otherwise, and with any other failure on the bus, the functions
// return ESP_ERR_INVALID_STATE. The driver itself prints nothing.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "esp_err.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The pins are pulled up and belong to the bus until i2cDeinit(), or until pinMode() or another
/// peripheral takes one. `frequency` in Hz, at most 1 MHz; 0 is 100 kHz.
esp_err_t i2cInit(uint8_t i2c_num, int8_t sda, int8_t scl, uint32_t frequency);
esp_err_t i2cDeinit(uint8_t i2c_num);
/// Takes effect, but returns ESP_FAIL before the first transaction with data.
esp_err_t i2cSetClock(uint8_t i2c_num, uint32_t frequency);
esp_err_t i2cGetClock(uint8_t i2c_num, uint32_t* frequency);
/// The task waits until the end of the transaction; other tasks run meanwhile.
esp_err_t i2cWrite(uint8_t i2c_num, uint16_t address, const uint8_t* buff, size_t size,
                   uint32_t timeOutMillis);
esp_err_t i2cRead(uint8_t i2c_num, uint16_t address, uint8_t* buff, size_t size,
                  uint32_t timeOutMillis, size_t* readCount);
esp_err_t i2cWriteReadNonStop(uint8_t i2c_num, uint16_t address, const uint8_t* wbuff, size_t wsize,
                              uint8_t* rbuff, size_t rsize, uint32_t timeOutMillis,
                              size_t* readCount);
bool i2cIsInit(uint8_t i2c_num);

#ifdef __cplusplus
}
#endif
