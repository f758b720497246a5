// arduino-esp32 3.x esp32-hal-rmt.h: pulses on a pin by the RMT peripheral.
//
// The board gets the pulses of a transmission when it begins, and the pin's level again when it
// ends. A reception takes the edges of the pin, of what is wired to it. The eight channels of the
// chip share eight blocks of memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "freertos/FreeRTOS.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { RMT_RX_MODE = 0, RMT_TX_MODE = 1 } rmt_ch_dir_t;

#define RMT_SYMBOLS_PER_CHANNEL_BLOCK 64

typedef enum {
  RMT_MEM_NUM_BLOCKS_1 = 1,
  RMT_MEM_NUM_BLOCKS_2 = 2,
  RMT_MEM_NUM_BLOCKS_3 = 3,
  RMT_MEM_NUM_BLOCKS_4 = 4,
  RMT_MEM_NUM_BLOCKS_5 = 5,
  RMT_MEM_NUM_BLOCKS_6 = 6,
  RMT_MEM_NUM_BLOCKS_7 = 7,
  RMT_MEM_NUM_BLOCKS_8 = 8
} rmt_reserve_memsize_t;

/// Two pulses; a duration of 0 ends the transmission.
typedef union {
  struct {
    uint32_t duration0 : 15;
    uint32_t level0 : 1;
    uint32_t duration1 : 15;
    uint32_t level1 : 1;
  };
  uint32_t val;
} rmt_data_t;

#define RMT_SYMBOLS_OF(x) (sizeof(x) / sizeof(rmt_data_t))
#define RMT_WAIT_FOR_EVER ((uint32_t)portMAX_DELAY)

/// `frequency_Hz`: 312500 to 80000000, ticks of the durations. Takes 1 ms.
bool rmtInit(int pin, rmt_ch_dir_t channel_direction, rmt_reserve_memsize_t memsize,
             uint32_t frequency_Hz);
bool rmtDeinit(int pin);
/// The level between transmissions, from the next one on; low at first.
bool rmtSetEOT(int pin, uint8_t EOT_Level);
/// Accepted without effect: the board gets the pulses without their carrier.
bool rmtSetCarrier(int pin, bool carrier_en, bool carrier_level, uint32_t frequency_Hz,
                   float duty_percent);

/// Waits until the end, or for `timeout_ms`, which gives false. Also false, and nothing is sent,
/// while another transmission runs.
bool rmtWrite(int pin, rmt_data_t* data, size_t num_rmt_symbols, uint32_t timeout_ms);
/// The data must stay until the end.
bool rmtWriteAsync(int pin, rmt_data_t* data, size_t num_rmt_symbols);
/// Repeats until another write begins; `data` NULL ends it. The end comes up to a millisecond late,
/// with the end of the data.
bool rmtWriteLooping(int pin, rmt_data_t* data, size_t num_rmt_symbols);
bool rmtTransmitCompleted(int pin);

/// Waits for pulses, from the first edge until the pin has had none for the idle time, or for
/// `timeout_ms`, which gives false; the reception goes on. `num_rmt_symbols` is the length of
/// `data`, and gets the number of symbols, the last of which has a duration of 0. More symbols than
/// `data` or the channel's memory hold are lost.
bool rmtRead(int pin, rmt_data_t* data, size_t* num_rmt_symbols, uint32_t timeout_ms);
/// Data and number must stay until the end.
bool rmtReadAsync(int pin, rmt_data_t* data, size_t* num_rmt_symbols);
bool rmtReceiveCompleted(int pin);
/// Shorter pulses are ignored; 0: none. The peripheral takes up to 3187 ns: with more, the next
/// read receives nothing, and logs it.
bool rmtSetRxMinThreshold(int pin, uint8_t filter_pulse_ticks);
/// The idle time; 65535 ticks at first. A pulse of more than 32767 ticks has its lower 15 bits.
bool rmtSetRxMaxThreshold(int pin, uint16_t idle_thres_ticks);

#ifdef __cplusplus
}
#endif
