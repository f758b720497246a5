// arduino-esp32 3.x: the analog inputs of the ESP32. A conversion takes 40 us.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { ADC_0db, ADC_2_5db, ADC_6db, ADC_11db, ADC_ATTENDB_MAX } adc_attenuation_t;

/// The mean of a pin's conversions in a frame.
typedef struct {
  uint8_t pin;
  uint8_t channel;
  int avg_read_raw;
  int avg_read_mvolts;
} adc_continuous_data_t;

#define analogInputToDigitalPin(p) (((p) < 20) ? (analogChannelToDigitalPin(p)) : -1)
#define digitalPinToAnalogPin(p) digitalPinToAnalogChannel(p)

#ifdef __cplusplus
extern "C" {
#endif

/// The channel of a pin: ADC1 0 to 7, ADC2 10 to 19; -1: the pin has no converter.
int8_t digitalPinToAnalogChannel(uint8_t pin);
int8_t analogChannelToDigitalPin(uint8_t channel);

/// 0 for a pin without a converter. The pin is no longer a GPIO until pinMode().
uint16_t analogRead(uint8_t pin);
uint32_t analogReadMilliVolts(uint8_t pin);
/// 1 to 16 bits: the converter's 12 bits are shifted.
void analogReadResolution(uint8_t bits);
void analogSetWidth(uint8_t bits);
/// Of all analog pins, and of those used later. The default is ADC_11db.
void analogSetAttenuation(adc_attenuation_t attenuation);
/// Of a pin that has been read.
void analogSetPinAttenuation(uint8_t pin, adc_attenuation_t attenuation);

/// Conversions by the converter itself, of pins of ADC1 at 20 kHz to 2 MHz. `userFunc` is called in
/// an interrupt when a frame of `conversions_per_pin` for each pin is complete.
bool analogContinuous(const uint8_t pins[], size_t pins_count, uint32_t conversions_per_pin,
                      uint32_t sampling_freq_hz, void (*userFunc)(void));
/// Waits for a frame and gives the means, which are measured then.
bool analogContinuousRead(adc_continuous_data_t** buffer, uint32_t timeout_ms);
bool analogContinuousStart(void);
bool analogContinuousStop(void);
bool analogContinuousDeinit(void);
void analogContinuousSetAtten(adc_attenuation_t attenuation);
void analogContinuousSetWidth(uint8_t bits);

#ifdef __cplusplus
}
#endif
