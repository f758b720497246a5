// The pulse counter (PCNT) as its registers show it, for its two drivers (driver/pcnt.h,
// driver/pulse_cnt.h) and for code that uses the registers (soc/pcnt_struct.h).
#ifndef ESPBENCH_PULSE_COUNTER_H
#define ESPBENCH_PULSE_COUNTER_H

#include <cstdint>

#include "esp_err.h"
#include "hal/pcnt_types.h"

namespace espbench {

constexpr unsigned kPulseUnits = 8, kPulseChannels = 2;
/// The longest glitch that the filter of a unit takes away, in cycles of 12.5 ns.
constexpr uint32_t kMaximumGlitch = 1023;

/// Events of a unit, as bits of its status: those of pcnt_evt_type_t.
constexpr uint32_t kThreshold1 = 1 << 2, kThreshold0 = 1 << 3, kLowLimit = 1 << 4,
                   kHighLimit = 1 << 5, kZero = 1 << 6;

bool isPulseRegister(uint32_t address);
uint32_t readPulseRegister(uint32_t address);
void writePulseRegister(uint32_t address, uint32_t value);

// The fields of the registers, by unit

void setEdgeActions(unsigned unit, unsigned channel, uint32_t rising, uint32_t falling);
void setLevelActions(unsigned unit, unsigned channel, uint32_t high, uint32_t low);
void enablePulseEvent(unsigned unit, uint32_t event, bool isOn);
/// Of the limits and thresholds.
void setPulseValue(unsigned unit, uint32_t event, int value);
int16_t pulseValue(unsigned unit, uint32_t event);
void setGlitch(unsigned unit, uint32_t cycles);
uint32_t glitch(unsigned unit);
void enableGlitchFilter(unsigned unit, bool isOn);
int pulseCount(unsigned unit);
void pauseCounting(unsigned unit, bool isPaused);
void clearCount(unsigned unit);
uint32_t pulseStatus(unsigned unit);
/// A bit for each unit.
uint32_t pulseInterrupts();
void clearPulseInterrupts(uint32_t units);
void enablePulseInterrupt(unsigned unit, bool isOn);

/// Connects an input of a channel with a pin, or, if `pin` is none of the chip's, with a level.
/// Unconnected inputs are low.
struct PulseInput {
  int pin = -1;
  bool level = false;
  bool isInverted = false;
};
void connectPulses(unsigned unit, unsigned channel, const PulseInput& input);
void connectControl(unsigned unit, unsigned channel, const PulseInput& input);

/// Sets the handler of the interrupt of `units`, on the calling core; nullptr: none. It runs while
/// their interrupts are enabled and not cleared.
void setPulseHandler(void (*handler)(void*), void* argument, uint32_t units);

/// The program uses this driver: with both it ends as on the chip, which finds out when it starts.
void usePulseDriver(bool isFormer);

/// Prints the error of a driver, as ESP-IDF's ESP_RETURN_ON_FALSE() does, and returns it. Line
/// numbers are those of pcnt_legacy.c and pulse_cnt.c in ESP-IDF 5.5.1.
esp_err_t logPulseError(const char* tag, const char* function, int line, esp_err_t error,
                        const char* format, ...) __attribute__((format(printf, 5, 6)));

}  // namespace espbench

#endif
