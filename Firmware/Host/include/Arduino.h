// The Arduino core of espbench's virtual board: the parts of arduino-esp32 3.x that sketches use,
// with the same names and behaviour. Other parts do not compile.
//
// Tasks, memory and watchdogs are as on the chip; Firmware/Host/README.md lists the approximations,
// above all of time: computing takes no time up to 4,000 basic blocks of code without waiting, then
// 25 ns per block.
#pragma once

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

// Definitions that a build of espbench gives every file on the command line.
#ifndef ARDUINO
#define ARDUINO 10812
#endif
#ifndef ARDUINO_ARCH_ESP32
#define ARDUINO_ARCH_ESP32 1
#endif
#ifndef ESP32
#define ESP32 ESP32
#endif
#ifndef ESP_PLATFORM
#define ESP_PLATFORM 1
#endif

#include "binary.h"
#include "driver/gpio.h"
#include "esp32-hal.h"
#include "esp8266-compat.h"
#include "esp_arduino_version.h"
#include "freertos/FreeRTOS.h"
#include "freertos/semphr.h"
#include "freertos/task.h"
#include "pins_arduino.h"
#include "sdkconfig.h"
#include "soc/gpio_reg.h"
#if __has_include("BuiltInNimBLE.h")
#include "BuiltInNimBLE.h"
#endif
#include "stdlib_noniso.h"

#define PI 3.1415926535897932384626433832795
#define HALF_PI 1.5707963267948966192313216916398
#define TWO_PI 6.283185307179586476925286766559
#define DEG_TO_RAD 0.017453292519943295769236907684886
#define RAD_TO_DEG 57.295779513082320876798154814105
#define EULER 2.718281828459045235360287471352

#define LSBFIRST 0
#define MSBFIRST 1
#define DEFAULT 1
#define EXTERNAL 0

#define _min(a, b) ((a) < (b) ? (a) : (b))
#define _max(a, b) ((a) > (b) ? (a) : (b))
#define _abs(x) ((x) > 0 ? (x) : -(x))
#define _round(x) ((x) >= 0 ? (long)((x) + 0.5) : (long)((x)-0.5))
#define constrain(amt, low, high) ((amt) < (low) ? (low) : ((amt) > (high) ? (high) : (amt)))
#define radians(deg) ((deg)*DEG_TO_RAD)
#define degrees(rad) ((rad)*RAD_TO_DEG)
#define sq(x) ((x) * (x))

#define lowByte(w) ((uint8_t)((w)&0xff))
#define highByte(w) ((uint8_t)((w) >> 8))
#define bitRead(value, bit) (((value) >> (bit)) & 0x01)
#define bitSet(value, bit) ((value) |= (1UL << (bit)))
#define bitClear(value, bit) ((value) &= ~(1UL << (bit)))
#define bitToggle(value, bit) ((value) ^= (1UL << (bit)))
#define bitWrite(value, bit, bitvalue) ((bitvalue) ? bitSet(value, bit) : bitClear(value, bit))
#define bit(b) (1UL << (b))
#define _BV(b) (1UL << (b))

#define NOT_A_PIN -1
#define NOT_A_PORT -1
#define NOT_AN_INTERRUPT -1
/// On the ESP32 the interrupt number equals the pin number.
#define digitalPinToInterrupt(pin) (((uint8_t)(pin) < NUM_DIGITAL_PINS) ? (pin) : NOT_AN_INTERRUPT)

#define digitalPinIsValid(pin) GPIO_IS_VALID_GPIO(pin)
#define digitalPinCanOutput(pin) GPIO_IS_VALID_OUTPUT_GPIO(pin)
#define digitalPinToTimer(pin) (0)
#define analogInPinToBit(pin) (pin)
#define digitalPinToPort(pin) (((pin) > 31) ? 1 : 0)
#define digitalPinToBitMask(pin) (1UL << (((pin) > 31) ? ((pin)-32) : (pin)))
/// The chip's addresses, for REG_READ() and the like (soc/soc.h). There is nothing at them here:
/// access through the pointers ends in a panic with the address.
#define portOutputRegister(port) ((volatile uint32_t*)((port) ? GPIO_OUT1_REG : GPIO_OUT_REG))
#define portInputRegister(port) ((volatile uint32_t*)((port) ? GPIO_IN1_REG : GPIO_IN_REG))
#define portModeRegister(port) ((volatile uint32_t*)((port) ? GPIO_ENABLE1_REG : GPIO_ENABLE_REG))

/// Sets the stack size of the loop's task, in bytes; the default is 8192.
#define SET_LOOP_TASK_STACK_SIZE(size) \
  size_t getArduinoLoopTaskStackSize(void) { return size; }

#define sei() portENABLE_INTERRUPTS()
#define cli() portDISABLE_INTERRUPTS()
#define interrupts() sei()
#define noInterrupts() cli()

#define clockCyclesPerMicrosecond() ((long int)getCpuFrequencyMhz())
#define clockCyclesToMicroseconds(a) ((a) / clockCyclesPerMicrosecond())
#define microsecondsToClockCycles(a) ((a)*clockCyclesPerMicrosecond())

typedef bool boolean;
typedef uint8_t byte;
typedef unsigned int word;

long map(long x, long in_min, long in_max, long out_min, long out_max);

#ifdef __cplusplus
extern "C" {
#endif
/// Reads or writes 8 bits, LSBFIRST or MSBFIRST, with a pulse of the clock for each.
uint8_t shiftIn(uint8_t dataPin, uint8_t clockPin, uint8_t bitOrder);
void shiftOut(uint8_t dataPin, uint8_t clockPin, uint8_t bitOrder, uint8_t val);
#ifdef __cplusplus
/// The length of a pulse of level `state`, in microseconds; 0 after `timeout` microseconds.
unsigned long pulseIn(uint8_t pin, uint8_t state, unsigned long timeout = 1000000L);
unsigned long pulseInLong(uint8_t pin, uint8_t state, unsigned long timeout = 1000000L);
}
#endif

#ifdef __cplusplus

#include <algorithm>
#include <cmath>

#include "Esp.h"
#include "HardwareSerial.h"
#include "Print.h"
#include "Printable.h"
#include "Stream.h"
#include "WCharacter.h"
#include "WString.h"

using std::abs;
using std::isinf;
using std::isnan;
using std::max;
using std::min;
using std::round;

void setup(void);
void loop(void);

long random(long howbig);
long random(long howsmall, long howbig);
void randomSeed(unsigned long seed);

uint16_t makeWord(uint16_t w);
uint16_t makeWord(uint8_t h, uint8_t l);
#define word(...) makeWord(__VA_ARGS__)

/// Plays a tone by PWM, in a task of its own; tones with a duration (in ms) follow each other.
void tone(uint8_t pin, unsigned int frequency, unsigned long duration = 0);
void noTone(uint8_t pin);
void setToneChannel(uint8_t channel = 0);

#endif
