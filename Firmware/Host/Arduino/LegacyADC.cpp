// ESP-IDF's former functions for conversions (driver/adc.h) and for their volts (esp_adc_cal.h),
// with the coefficients that Espressif has published for the ESP32.
#include <algorithm>

#include "Analog.h"
#include "Pins.h"
#include "esp_adc_cal.h"

namespace {

constexpr uint32_t kFactoryReference = 1100;  ///< mV

uint32_t width = ADC_WIDTH_BIT_12;
uint8_t attenuations[2][espbench::kChannelsOfConverter];

esp_err_t configure(int unit, int channel, adc_atten_t atten) {
  const int pin = espbench::pinOfChannel(unit, channel);
  if (pin < 0 || atten > ADC_ATTEN_DB_12) return ESP_ERR_INVALID_ARG;
  attenuations[unit][channel] = atten;
  espbench::usePin(static_cast<unsigned>(pin), espbench::PinUse::adc);
  espbench::makeAnalog(static_cast<unsigned>(pin));
  return ESP_OK;
}

int read(int unit, int channel, uint32_t bits) {
  const auto pin = static_cast<unsigned>(espbench::pinOfChannel(unit, channel));
  espbench::spend(espbench::kConversionNanoseconds);
  return espbench::convert(pin, attenuations[unit][channel], 1).raw >> (ADC_WIDTH_BIT_12 - bits);
}

// Volts: a line, and at 11 dB from a reading of 2880 on, points between two curves, those of
// references of 1000 and 1200 mV.
constexpr uint32_t kScales[2][4] = {{57431, 76236, 105481, 196602}, {57236, 76175, 105678, 197170}};
constexpr uint32_t kOffsets[2][4] = {{75, 78, 107, 142}, {63, 66, 89, 128}};
constexpr uint32_t kLowReference = 1000, kHighReference = 1200;
constexpr uint32_t kFirstPoint = 2880, kPointStep = 64;
constexpr size_t kPoints = 20;
const uint32_t lowCurves[2][kPoints] = {
    {2240, 2297, 2352, 2405, 2457, 2512, 2564, 2616, 2664, 2709,
     2754, 2795, 2832, 2868, 2903, 2937, 2969, 3000, 3030, 3060},
    {2238, 2293, 2347, 2399, 2451, 2507, 2561, 2613, 2662, 2710,
     2754, 2792, 2831, 2869, 2904, 2937, 2968, 2999, 3029, 3059}};
const uint32_t highCurves[2][kPoints] = {
    {2667, 2706, 2745, 2780, 2813, 2844, 2873, 2901, 2928, 2956,
     2982, 3006, 3032, 3059, 3084, 3110, 3135, 3160, 3184, 3209},
    {2657, 2698, 2738, 2774, 2807, 2838, 2867, 2894, 2921, 2946,
     2971, 2996, 3020, 3043, 3067, 3092, 3116, 3139, 3162, 3185}};

uint32_t onLine(uint32_t reading, const esp_adc_cal_characteristics_t& chars) {
  return (chars.coeff_a * reading + 32768) / 65536 + chars.coeff_b;
}

/// Between the curves for the reference, and between their points for the reading; rounded.
uint32_t onCurves(uint32_t reading, const esp_adc_cal_characteristics_t& chars) {
  const uint32_t point = (reading - kFirstPoint) / kPointStep;
  const uint32_t high = chars.vref - kLowReference, low = kHighReference - chars.vref;
  const uint32_t after = reading - kFirstPoint - point * kPointStep, before = kPointStep - after;
  const uint32_t sum =
      chars.low_curve[point] * low * before + chars.low_curve[point + 1] * low * after +
      chars.high_curve[point] * high * before + chars.high_curve[point + 1] * high * after;
  constexpr uint32_t kWeights = (kHighReference - kLowReference) * kPointStep;
  return (sum + kWeights / 2) / kWeights;
}

}  // namespace

extern "C" {

esp_err_t adc1_config_width(adc_bits_width_t width_bit) {
  if (width_bit >= ADC_WIDTH_MAX) return ESP_ERR_INVALID_ARG;
  width = width_bit;
  return ESP_OK;
}

esp_err_t adc1_config_channel_atten(adc1_channel_t channel, adc_atten_t atten) {
  return configure(0, channel, atten);
}

int adc1_get_raw(adc1_channel_t channel) {
  return espbench::pinOfChannel(0, channel) < 0 ? -1 : read(0, channel, width);
}

esp_err_t adc2_config_channel_atten(adc2_channel_t channel, adc_atten_t atten) {
  return configure(1, channel, atten);
}

esp_err_t adc2_get_raw(adc2_channel_t channel, adc_bits_width_t width_bit, int* raw_out) {
  if (raw_out == nullptr || espbench::pinOfChannel(1, channel) < 0 || width_bit >= ADC_WIDTH_MAX) {
    return ESP_ERR_INVALID_ARG;
  }
  *raw_out = read(1, channel, width_bit);
  return ESP_OK;
}

esp_err_t esp_adc_cal_check_efuse(esp_adc_cal_value_t value_type) {
  if (value_type == ESP_ADC_CAL_VAL_EFUSE_VREF) return ESP_OK;
  return value_type == ESP_ADC_CAL_VAL_EFUSE_TP ? ESP_ERR_NOT_SUPPORTED : ESP_ERR_INVALID_ARG;
}

esp_adc_cal_value_t esp_adc_cal_characterize(adc_unit_t adc_num, adc_atten_t atten,
                                             adc_bits_width_t bit_width, uint32_t,
                                             esp_adc_cal_characteristics_t* chars) {
  *chars = {adc_num,           atten,   bit_width, 0, kOffsets[adc_num][atten],
            kFactoryReference, nullptr, nullptr};
  chars->coeff_a = kFactoryReference * kScales[adc_num][atten] / 4096;
  if (atten == ADC_ATTEN_DB_12) {
    chars->low_curve = lowCurves[adc_num];
    chars->high_curve = highCurves[adc_num];
  }
  return ESP_ADC_CAL_VAL_EFUSE_VREF;
}

uint32_t esp_adc_cal_raw_to_voltage(uint32_t adc_reading,
                                    const esp_adc_cal_characteristics_t* chars) {
  constexpr uint32_t kFull = 4095;
  const uint32_t reading = std::min(adc_reading << (ADC_WIDTH_BIT_12 - chars->bit_width), kFull);
  if (chars->low_curve == nullptr || reading < kFirstPoint) return onLine(reading, *chars);
  if (reading >= kFirstPoint + kPointStep) return onCurves(reading, *chars);
  // In the first step of the curves, from the line to them.
  const uint32_t line = onLine(reading, *chars), curve = onCurves(reading, *chars);
  const uint32_t after = reading - kFirstPoint;
  return (line * (kPointStep - after) + curve * after + kPointStep / 2) / kPointStep;
}

}  // extern "C"
