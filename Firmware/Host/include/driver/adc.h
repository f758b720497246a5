// ESP-IDF's former driver/adc.h, for the ESP32: single conversions of both converters. In the other
// drivers' terms (esp_adc/), and Arduino's, see esp32-hal-adc.h.
#pragma once

#include <stdint.h>

#include "esp_err.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { ADC_UNIT_1 = 0, ADC_UNIT_2 = 1 } adc_unit_t;

typedef enum {
  ADC_ATTEN_DB_0 = 0,
  ADC_ATTEN_DB_2_5 = 1,
  ADC_ATTEN_DB_6 = 2,
  ADC_ATTEN_DB_12 = 3,
  ADC_ATTEN_DB_11 = ADC_ATTEN_DB_12
} adc_atten_t;

typedef enum {
  ADC_WIDTH_BIT_9 = 0,
  ADC_WIDTH_BIT_10 = 1,
  ADC_WIDTH_BIT_11 = 2,
  ADC_WIDTH_BIT_12 = 3,
  ADC_WIDTH_MAX
} adc_bits_width_t;

typedef enum {
  ADC1_CHANNEL_0 = 0,  ///< GPIO 36
  ADC1_CHANNEL_1,      ///< 37
  ADC1_CHANNEL_2,      ///< 38
  ADC1_CHANNEL_3,      ///< 39
  ADC1_CHANNEL_4,      ///< 32
  ADC1_CHANNEL_5,      ///< 33
  ADC1_CHANNEL_6,      ///< 34
  ADC1_CHANNEL_7,      ///< 35
  ADC1_CHANNEL_MAX
} adc1_channel_t;

typedef enum {
  ADC2_CHANNEL_0 = 0,  ///< GPIO 4
  ADC2_CHANNEL_1,      ///< 0
  ADC2_CHANNEL_2,      ///< 2
  ADC2_CHANNEL_3,      ///< 15
  ADC2_CHANNEL_4,      ///< 13
  ADC2_CHANNEL_5,      ///< 12
  ADC2_CHANNEL_6,      ///< 14
  ADC2_CHANNEL_7,      ///< 27
  ADC2_CHANNEL_8,      ///< 25
  ADC2_CHANNEL_9,      ///< 26
  ADC2_CHANNEL_MAX
} adc2_channel_t;

esp_err_t adc1_config_width(adc_bits_width_t width_bit);
esp_err_t adc1_config_channel_atten(adc1_channel_t channel, adc_atten_t atten);
/// -1 for a channel that the chip lacks.
int adc1_get_raw(adc1_channel_t channel);
esp_err_t adc2_config_channel_atten(adc2_channel_t channel, adc_atten_t atten);
esp_err_t adc2_get_raw(adc2_channel_t channel, adc_bits_width_t width_bit, int* raw_out);

#ifdef __cplusplus
}
#endif
