// The driver with units and channels: the cases of ESP-IDF's own test of it, with pins that the
// sketch drives itself.
#include <Arduino.h>
#include <driver/gpio.h>
#include <driver/pulse_cnt.h>

namespace {

constexpr gpio_num_t kA = GPIO_NUM_18, kB = GPIO_NUM_19;

struct Reached {
  int count;
  int values[16];
  pcnt_unit_zero_cross_mode_t mode;
} reached;

bool IRAM_ATTR onReach(pcnt_unit_handle_t, const pcnt_watch_event_data_t* data, void* context) {
  Reached& reached = *static_cast<Reached*>(context);
  if (reached.count < 16) reached.values[reached.count++] = data->watch_point_value;
  reached.mode = data->zero_cross_mode;
  return false;
}

void driveBoth() {
  gpio_config_t pins = {};
  pins.mode = GPIO_MODE_OUTPUT;
  pins.pin_bit_mask = 1ull << kA | 1ull << kB;
  gpio_config(&pins);
}

void rise(int times) {
  while (times-- > 0) {
    gpio_set_level(kA, 0);
    gpio_set_level(kA, 1);
  }
}

void turn(gpio_num_t a, gpio_num_t b, int times) {
  while (times-- > 0) {
    gpio_set_level(a, 1);
    gpio_set_level(b, 0);
    delayMicroseconds(20);
    gpio_set_level(a, 0);
    delayMicroseconds(20);
    gpio_set_level(b, 1);
    delayMicroseconds(20);
    gpio_set_level(a, 1);
    delayMicroseconds(20);
  }
}

int countOf(pcnt_unit_handle_t unit) {
  int value = -1000;
  pcnt_unit_get_count(unit, &value);
  return value;
}

pcnt_unit_handle_t unitWith(int low, int high, bool accumulates = false) {
  pcnt_unit_config_t config = {};
  config.low_limit = low;
  config.high_limit = high;
  config.flags.accum_count = accumulates;
  pcnt_unit_handle_t unit = nullptr;
  pcnt_new_unit(&config, &unit);
  return unit;
}

pcnt_channel_handle_t channelOf(pcnt_unit_handle_t unit, int edge, int level) {
  pcnt_chan_config_t config = {};
  config.edge_gpio_num = edge;
  config.level_gpio_num = level;
  pcnt_channel_handle_t channel = nullptr;
  pcnt_new_channel(unit, &config, &channel);
  return channel;
}

void start(pcnt_unit_handle_t unit) {
  pcnt_unit_enable(unit);
  pcnt_unit_clear_count(unit);
  pcnt_unit_start(unit);
}

pcnt_unit_handle_t quadrature(int low, int high, bool accumulates) {
  driveBoth();
  const pcnt_unit_handle_t unit = unitWith(low, high, accumulates);
  const pcnt_glitch_filter_config_t filter = {1000};
  pcnt_unit_set_glitch_filter(unit, &filter);
  const pcnt_channel_handle_t a = channelOf(unit, kA, kB), b = channelOf(unit, kB, kA);
  pcnt_channel_set_edge_action(a, PCNT_CHANNEL_EDGE_ACTION_DECREASE,
                               PCNT_CHANNEL_EDGE_ACTION_INCREASE);
  pcnt_channel_set_level_action(a, PCNT_CHANNEL_LEVEL_ACTION_KEEP,
                                PCNT_CHANNEL_LEVEL_ACTION_INVERSE);
  pcnt_channel_set_edge_action(b, PCNT_CHANNEL_EDGE_ACTION_INCREASE,
                               PCNT_CHANNEL_EDGE_ACTION_DECREASE);
  pcnt_channel_set_level_action(b, PCNT_CHANNEL_LEVEL_ACTION_KEEP,
                                PCNT_CHANNEL_LEVEL_ACTION_INVERSE);
  gpio_set_level(kA, 1);
  gpio_set_level(kB, 1);
  delayMicroseconds(10);  // longer than the filter takes
  return unit;
}

void printReached() {
  for (int i = 0; i < reached.count; i++) Serial.printf(" %d", reached.values[i]);
  reached.count = 0;
}

/// Watch points of a quadrature decoder.
void decode() {
  const pcnt_unit_handle_t unit = quadrature(-100, 100, false);
  const pcnt_event_callbacks_t callbacks = {onReach};
  pcnt_unit_register_event_callbacks(unit, &callbacks, &reached);
  for (int point : {0, 100, -100, 50, -50}) pcnt_unit_add_watch_point(unit, point);
  Serial.printf("points %d", pcnt_unit_add_watch_point(unit, 33));
  Serial.printf(" %d", pcnt_unit_add_watch_point(unit, 50));
  Serial.printf(" %d\r\n", pcnt_unit_add_watch_point(unit, 101));
  Serial.printf("early %d\r\n", pcnt_unit_start(unit));
  start(unit);
  turn(kA, kB, 30);
  delay(1);
  Serial.printf("back %d:", countOf(unit));
  printReached();
  turn(kB, kA, 40);
  delay(1);
  Serial.printf(" forward %d:", countOf(unit));
  printReached();
  Serial.printf(" removed %d", pcnt_unit_remove_watch_point(unit, 50));
  Serial.printf(" %d\r\n", pcnt_unit_remove_watch_point(unit, 50));
}

/// Accumulates over the limits.
void accumulate() {
  const pcnt_unit_handle_t unit = quadrature(-20, 20, true);
  pcnt_unit_add_watch_point(unit, 20);
  pcnt_unit_add_watch_point(unit, -20);
  start(unit);
  turn(kB, kA, 60);
  delay(1);
  Serial.printf("accumulated %d", countOf(unit));
  turn(kA, kB, 100);
  delay(1);
  Serial.printf(" %d", countOf(unit));
  portMUX_TYPE lock = portMUX_INITIALIZER_UNLOCKED;
  portENTER_CRITICAL(&lock);
  turn(kA, kB, 6);  // passes a limit, whose interrupt waits
  delayMicroseconds(10);
  const int inside = countOf(unit);
  portEXIT_CRITICAL(&lock);
  Serial.printf(" %d %d\r\n", inside, countOf(unit));
}

/// Both channels count one pulse: from 1 to -1 at once.
void crossZero() {
  driveBoth();
  const pcnt_unit_handle_t unit = unitWith(-100, 100);
  pcnt_unit_add_watch_point(unit, 0);
  const pcnt_event_callbacks_t callbacks = {onReach};
  pcnt_unit_register_event_callbacks(unit, &callbacks, &reached);
  const pcnt_channel_handle_t a = channelOf(unit, kA, -1), b = channelOf(unit, kA, -1);
  start(unit);
  Serial.print("modes");
  const auto step = [&](int first, int second, int times) {
    pcnt_channel_set_edge_action(a, static_cast<pcnt_channel_edge_action_t>(first),
                                 PCNT_CHANNEL_EDGE_ACTION_HOLD);
    pcnt_channel_set_edge_action(b, static_cast<pcnt_channel_edge_action_t>(second),
                                 PCNT_CHANNEL_EDGE_ACTION_HOLD);
    rise(times);
    Serial.printf(" %d:%d:%d", countOf(unit), reached.count, reached.mode);
    reached.count = 0;
  };
  step(1, 0, 1);
  step(2, 2, 1);
  step(1, 1, 1);
  step(2, 0, 2);
  step(1, 0, 2);
  Serial.print("\r\n");
}

/// Errors, with their log.
void errors() {
  pcnt_unit_config_t config = {};
  config.high_limit = 100;
  pcnt_unit_handle_t unit;
  Serial.printf("%d", pcnt_new_unit(&config, &unit));
  pcnt_unit_handle_t all[9] = {};
  for (pcnt_unit_handle_t& one : all) one = unitWith(-32768, 32767);
  Serial.printf(" %d", all[8] == nullptr);
  const pcnt_glitch_filter_config_t filter = {12800};
  Serial.printf(" %d", pcnt_unit_set_glitch_filter(all[7], &filter));
  pcnt_channel_handle_t channels[3] = {};
  for (pcnt_channel_handle_t& channel : channels) channel = channelOf(all[7], kA, -1);
  Serial.printf(" %d %d", channels[2] == nullptr, pcnt_del_unit(all[7]));
  pcnt_del_channel(channels[0]);
  pcnt_del_channel(channels[1]);
  pcnt_unit_enable(all[7]);
  Serial.printf(" %d", pcnt_del_unit(all[7]));
  pcnt_unit_disable(all[7]);
  Serial.printf(" %d %d\r\n", pcnt_del_unit(all[7]), pcnt_unit_stop(nullptr));
}

}  // namespace

void units(char name) {
  switch (name) {
    case 'q':
      return decode();
    case 'a':
      return accumulate();
    case 'z':
      return crossZero();
    case 'e':
      return errors();
  }
}
