// ESP-IDF 5.5 driver/pcnt.h: the pulse counter by its former driver, as public libraries of rotary
// encoders use it. Not together with driver/pulse_cnt.h in one program.
//
// A unit counts only after pcnt_counter_clear(): its reset is on until then. Limits and thresholds
// take effect at the next clear, and when the counter has reached a limit.
#pragma once

#include <stdint.h>

#include "esp_err.h"
#include "esp_intr_alloc.h"
#include "hal/pcnt_types.h"
#include "soc/soc_caps.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PCNT_PIN_NOT_USED (-1)

typedef intr_handle_t pcnt_isr_handle_t;

typedef enum { PCNT_PORT_0, PCNT_PORT_MAX } pcnt_port_t;

typedef enum {
  PCNT_UNIT_0,
  PCNT_UNIT_1,
  PCNT_UNIT_2,
  PCNT_UNIT_3,
  PCNT_UNIT_4,
  PCNT_UNIT_5,
  PCNT_UNIT_6,
  PCNT_UNIT_7,
  PCNT_UNIT_MAX
} pcnt_unit_t;

typedef enum { PCNT_CHANNEL_0, PCNT_CHANNEL_1, PCNT_CHANNEL_MAX } pcnt_channel_t;

typedef enum {
  PCNT_EVT_THRES_1 = 1 << 2,
  PCNT_EVT_THRES_0 = 1 << 3,
  PCNT_EVT_L_LIM = 1 << 4,
  PCNT_EVT_H_LIM = 1 << 5,
  PCNT_EVT_ZERO = 1 << 6,
  PCNT_EVT_MAX
} pcnt_evt_type_t;

typedef pcnt_channel_level_action_t pcnt_ctrl_mode_t;
#define PCNT_MODE_KEEP PCNT_CHANNEL_LEVEL_ACTION_KEEP
#define PCNT_MODE_REVERSE PCNT_CHANNEL_LEVEL_ACTION_INVERSE
#define PCNT_MODE_DISABLE PCNT_CHANNEL_LEVEL_ACTION_HOLD
#define PCNT_MODE_MAX 3

typedef pcnt_channel_edge_action_t pcnt_count_mode_t;
#define PCNT_COUNT_DIS PCNT_CHANNEL_EDGE_ACTION_HOLD
#define PCNT_COUNT_INC PCNT_CHANNEL_EDGE_ACTION_INCREASE
#define PCNT_COUNT_DEC PCNT_CHANNEL_EDGE_ACTION_DECREASE
#define PCNT_COUNT_MAX 3

typedef struct {
  int pulse_gpio_num;  ///< negative: none
  int ctrl_gpio_num;
  pcnt_ctrl_mode_t lctrl_mode;
  pcnt_ctrl_mode_t hctrl_mode;
  pcnt_count_mode_t pos_mode;
  pcnt_count_mode_t neg_mode;
  int16_t counter_h_lim;  ///< the counter becomes 0 when it reaches a limit
  int16_t counter_l_lim;
  pcnt_unit_t unit;
  pcnt_channel_t channel;
} pcnt_config_t;

/// Makes the pins inputs with a pull-up resistor. Switches filter and events of the limits off.
esp_err_t pcnt_unit_config(const pcnt_config_t* pcnt_config);
esp_err_t pcnt_set_pin(pcnt_unit_t unit, pcnt_channel_t channel, int pulse_io, int ctrl_io);
esp_err_t pcnt_set_mode(pcnt_unit_t unit, pcnt_channel_t channel, pcnt_count_mode_t pos_mode,
                        pcnt_count_mode_t neg_mode, pcnt_ctrl_mode_t hctrl_mode,
                        pcnt_ctrl_mode_t lctrl_mode);

esp_err_t pcnt_get_counter_value(pcnt_unit_t pcnt_unit, int16_t* count);
esp_err_t pcnt_counter_pause(pcnt_unit_t pcnt_unit);
esp_err_t pcnt_counter_resume(pcnt_unit_t pcnt_unit);
esp_err_t pcnt_counter_clear(pcnt_unit_t pcnt_unit);

esp_err_t pcnt_event_enable(pcnt_unit_t unit, pcnt_evt_type_t evt_type);
esp_err_t pcnt_event_disable(pcnt_unit_t unit, pcnt_evt_type_t evt_type);
esp_err_t pcnt_set_event_value(pcnt_unit_t unit, pcnt_evt_type_t evt_type, int16_t value);
esp_err_t pcnt_get_event_value(pcnt_unit_t unit, pcnt_evt_type_t evt_type, int16_t* value);
esp_err_t pcnt_get_event_status(pcnt_unit_t unit, uint32_t* status);

/// Pulses and pauses of less than `filter_val` * 12.5 ns are ignored; at most 1023.
esp_err_t pcnt_set_filter_value(pcnt_unit_t unit, uint16_t filter_val);
esp_err_t pcnt_get_filter_value(pcnt_unit_t unit, uint16_t* filter_val);
esp_err_t pcnt_filter_enable(pcnt_unit_t unit);
esp_err_t pcnt_filter_disable(pcnt_unit_t unit);

esp_err_t pcnt_intr_enable(pcnt_unit_t pcnt_unit);
esp_err_t pcnt_intr_disable(pcnt_unit_t pcnt_unit);
/// The handler runs again and again until it has cleared the interrupt, `PCNT.int_clr`
/// (soc/pcnt_struct.h); those of pcnt_isr_handler_add() need not.
esp_err_t pcnt_isr_register(void (*fn)(void*), void* arg, int intr_alloc_flags,
                            pcnt_isr_handle_t* handle);
esp_err_t pcnt_isr_unregister(pcnt_isr_handle_t handle);
esp_err_t pcnt_isr_service_install(int intr_alloc_flags);
void pcnt_isr_service_uninstall(void);
esp_err_t pcnt_isr_handler_add(pcnt_unit_t unit, void (*isr_handler)(void*), void* args);
esp_err_t pcnt_isr_handler_remove(pcnt_unit_t unit);

#ifdef __cplusplus
}
#endif
