// The registers of the pins (soc/gpio_reg.h) and of the pulse counter (soc/pcnt_reg.h), and the
// functions of the ROM that use them (rom/gpio.h).
#include <cstdio>

#include "../Runtime/Fault.h"
#include "Pins.h"
#include "PulseCounter.h"
#include "rom/gpio.h"
#include "soc/gpio_reg.h"

using espbench::pins;

namespace {

/// An access by the CPU to a peripheral, with the instructions around it.
constexpr uint64_t kAccessNanoseconds = 100;
constexpr unsigned kPinsOfRegister = 32;
/// pinMode()'s bit of an output that is driven.
constexpr uint8_t kDriven = espbench::kDriven;

[[noreturn]] void refuse(const char* access, uint32_t address) {
  char message[128];
  snprintf(message, sizeof message,
           "%s of register 0x%08x, which is not in espbench's host core: only those of pins and of "
           "the pulse counter are",
           access, address);
  espbench::endFirmware(CFC_FAULT_PANIC, message);
}

/// True for a pin whose level and direction the registers set; the flash has its own function.
bool isSettable(unsigned pin) { return espbench::hasOutput(pin) && !espbench::isOfFlash(pin); }

/// The bits of 32 pins from `first` on.
template <typename Test>
uint32_t bitsOf(unsigned first, Test test) {
  uint32_t bits = 0;
  for (unsigned i = 0; i < kPinsOfRegister && first + i < espbench::kPins; i++) {
    if (test(first + i)) bits |= 1u << i;
  }
  return bits;
}

uint32_t levels(unsigned first) {
  return bitsOf(first, [](unsigned pin) { return pins[pin].outputLevel; });
}

uint32_t enabled(unsigned first) {
  return bitsOf(first, [](unsigned pin) { return (pins[pin].mode & kDriven) != 0; });
}

template <typename Set>
void forEach(unsigned first, uint32_t bits, Set set) {
  for (unsigned i = 0; i < kPinsOfRegister; i++) {
    if ((bits >> i & 1) != 0 && isSettable(first + i)) set(first + i);
  }
}

void setLevels(unsigned first, uint32_t bits, bool level) {
  forEach(first, bits, [level](unsigned pin) { espbench::prepareOutput(pin, level); });
}

void enable(unsigned first, uint32_t bits, bool isOn) {
  forEach(first, bits, [isOn](unsigned pin) {
    const uint8_t mode = pins[pin].mode;
    const auto next = static_cast<uint8_t>(isOn ? mode | kDriven : mode & ~kDriven);
    if (next != mode) espbench::configurePin(pin, next);
  });
}

/// The pin of a single pin's register; -1: any other register.
int pinOf(uint32_t address) {
  const uint32_t offset = address - GPIO_PIN0_REG;
  return offset % 4 == 0 && offset / 4 < espbench::kPins ? static_cast<int>(offset / 4) : -1;
}

uint32_t readPinRegister(const espbench::Pin& pin) {
  return (pin.mode & OPEN_DRAIN ? GPIO_PIN0_PAD_DRIVER : 0) |
         static_cast<uint32_t>(pin.interruptType) << GPIO_PIN0_INT_TYPE_S |
         (pin.isEnabled ? 1u << (GPIO_PIN0_INT_ENA_S + (pin.core == 0 ? 2 : 0)) : 0);
}

void writePinRegister(unsigned number, uint32_t value) {
  espbench::Pin& pin = pins[number];
  const auto mode = static_cast<uint8_t>(value & GPIO_PIN0_PAD_DRIVER ? pin.mode | OPEN_DRAIN
                                                                      : pin.mode & ~OPEN_DRAIN);
  if (mode != pin.mode) espbench::configurePin(number, mode);
  pin.interruptType = static_cast<uint8_t>(value >> GPIO_PIN0_INT_TYPE_S & GPIO_PIN0_INT_TYPE_V);
  pin.isEnabled = (value >> GPIO_PIN0_INT_ENA_S & GPIO_PIN0_INT_ENA_V) != 0;
  espbench::updateListening(pin);
}

}  // namespace

