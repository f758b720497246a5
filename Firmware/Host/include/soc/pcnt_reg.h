// ESP-IDF 5.5 soc/pcnt_reg.h: the registers of the ESP32's pulse counter.
#pragma once

#include "soc.h"

#define DR_REG_PCNT_BASE 0x3ff57000
/// Three configurations for each unit, 12 bytes from unit to unit.
#define PCNT_U0_CONF0_REG (DR_REG_PCNT_BASE + 0x00)
#define PCNT_U0_CONF1_REG (DR_REG_PCNT_BASE + 0x04)
#define PCNT_U0_CONF2_REG (DR_REG_PCNT_BASE + 0x08)
#define PCNT_U0_CNT_REG (DR_REG_PCNT_BASE + 0x60)
#define PCNT_INT_RAW_REG (DR_REG_PCNT_BASE + 0x80)
#define PCNT_INT_ST_REG (DR_REG_PCNT_BASE + 0x84)
#define PCNT_INT_ENA_REG (DR_REG_PCNT_BASE + 0x88)
#define PCNT_INT_CLR_REG (DR_REG_PCNT_BASE + 0x8c)
#define PCNT_U0_STATUS_REG (DR_REG_PCNT_BASE + 0x90)
#define PCNT_CTRL_REG (DR_REG_PCNT_BASE + 0xb0)
