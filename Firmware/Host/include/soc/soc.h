// ESP-IDF 5 soc/soc.h: registers of the chip by their addresses. Those of the pins (soc/gpio_reg.h)
// and of the pulse counter (soc/pcnt_reg.h) act on these; access to any other ends in a panic that
// names it. An access takes 0.1 us.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
uint32_t espbench_read_register(uint32_t address);
void espbench_write_register(uint32_t address, uint32_t value);
#ifdef __cplusplus
}
#endif

#ifndef BIT
#define BIT(nr) (1UL << (nr))
#endif

// The address may be given as a pointer, such as portOutputRegister().
#define REG_READ(_r) espbench_read_register((uint32_t)(uintptr_t)(_r))
#define REG_WRITE(_r, _v) espbench_write_register((uint32_t)(uintptr_t)(_r), (uint32_t)(_v))
#define REG_GET_BIT(_r, _b) (REG_READ(_r) & (uint32_t)(_b))
#define REG_SET_BIT(_r, _b) REG_WRITE((_r), REG_READ(_r) | (uint32_t)(_b))
#define REG_CLR_BIT(_r, _b) REG_WRITE((_r), REG_READ(_r) & ~(uint32_t)(_b))
#define REG_SET_BITS(_r, _b, _m) \
  REG_WRITE((_r), (REG_READ(_r) & ~(uint32_t)(_m)) | ((uint32_t)(_b) & (uint32_t)(_m)))
#define REG_GET_FIELD(_r, _f) ((REG_READ(_r) >> (_f##_S)) & (_f##_V))
#define REG_SET_FIELD(_r, _f, _v)                                      \
  REG_WRITE((_r), (REG_READ(_r) & ~((uint32_t)(_f##_V) << (_f##_S))) | \
                      (((uint32_t)(_v) & (uint32_t)(_f##_V)) << (_f##_S)))
#define READ_PERI_REG(addr) REG_READ(addr)
#define WRITE_PERI_REG(addr, val) REG_WRITE((addr), (val))
#define SET_PERI_REG_MASK(reg, mask) REG_SET_BIT((reg), (mask))
#define CLEAR_PERI_REG_MASK(reg, mask) REG_CLR_BIT((reg), (mask))
#define GET_PERI_REG_MASK(reg, mask) REG_GET_BIT((reg), (mask))
