// Single conversions (esp32-hal-adc.h), and the analog outputs (esp32-hal-dac.h).
#include "Analog.h"

#include "Pins.h"
#include "esp32-hal-adc.h"
#include "esp32-hal-dac.h"

using espbench::pins;
using espbench::PinUse;
using espbench::usePin;

namespace {

constexpr uint8_t kResolution = 12;
/// The pins of the channels of ADC1 and ADC2.
constexpr int8_t kPinsOfChannels[2][espbench::kChannelsOfConverter] = {
    {36, 37, 38, 39, 32, 33, 34, 35, -1, -1}, {4, 0, 2, 15, 13, 12, 14, 27, 25, 26}};

uint8_t resolution = kResolution;
adc_attenuation_t attenuation = ADC_11db;
/// Of the pins that have been read.
uint8_t attenuations[espbench::kPins];

/// False, with the core's message, for a pin without a converter.
bool prepare(uint8_t pin) {
  if (digitalPinToAnalogChannel(pin) < 0) {
    log_e("Pin %u is not ADC pin!", pin);
    return false;
  }
  if (espbench::useOf(pin) == PinUse::adc) return true;
  usePin(pin, PinUse::adc);
  espbench::makeAnalog(pin);
  attenuations[pin] = attenuation;
  return true;
}

cfc_analog read(uint8_t pin) {
  espbench::spend(espbench::kConversionNanoseconds);
  return espbench::convert(pin, attenuations[pin], 1);
}

bool isDAC(uint8_t pin) {
  if (pin == DAC1 || pin == DAC2) return true;
  log_e("pin %u is not a DAC pin", pin);
  return false;
}

void sendOutput(unsigned pin, uint32_t value) {
  const cfc_pin output = {pin, value};
  espbench::send(CFC_ANALOG_OUTPUT, &output, sizeof output);
}

void switchOff(unsigned pin) { sendOutput(pin, CFC_ANALOG_OFF); }

}  // namespace

namespace espbench {

int pinOfChannel(int unit, int channel) {
  return channel < 0 || channel >= kChannelsOfConverter ? -1 : kPinsOfChannels[unit][channel];
}

cfc_analog convert(unsigned pin, uint32_t attenuation, uint32_t count) {
  const cfc_analog_read request = {pin, attenuation, count, 0};
  cfc_analog result = {};
  call(CFC_ANALOG_READ, &request, sizeof request, nullptr, 0, &result, sizeof result);
  return result;
}

void makeAnalog(unsigned pin) {
  if (modeOf(pin) != 0) configurePin(pin, 0);
}

}  // namespace espbench

extern "C" {

int8_t digitalPinToAnalogChannel(uint8_t pin) {
  for (uint8_t channel = 0; channel < 2 * espbench::kChannelsOfConverter; channel++) {
    if (analogChannelToDigitalPin(channel) == pin) return static_cast<int8_t>(channel);
  }
  return -1;
}

int8_t analogChannelToDigitalPin(uint8_t channel) {
  constexpr int kChannels = espbench::kChannelsOfConverter;
  if (channel >= 2 * kChannels) return -1;
  return kPinsOfChannels[channel / kChannels][channel % kChannels];
}

uint16_t analogRead(uint8_t pin) {
  if (!prepare(pin)) return 0;
  const auto value = static_cast<uint32_t>(read(pin).raw);
  return static_cast<uint16_t>(resolution < kResolution ? value >> (kResolution - resolution)
                                                        : value << (resolution - kResolution));
}

uint32_t analogReadMilliVolts(uint8_t pin) {
  return prepare(pin) ? static_cast<uint32_t>(read(pin).millivolts) : 0;
}

void analogReadResolution(uint8_t bits) {
  if (bits > 0 && bits <= 16) resolution = bits;
}

void analogSetWidth(uint8_t bits) { analogReadResolution(constrain(bits, 9, kResolution)); }

void analogSetAttenuation(adc_attenuation_t value) {
  attenuation = static_cast<adc_attenuation_t>(value & 3);
  for (uint8_t& each : attenuations) each = attenuation;
}

void analogSetPinAttenuation(uint8_t pin, adc_attenuation_t value) {
  if (espbench::useOf(pin) != PinUse::adc) {
    log_e("Pin is not configured as analog channel");
    return;
  }
  attenuations[pin] = value & 3;
}

bool dacWrite(uint8_t pin, uint8_t value) {
  if (!isDAC(pin)) return false;
  espbench::setRelease(PinUse::dac, switchOff);
  if (espbench::useOf(pin) != PinUse::dac) {
    usePin(pin, PinUse::dac);
    espbench::makeAnalog(pin);
  }
  sendOutput(pin, value);
  return true;
}

bool dacDisable(uint8_t pin) {
  if (!isDAC(pin)) return false;
  if (espbench::useOf(pin) != PinUse::dac) {
    log_e("pin %u is not attached to DAC", pin);
    return false;
  }
  usePin(pin, PinUse::none);
  return true;
}

}  // extern "C"
