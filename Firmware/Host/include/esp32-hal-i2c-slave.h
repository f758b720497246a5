// arduino-esp32 3.x esp32-hal-i2c-slave.h: the two I2C slaves under Wire and Wire1.
//
// The bytes of a write go through a FIFO of 32 bytes and a ring buffer of `rx_len`; those of a read
// come from a FIFO of 32 bytes, and from a queue of `tx_len`. As on the chip, all bytes of a write
// are acknowledged, also those for which there is no room.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "esp_err.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*i2c_slave_request_cb_t)(uint8_t num, void* arg);
typedef void (*i2c_slave_receive_cb_t)(uint8_t num, uint8_t* data, size_t len, bool stop,
                                       void* arg);

/// Called in the task of the slave.
esp_err_t i2cSlaveAttachCallbacks(uint8_t num, i2c_slave_request_cb_t request_callback,
                                  i2c_slave_receive_cb_t receive_callback, void* arg);
/// The pins are pulled up and belong to the bus until i2cSlaveDeinit(), or until pinMode() or
/// another peripheral takes one.
esp_err_t i2cSlaveInit(uint8_t num, int sda, int scl, uint16_t slaveID, uint32_t frequency,
                       size_t rx_len, size_t tx_len);
esp_err_t i2cSlaveDeinit(uint8_t num);
/// Replaces what was not read yet.
size_t i2cSlaveWrite(uint8_t num, const uint8_t* buf, uint32_t len, uint32_t timeout_ms);

#ifdef __cplusplus
}
#endif
