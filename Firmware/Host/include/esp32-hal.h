// arduino-esp32 3.x hardware functions: time and pins.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "esp32-hal-log.h"
#include "esp_attr.h"
#include "esp_random.h"
#include "esp_system.h"
#include "esp_timer.h"

#define LOW 0x0
#define HIGH 0x1

#define INPUT 0x01
#define OUTPUT 0x03
#define PULLUP 0x04
#define INPUT_PULLUP 0x05
#define PULLDOWN 0x08
#define INPUT_PULLDOWN 0x09
#define OPEN_DRAIN 0x10
#define OUTPUT_OPEN_DRAIN 0x13

#define RISING 0x01
#define FALLING 0x02
#define CHANGE 0x03

#define ARDUINO_ISR_ATTR IRAM_ATTR

#ifdef __cplusplus
extern "C" {
#endif

/// Milliseconds and microseconds since boot. Each call takes a microsecond.
unsigned long millis(void);
unsigned long micros(void);
/// Sleeps; BLE callbacks and interrupts run meanwhile.
void delay(uint32_t ms);
/// Busy-waits, as on the chip.
void delayMicroseconds(uint32_t us);
void yield(void);

void pinMode(uint8_t pin, uint8_t mode);
void digitalWrite(uint8_t pin, uint8_t val);
int digitalRead(uint8_t pin);

typedef void (*voidFuncPtr)(void);
typedef void (*voidFuncPtrArg)(void*);
/// The handler runs when the sketch next sleeps or reads the clock, not immediately.
void attachInterrupt(uint8_t pin, voidFuncPtr handler, int mode);
void attachInterruptArg(uint8_t pin, voidFuncPtrArg handler, void* arg, int mode);
void detachInterrupt(uint8_t pin);

uint32_t getCpuFrequencyMhz(void);

#define ESPBENCH_UNAVAILABLE(name) \
  __attribute__((unavailable(name " is not in espbench's host core")))
ESPBENCH_UNAVAILABLE("analogRead") uint16_t analogRead(uint8_t pin);
ESPBENCH_UNAVAILABLE("analogReadMilliVolts") uint32_t analogReadMilliVolts(uint8_t pin);
ESPBENCH_UNAVAILABLE("analogWrite") void analogWrite(uint8_t pin, int value);
ESPBENCH_UNAVAILABLE("ledcAttach") bool ledcAttach(uint8_t pin, uint32_t freq, uint8_t resolution);
ESPBENCH_UNAVAILABLE("ledcWrite") bool ledcWrite(uint8_t pin, uint32_t duty);
ESPBENCH_UNAVAILABLE("dacWrite") void dacWrite(uint8_t pin, uint8_t value);
ESPBENCH_UNAVAILABLE("touchRead") uint32_t touchRead(uint8_t pin);
ESPBENCH_UNAVAILABLE("setCpuFrequencyMhz") bool setCpuFrequencyMhz(uint32_t mhz);
ESPBENCH_UNAVAILABLE("esp_deep_sleep") void esp_deep_sleep(uint64_t time_in_us);
ESPBENCH_UNAVAILABLE("esp_deep_sleep_start") void esp_deep_sleep_start(void);
ESPBENCH_UNAVAILABLE("esp_light_sleep_start") int esp_light_sleep_start(void);

#ifdef __cplusplus
}

ESPBENCH_UNAVAILABLE("pulseIn")
unsigned long pulseIn(uint8_t pin, uint8_t state, unsigned long timeout = 1000000);
ESPBENCH_UNAVAILABLE("tone")
void tone(uint8_t pin, unsigned int frequency, unsigned long duration = 0);
ESPBENCH_UNAVAILABLE("noTone") void noTone(uint8_t pin);
#endif
#undef ESPBENCH_UNAVAILABLE
