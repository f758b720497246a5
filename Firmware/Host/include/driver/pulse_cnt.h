// ESP-IDF 5.5 driver/pulse_cnt.h: the pulse counter's eight units, each with two channels. Not
// together with driver/pcnt.h in one program.
//
// Watch points take effect at the next pcnt_unit_clear_count(), and when the counter has reached a
// limit.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "esp_err.h"
#include "hal/pcnt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pcnt_unit_t* pcnt_unit_handle_t;
typedef struct pcnt_chan_t* pcnt_channel_handle_t;

typedef struct {
  int watch_point_value;
  pcnt_unit_zero_cross_mode_t zero_cross_mode;
} pcnt_watch_event_data_t;

/// Called in an interrupt; true: a task of higher priority was woken.
typedef bool (*pcnt_watch_cb_t)(pcnt_unit_handle_t unit, const pcnt_watch_event_data_t* edata,
                                void* user_ctx);

typedef struct {
  pcnt_watch_cb_t on_reach;
} pcnt_event_callbacks_t;

typedef struct {
  int low_limit;   ///< -32768 to -1; the counter becomes 0 when it reaches a limit
  int high_limit;  ///< 1 to 32767
  int intr_priority;
  struct {
    uint32_t accum_count : 1;  ///< with watch points at both limits
  } flags;
} pcnt_unit_config_t;

typedef struct {
  int edge_gpio_num;  ///< -1: none, with the level of virt_edge_io_level
  int level_gpio_num;
  struct {
    uint32_t invert_edge_input : 1;
    uint32_t invert_level_input : 1;
    uint32_t virt_edge_io_level : 1;
    uint32_t virt_level_io_level : 1;
    uint32_t io_loop_back : 1;
  } flags;
} pcnt_chan_config_t;

typedef struct {
  uint32_t max_glitch_ns;  ///< at most 12799
} pcnt_glitch_filter_config_t;

esp_err_t pcnt_new_unit(const pcnt_unit_config_t* config, pcnt_unit_handle_t* ret_unit);
esp_err_t pcnt_del_unit(pcnt_unit_handle_t unit);
esp_err_t pcnt_unit_set_glitch_filter(pcnt_unit_handle_t unit,
                                      const pcnt_glitch_filter_config_t* config);
esp_err_t pcnt_unit_enable(pcnt_unit_handle_t unit);
esp_err_t pcnt_unit_disable(pcnt_unit_handle_t unit);
esp_err_t pcnt_unit_start(pcnt_unit_handle_t unit);
esp_err_t pcnt_unit_stop(pcnt_unit_handle_t unit);
esp_err_t pcnt_unit_clear_count(pcnt_unit_handle_t unit);
esp_err_t pcnt_unit_get_count(pcnt_unit_handle_t unit, int* value);
esp_err_t pcnt_unit_register_event_callbacks(pcnt_unit_handle_t unit,
                                             const pcnt_event_callbacks_t* cbs, void* user_data);
/// Two besides 0 and the limits.
esp_err_t pcnt_unit_add_watch_point(pcnt_unit_handle_t unit, int watch_point);
esp_err_t pcnt_unit_remove_watch_point(pcnt_unit_handle_t unit, int watch_point);

/// Makes the pins inputs with a pull-up resistor.
esp_err_t pcnt_new_channel(pcnt_unit_handle_t unit, const pcnt_chan_config_t* config,
                           pcnt_channel_handle_t* ret_chan);
esp_err_t pcnt_del_channel(pcnt_channel_handle_t chan);
esp_err_t pcnt_channel_set_edge_action(pcnt_channel_handle_t chan,
                                       pcnt_channel_edge_action_t pos_act,
                                       pcnt_channel_edge_action_t neg_act);
esp_err_t pcnt_channel_set_level_action(pcnt_channel_handle_t chan,
                                        pcnt_channel_level_action_t high_act,
                                        pcnt_channel_level_action_t low_act);

#ifdef __cplusplus
}
#endif