extern "C" {

uint32_t espbench_read_register(uint32_t address) {
  espbench::spend(kAccessNanoseconds);
  switch (address) {
    case GPIO_OUT_REG:
      return levels(0);
    case GPIO_OUT1_REG:
      return levels(kPinsOfRegister);
    case GPIO_ENABLE_REG:
      return enabled(0);
    case GPIO_ENABLE1_REG:
      return enabled(kPinsOfRegister);
    case GPIO_IN_REG:
      return bitsOf(0, espbench::readPin);
    case GPIO_IN1_REG:
      return bitsOf(kPinsOfRegister, espbench::readPin);
    default:
      if (const int pin = pinOf(address); pin >= 0) return readPinRegister(pins[pin]);
      if (espbench::isPulseRegister(address)) return espbench::readPulseRegister(address);
      refuse("Read", address);
  }
}

void espbench_write_register(uint32_t address, uint32_t value) {
  espbench::spend(kAccessNanoseconds);
  switch (address) {
    case GPIO_OUT_REG:
    case GPIO_OUT1_REG: {
      const unsigned first = address == GPIO_OUT_REG ? 0 : kPinsOfRegister;
      const uint32_t changed = levels(first) ^ value;
      setLevels(first, changed & value, true);
      return setLevels(first, changed & ~value, false);
    }
    case GPIO_OUT_W1TS_REG:
      return setLevels(0, value, true);
    case GPIO_OUT_W1TC_REG:
      return setLevels(0, value, false);
    case GPIO_OUT1_W1TS_REG:
      return setLevels(kPinsOfRegister, value, true);
    case GPIO_OUT1_W1TC_REG:
      return setLevels(kPinsOfRegister, value, false);
    case GPIO_ENABLE_REG:
    case GPIO_ENABLE1_REG: {
      const unsigned first = address == GPIO_ENABLE_REG ? 0 : kPinsOfRegister;
      enable(first, value, true);
      return enable(first, ~value, false);
    }
    case GPIO_ENABLE_W1TS_REG:
      return enable(0, value, true);
    case GPIO_ENABLE_W1TC_REG:
      return enable(0, value, false);
    case GPIO_ENABLE1_W1TS_REG:
      return enable(kPinsOfRegister, value, true);
    case GPIO_ENABLE1_W1TC_REG:
      return enable(kPinsOfRegister, value, false);
    default:
      if (const int pin = pinOf(address); pin >= 0) {
        return writePinRegister(static_cast<unsigned>(pin), value);
      }
      if (espbench::isPulseRegister(address)) {
        return espbench::writePulseRegister(address, value);
      }
      refuse("Write", address);
  }
}

void gpio_output_set(uint32_t set_mask, uint32_t clear_mask, uint32_t enable_mask,
                     uint32_t disable_mask) {
  REG_WRITE(GPIO_OUT_W1TS_REG, set_mask);
  REG_WRITE(GPIO_OUT_W1TC_REG, clear_mask);
  REG_WRITE(GPIO_ENABLE_W1TS_REG, enable_mask);
  REG_WRITE(GPIO_ENABLE_W1TC_REG, disable_mask);
}

void gpio_output_set_high(uint32_t set_mask, uint32_t clear_mask, uint32_t enable_mask,
                          uint32_t disable_mask) {
  REG_WRITE(GPIO_OUT1_W1TS_REG, set_mask);
  REG_WRITE(GPIO_OUT1_W1TC_REG, clear_mask);
  REG_WRITE(GPIO_ENABLE1_W1TS_REG, enable_mask);
  REG_WRITE(GPIO_ENABLE1_W1TC_REG, disable_mask);
}

uint32_t gpio_input_get() { return REG_READ(GPIO_IN_REG); }
uint32_t gpio_input_get_high() { return REG_READ(GPIO_IN1_REG); }
void gpio_pad_select_gpio(uint32_t) {}
void gpio_pad_pullup(uint32_t gpio_num) { gpio_pullup_en(static_cast<gpio_num_t>(gpio_num)); }
void gpio_pad_pulldown(uint32_t gpio_num) { gpio_pulldown_en(static_cast<gpio_num_t>(gpio_num)); }

}  // extern "C"
