// ESP-IDF 5.5 hal/pcnt_types.h: what a channel of the pulse counter does at an edge and a level.
#pragma once

typedef enum {
  PCNT_CHANNEL_LEVEL_ACTION_KEEP,
  PCNT_CHANNEL_LEVEL_ACTION_INVERSE,
  PCNT_CHANNEL_LEVEL_ACTION_HOLD,
} pcnt_channel_level_action_t;

typedef enum {
  PCNT_CHANNEL_EDGE_ACTION_HOLD,
  PCNT_CHANNEL_EDGE_ACTION_INCREASE,
  PCNT_CHANNEL_EDGE_ACTION_DECREASE,
} pcnt_channel_edge_action_t;

typedef enum {
  PCNT_UNIT_ZERO_CROSS_POS_ZERO,
  PCNT_UNIT_ZERO_CROSS_NEG_ZERO,
  PCNT_UNIT_ZERO_CROSS_NEG_POS,
  PCNT_UNIT_ZERO_CROSS_POS_NEG,
  PCNT_UNIT_ZERO_CROSS_INVALID,
} pcnt_unit_zero_cross_mode_t;
