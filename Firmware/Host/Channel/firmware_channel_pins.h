// Payloads of the firmware channel's messages about pins and what is wired to them: levels, PWM,
// analog signals, buses (firmware_channel_messages.h).
#ifndef ESPBENCH_FIRMWARE_CHANNEL_PINS_H
#define ESPBENCH_FIRMWARE_CHANNEL_PINS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Values of CFC_PIN_INPUT and _OUTPUT. The level of a floating pin depends on its pull resistor.
enum { CFC_PIN_LOW = 0, CFC_PIN_HIGH = 1, CFC_PIN_FLOATING = 2 };

/// Values of CFC_PIN_IGNORED.
enum {
  CFC_IGNORED_NO_PIN = 0,     ///< the chip does not have the pin
  CFC_IGNORED_NO_OUTPUT = 1,  ///< the pin is input-only and does not become an output
  CFC_IGNORED_NO_PULL = 2,    ///< the pin has no pull resistors
  CFC_IGNORED_WRITE = 3,      ///< digitalWrite() before pinMode()
  CFC_IGNORED_READ = 4,       ///< digitalRead() before pinMode(), which returns LOW
  CFC_IGNORED_NOT_DRIVEN = 5  ///< a level was written to a pin that is not an output
};

struct cfc_pin {
  uint32_t pin;
  uint32_t value;
};

/// An external level of a pin from an instant on. The levels of one message replace, for the pins
/// that they name, those announced earlier and not reached yet. They are in the order of their
/// times for each pin. No pull resistor changes a level that is not floating.
struct cfc_level {
  uint32_t pin;
  uint32_t value;  ///< CFC_PIN_...
  uint64_t time_ns;
};

/// The most cfc_level of one message.
#define CFC_MAXIMUM_LEVELS 512

/// The new PWM signal of a pin.
struct cfc_pwm {
  uint32_t pin;
  uint32_t is_attached;  ///< 0: the pin has no PWM signal any more
  uint64_t millihertz;   ///< the frequency
  uint32_t duty;         ///< in units of 2 to the power of -bits of the period
  uint32_t bits;         ///< the resolution
};

/// A conversion of an analog-to-digital converter.
struct cfc_analog_read {
  uint32_t pin;
  uint32_t attenuation;  ///< adc_atten_t: 0 to 3
  uint32_t count;        ///< conversions, at least 1: their mean
  uint32_t reserved;
};

/// Its result.
struct cfc_analog {
  int32_t raw;         ///< 0 to 4095
  int32_t millivolts;  ///< as the chip's factory calibration gives it for `raw`
};

/// The value of CFC_ANALOG_OUTPUT for a DAC that is off.
#define CFC_ANALOG_OFF 256

/// Values of a CFC_I2C's reply: the results of Wire's endTransmission().
enum {
  CFC_I2C_DONE = 0,
  CFC_I2C_NO_ADDRESS = 2,
  CFC_I2C_NO_DATA = 3,
  CFC_I2C_ERROR = 4,
  CFC_I2C_TIMEOUT = 5
};

/// Bits of cfc_i2c.flags.
enum {
  CFC_I2C_WRITES = 1,  ///< the address is sent for writing, then the bytes
  CFC_I2C_READS = 2    ///< the address is sent for reading (after a repeated START, if both)
};

/// A transaction of an I2C master, from START to STOP.
struct cfc_i2c {
  uint8_t sda;  ///< pins
  uint8_t scl;
  uint16_t address;
  uint32_t flags;       ///< CFC_I2C_...
  uint32_t clock_hz;    ///< of the bus
  uint32_t read_count;  ///< bytes to read
  uint64_t timeout_ns;  ///< of the bus, after which the master gives up
};

/// The result of a transaction.
struct cfc_i2c_result {
  uint64_t duration_ns;  ///< from START to STOP; the firmware lets it pass
  uint32_t written;      ///< bytes that were acknowledged
  uint32_t count;        ///< bytes that were read and follow
};

/// A slave of an I2C bus.
struct cfc_i2c_slave {
  uint8_t sda;  ///< pins
  uint8_t scl;
  uint16_t address;
  uint32_t is_begun;  ///< 0: it has ended
};

/// The end of a transaction whose slave is the firmware.
struct cfc_i2c_transferred {
  int32_t status;    ///< CFC_I2C_DONE, _NO_ADDRESS or _NO_DATA
  uint32_t written;  ///< bytes that were acknowledged
  uint32_t count;    ///< bytes that the master has read
  uint32_t
      prepared;  ///< of these, the bytes that the firmware had to send; nobody has sent the rest
};

/// A transfer of an SPI master, which sends and receives at the same time.
struct cfc_spi {
  uint8_t sck;  ///< pins; 255: none
  uint8_t miso;
  uint8_t mosi;
  uint8_t reserved;
  uint8_t mode;       ///< SPI_MODE0 to SPI_MODE3
  uint8_t bit_order;  ///< of each byte on the line: 1 most significant bit first, 0 least
  uint16_t reserved2;
  uint32_t clock_hz;
  uint32_t count;  ///< bytes that follow, and bytes of the reply
};

/// A transmission of the RMT peripheral.
struct cfc_pulses {
  uint32_t pin;
  uint32_t count;  ///< the pulses that follow
};

/// A level, and how long it stays.
struct cfc_pulse {
  uint32_t level;  ///< 0 or 1
  uint32_t duration_ns;
};

/// The new signal of a pin with a servo. The angle of a pulse is linear between the minimum (0
/// degrees) and the maximum (180 degrees).
struct cfc_servo {
  uint32_t pin;
  uint32_t is_attached;
  uint32_t pulse_ns;    ///< 0: no pulses
  uint32_t period_ns;   ///< from pulse to pulse
  uint32_t minimum_us;  ///< argument of attach()
  uint32_t maximum_us;
};

#ifdef __cplusplus
}  // extern "C"

static_assert(sizeof(cfc_servo) == 24, "layout");
static_assert(sizeof(cfc_level) == 16, "layout");
static_assert(offsetof(cfc_level, time_ns) == 8, "layout");
static_assert(sizeof(cfc_pwm) == 24, "layout");
static_assert(offsetof(cfc_pwm, millihertz) == 8, "layout");
static_assert(sizeof(cfc_i2c) == 24, "layout");
static_assert(offsetof(cfc_i2c, timeout_ns) == 16, "layout");
static_assert(sizeof(cfc_i2c_result) == 16, "layout");
static_assert(sizeof(cfc_i2c_slave) == 8, "layout");
static_assert(sizeof(cfc_i2c_transferred) == 16, "layout");
static_assert(sizeof(cfc_spi) == 16, "layout");
static_assert(offsetof(cfc_spi, clock_hz) == 8, "layout");
#endif

#endif  // ESPBENCH_FIRMWARE_CHANNEL_PINS_H
