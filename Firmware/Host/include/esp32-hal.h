// arduino-esp32 3.x hardware functions: time, pins, watchdogs.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "esp32-hal-adc.h"
#include "esp32-hal-cpu.h"
#include "esp32-hal-dac.h"
#include "esp32-hal-ledc.h"
#include "esp32-hal-log.h"
#include "esp32-hal-psram.h"
#include "esp32-hal-rgb-led.h"
#include "esp32-hal-rmt.h"
#include "esp32-hal-timer.h"
#include "esp32-hal-touch.h"
#include "esp_attr.h"
#include "esp_random.h"
#include "esp_sleep.h"
#include "esp_system.h"
#include "esp_timer.h"
#include "freertos/FreeRTOS.h"
#include "freertos/event_groups.h"
#include "freertos/queue.h"
#include "freertos/semphr.h"
#include "freertos/task.h"

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
#define ANALOG 0xC0

#define RISING 0x01
#define FALLING 0x02
#define CHANGE 0x03
#define ONLOW 0x04
#define ONHIGH 0x05
/// These end light sleep, too, after esp_sleep_enable_gpio_wakeup().
#define ONLOW_WE 0x0C
#define ONHIGH_WE 0x0D

#define ARDUINO_ISR_ATTR IRAM_ATTR

#ifdef __cplusplus
extern "C" {
#endif

/// Milliseconds and microseconds since boot. Each call takes a microsecond.
unsigned long millis(void);
unsigned long micros(void);
/// Sleeps; other tasks run meanwhile.
void delay(uint32_t ms);
/// Busy-waits, as on the chip.
void delayMicroseconds(uint32_t us);
void yield(void);

void pinMode(uint8_t pin, uint8_t mode);
void digitalWrite(uint8_t pin, uint8_t val);
int digitalRead(uint8_t pin);

typedef void (*voidFuncPtr)(void);
typedef void (*voidFuncPtrArg)(void*);
/// The handler runs as an interrupt of the core that calls this. On a level it runs again and again
/// while the level holds, which the interrupt watchdog ends.
void attachInterrupt(uint8_t pin, voidFuncPtr handler, int mode);
void attachInterruptArg(uint8_t pin, voidFuncPtrArg handler, void* arg, int mode);
void detachInterrupt(uint8_t pin);
void enableInterrupt(uint8_t pin);
void disableInterrupt(uint8_t pin);

/// The chip's temperature in degrees Celsius: 53.33, a value that its sensor often gives.
float temperatureRead(void);

/// The task of setup() and loop(): "loopTask", core 1, priority 1.
extern TaskHandle_t loopTaskHandle;
extern bool loopTaskWDTEnabled;
/// The stack size of the loop's task in bytes; SET_LOOP_TASK_STACK_SIZE() defines it in the sketch.
size_t getArduinoLoopTaskStackSize(void);

/// Subscribe the loop's task, or the idle tasks, to the task watchdog (esp_task_wdt.h). Each loop()
/// then resets the watchdog.
void enableLoopWDT(void);
void disableLoopWDT(void);
void feedLoopWDT(void);
void enableCore0WDT(void);
bool disableCore0WDT(void);
void enableCore1WDT(void);
bool disableCore1WDT(void);

/// Any core number but 0 and 1 means either core.
BaseType_t xTaskCreateUniversal(TaskFunction_t code, const char* name, uint32_t stackDepth,
                                void* parameters, UBaseType_t priority, TaskHandle_t* created,
                                BaseType_t core);

#ifdef __cplusplus
}
#endif
