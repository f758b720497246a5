// arduino-esp32 3.x: the pins of the variant "esp32".
#pragma once

#include <stdint.h>

#define EXTERNAL_NUM_INTERRUPTS 16
#define NUM_DIGITAL_PINS 40
#define NUM_ANALOG_INPUTS 16

static const uint8_t TX = 1, RX = 3;
static const uint8_t SDA = 21, SCL = 22;
static const uint8_t SS = 5, MOSI = 23, MISO = 19, SCK = 18;

static const uint8_t A0 = 36, A3 = 39, A4 = 32, A5 = 33, A6 = 34, A7 = 35;
static const uint8_t A10 = 4, A11 = 0, A12 = 2, A13 = 15, A14 = 13, A15 = 12, A16 = 14, A17 = 27;
static const uint8_t A18 = 25, A19 = 26;

static const uint8_t T0 = 4, T1 = 0, T2 = 2, T3 = 15, T4 = 13, T5 = 12, T6 = 14, T7 = 27, T8 = 33;
static const uint8_t T9 = 32;

static const uint8_t DAC1 = 25, DAC2 = 26;
