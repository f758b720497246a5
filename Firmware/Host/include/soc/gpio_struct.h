// ESP-IDF 5 soc/gpio_struct.h: `GPIO`, the registers of the ESP32's pins, in C++. Its members stand
// for the registers: reading and writing them acts on the pins, as soc/gpio_reg.h's addresses do.
//
// The members have the chip's addresses, where there is no memory: access through a pointer to one
// ends in a panic with the register's address.
#pragma once

#include <stddef.h>

#include "gpio_reg.h"

#ifndef __cplusplus
#error "GPIO is in espbench's host core for C++ only: use REG_WRITE() of soc/gpio_reg.h in C"
#endif

namespace espbench {

/// Bits of the register at an address.
struct RegisterBits {
  uint32_t address;
  uint32_t shift;
  uint32_t mask;

  operator uint32_t() const { return (espbench_read_register(address) >> shift) & mask; }
  const RegisterBits& operator=(uint32_t value) const {
    const uint32_t others = espbench_read_register(address) & ~(mask << shift);
    espbench_write_register(address, others | (value & mask) << shift);
    return *this;
  }
};

/// The register at an address of the chip. It cannot be copied: `auto` would not read it.
template <uint32_t Address>
struct Register {
  Register(const volatile Register&) = delete;
  operator uint32_t() const volatile { return espbench_read_register(Address); }
  void operator=(uint32_t value) const volatile { espbench_write_register(Address, value); }
  void operator|=(uint32_t bits) const volatile { *this = *this | bits; }
  void operator&=(uint32_t bits) const volatile { *this = *this & bits; }
  void operator^=(uint32_t bits) const volatile { *this = *this ^ bits; }

 private:
  [[maybe_unused]] uint32_t _place;
};

/// A register of which ESP-IDF has a union.
template <uint32_t Address>
union NamedRegister {
  NamedRegister() = delete;
  Register<Address> val;
  Register<Address> data;
};

/// The register of one pin.
struct PinRegister {
  explicit PinRegister(uint32_t address)
      : pad_driver{address, 2, 0x1},
        int_type{address, 7, 0x7},
        int_ena{address, 13, 0x1f},
        val{address, 0, 0xffffffff} {}
  RegisterBits pad_driver, int_type, int_ena, val;
};

struct PinRegisters {
  PinRegister operator[](uint32_t pin) const volatile {
    return PinRegister(GPIO_PIN0_REG + 4 * pin);
  }
};

}  // namespace espbench

struct gpio_dev_t {
  uint32_t reserved_0;
  espbench::Register<GPIO_OUT_REG> out;
  espbench::Register<GPIO_OUT_W1TS_REG> out_w1ts;
  espbench::Register<GPIO_OUT_W1TC_REG> out_w1tc;
  espbench::NamedRegister<GPIO_OUT1_REG> out1;
  espbench::NamedRegister<GPIO_OUT1_W1TS_REG> out1_w1ts;
  espbench::NamedRegister<GPIO_OUT1_W1TC_REG> out1_w1tc;
  uint32_t reserved_1c;
  espbench::Register<GPIO_ENABLE_REG> enable;
  espbench::Register<GPIO_ENABLE_W1TS_REG> enable_w1ts;
  espbench::Register<GPIO_ENABLE_W1TC_REG> enable_w1tc;
  espbench::NamedRegister<GPIO_ENABLE1_REG> enable1;
  espbench::NamedRegister<GPIO_ENABLE1_W1TS_REG> enable1_w1ts;
  espbench::NamedRegister<GPIO_ENABLE1_W1TC_REG> enable1_w1tc;
  uint32_t reserved_38;
  espbench::Register<GPIO_IN_REG> in;
  espbench::NamedRegister<GPIO_IN1_REG> in1;
  espbench::PinRegisters pin;
};
static_assert(offsetof(gpio_dev_t, in1) == GPIO_IN1_REG - DR_REG_GPIO_BASE, "layout");

inline gpio_dev_t& GPIO = *reinterpret_cast<gpio_dev_t*>(DR_REG_GPIO_BASE);
