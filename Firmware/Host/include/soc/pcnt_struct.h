// ESP-IDF 5.5 soc/pcnt_struct.h: `PCNT`, the registers of the ESP32's pulse counter, in C++. As in
// gpio_struct.h its members stand for the registers.
#pragma once

#include "gpio_struct.h"
#include "pcnt_reg.h"

namespace espbench {

/// Registers of units, `Step` bytes from one to the next.
template <typename Unit, uint32_t First, uint32_t Step>
struct UnitRegisters {
  Unit operator[](uint32_t unit) const volatile { return Unit(First + Step * unit); }

 private:
  uint32_t _places[8 * Step / 4];
};

struct PulseConfiguration {
  explicit PulseConfiguration(uint32_t address)
      : filter_thres{address, 0, 0x3ff},
        filter_en{address, 10, 1},
        thr_zero_en{address, 11, 1},
        thr_h_lim_en{address, 12, 1},
        thr_l_lim_en{address, 13, 1},
        thr_thres0_en{address, 14, 1},
        thr_thres1_en{address, 15, 1},
        ch0_neg_mode{address, 16, 3},
        ch0_pos_mode{address, 18, 3},
        ch0_hctrl_mode{address, 20, 3},
        ch0_lctrl_mode{address, 22, 3},
        ch1_neg_mode{address, 24, 3},
        ch1_pos_mode{address, 26, 3},
        ch1_hctrl_mode{address, 28, 3},
        ch1_lctrl_mode{address, 30, 3},
        val{address, 0, 0xffffffff} {}
  RegisterBits filter_thres, filter_en, thr_zero_en, thr_h_lim_en, thr_l_lim_en, thr_thres0_en,
      thr_thres1_en, ch0_neg_mode, ch0_pos_mode, ch0_hctrl_mode, ch0_lctrl_mode, ch1_neg_mode,
      ch1_pos_mode, ch1_hctrl_mode, ch1_lctrl_mode, val;
};

struct PulseThresholds {
  explicit PulseThresholds(uint32_t address)
      : cnt_thres0{address, 0, 0xffff}, cnt_thres1{address, 16, 0xffff}, val{address, 0, ~0u} {}
  RegisterBits cnt_thres0, cnt_thres1, val;
};

struct PulseLimits {
  explicit PulseLimits(uint32_t address)
      : cnt_h_lim{address, 0, 0xffff}, cnt_l_lim{address, 16, 0xffff}, val{address, 0, ~0u} {}
  RegisterBits cnt_h_lim, cnt_l_lim, val;
};

struct PulseUnit {
  explicit PulseUnit(uint32_t address) : conf0(address), conf1(address + 4), conf2(address + 8) {}
  PulseConfiguration conf0;
  PulseThresholds conf1;
  PulseLimits conf2;
};

struct PulseCount {
  explicit PulseCount(uint32_t address) : cnt_val{address, 0, 0xffff}, val{address, 0, ~0u} {}
  RegisterBits cnt_val, val;
};

struct PulseStatus {
  explicit PulseStatus(uint32_t address)
      : cnt_mode{address, 0, 3},
        thres1_lat{address, 2, 1},
        thres0_lat{address, 3, 1},
        l_lim_lat{address, 4, 1},
        h_lim_lat{address, 5, 1},
        zero_lat{address, 6, 1},
        val{address, 0, ~0u} {}
  RegisterBits cnt_mode, thres1_lat, thres0_lat, l_lim_lat, h_lim_lat, zero_lat, val;
};

}  // namespace espbench

struct pcnt_dev_t {
  espbench::UnitRegisters<espbench::PulseUnit, PCNT_U0_CONF0_REG, 12> conf_unit;
  espbench::UnitRegisters<espbench::PulseCount, PCNT_U0_CNT_REG, 4> cnt_unit;
  espbench::NamedRegister<PCNT_INT_RAW_REG> int_raw;
  espbench::NamedRegister<PCNT_INT_ST_REG> int_st;
  espbench::NamedRegister<PCNT_INT_ENA_REG> int_ena;
  espbench::NamedRegister<PCNT_INT_CLR_REG> int_clr;
  espbench::UnitRegisters<espbench::PulseStatus, PCNT_U0_STATUS_REG, 4> status_unit;
  espbench::NamedRegister<PCNT_CTRL_REG> ctrl;
};
static_assert(offsetof(pcnt_dev_t, ctrl) == PCNT_CTRL_REG - DR_REG_PCNT_BASE, "layout");

inline pcnt_dev_t& PCNT = *reinterpret_cast<pcnt_dev_t*>(DR_REG_PCNT_BASE);
