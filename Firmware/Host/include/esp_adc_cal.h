// ESP-IDF's former esp_adc_cal.h: volts of readings. The chip's fuses hold the reference voltage of
// 1100 mV, and no two points.
#pragma once

#include "driver/adc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  ESP_ADC_CAL_VAL_EFUSE_VREF = 0,
  ESP_ADC_CAL_VAL_EFUSE_TP = 1,
  ESP_ADC_CAL_VAL_DEFAULT_VREF = 2
} esp_adc_cal_value_t;

typedef struct {
  adc_unit_t adc_num;
  adc_atten_t atten;
  adc_bits_width_t bit_width;
  uint32_t coeff_a;
  uint32_t coeff_b;
  uint32_t vref;
  const uint32_t* low_curve;
  const uint32_t* high_curve;
} esp_adc_cal_characteristics_t;

/// ESP_ERR_NOT_SUPPORTED for two points.
esp_err_t esp_adc_cal_check_efuse(esp_adc_cal_value_t value_type);
/// The fuses' reference has precedence over `default_vref`.
esp_adc_cal_value_t esp_adc_cal_characterize(adc_unit_t adc_num, adc_atten_t atten,
                                             adc_bits_width_t bit_width, uint32_t default_vref,
                                             esp_adc_cal_characteristics_t* chars);
/// Millivolts.
uint32_t esp_adc_cal_raw_to_voltage(uint32_t adc_reading,
                                    const esp_adc_cal_characteristics_t* chars);

#ifdef __cplusplus
}
#endif
