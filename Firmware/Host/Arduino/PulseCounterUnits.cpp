// The pulse counter's driver (driver/pulse_cnt.h): components/esp_driver_pcnt/src/pulse_cnt.c of
// ESP-IDF 5.5.1.
#include <cstdlib>

#include "Pins.h"
#include "PulseCounter.h"
#include "driver/pulse_cnt.h"
#include "esp_intr_alloc.h"
#include "hal/gpio_ll.h"

using namespace espbench;

struct pcnt_unit_t {
  unsigned number;
  int low, high;
  int accumulated;
  bool accumulates;
  bool hasInterrupt;  ///< it is allocated
  bool isEnabled;
  pcnt_watch_cb_t callback;
  void* argument;
  pcnt_chan_t* channels[kPulseChannels];
  uint32_t watched;   ///< events with a watch point
  int thresholds[2];  ///< of kThreshold0 and kThreshold1
};

struct pcnt_chan_t {
  pcnt_unit_t* unit;
  unsigned number;
  int edgePin, levelPin;
};

namespace {

pcnt_unit_t* units[kPulseUnits];
/// Of the group, until its last unit is deleted; -1: not decided.
int priority = -1;

#define FAIL(line, error, ...) return logPulseError("pcnt", __func__, line, error, __VA_ARGS__)
#define CHECK(condition, line, error, ...)            \
  do {                                                \
    if (!(condition)) FAIL(line, error, __VA_ARGS__); \
  } while (0)

/// True if the interrupt reports the unit to its driver.
bool isServed(const pcnt_unit_t* unit) {
  return unit != nullptr && unit->hasInterrupt && unit->isEnabled;
}

void report(pcnt_unit_t& unit) {
  const uint32_t status = pulseStatus(unit.number);
  clearPulseInterrupts(1u << unit.number);
  if (unit.accumulates) {
    if ((status & kLowLimit) != 0) {
      unit.accumulated += unit.low;
    } else if ((status & kHighLimit) != 0) {
      unit.accumulated += unit.high;
    }
  }
  const struct {
    uint32_t event;
    int value;
  } points[] = {{kLowLimit, unit.low},
                {kHighLimit, unit.high},
                {kThreshold0, pulseValue(unit.number, kThreshold0)},
                {kThreshold1, pulseValue(unit.number, kThreshold1)},
                {kZero, 0}};
  bool isWoken = false;
  for (const auto& point : points) {
    if ((status & point.event) == 0 || unit.callback == nullptr) continue;
    const pcnt_watch_event_data_t data = {
        point.value, point.event == kZero ? static_cast<pcnt_unit_zero_cross_mode_t>(status & 3)
                                          : PCNT_UNIT_ZERO_CROSS_INVALID};
    isWoken |= unit.callback(&unit, &data, unit.argument);
  }
  if (isWoken) portYIELD_FROM_ISR();
}

void serve(void*) {
  const uint32_t interrupts = pulseInterrupts();
  for (pcnt_unit_t* unit : units) {
    if (isServed(unit) && (interrupts >> unit->number & 1) != 0) report(*unit);
  }
}

void updateHandler() {
  uint32_t served = 0;
  for (const pcnt_unit_t* unit : units) {
    if (isServed(unit)) served |= 1u << unit->number;
  }
  setPulseHandler(served != 0 ? serve : nullptr, nullptr, served);
}

/// The event of a watch point that is not at 0 or a limit, and is not in use; 0: none is free.
/// `isThere`: one has the value already.
uint32_t freeThreshold(const pcnt_unit_t& unit, int value, bool& isThere) {
  for (int i : {1, 0}) {
    const uint32_t event = i == 1 ? kThreshold1 : kThreshold0;
    if ((unit.watched & event) == 0) return event;
    if (unit.thresholds[i] == value) {
      isThere = true;
      return 0;
    }
  }
  return 0;
}

int valueOf(const pcnt_unit_t& unit, uint32_t event) {
  switch (event) {
    case kZero:
      return 0;
    case kHighLimit:
      return unit.high;
    case kLowLimit:
      return unit.low;
    default:
      return unit.thresholds[event == kThreshold1];
  }
}

void makeInput(int pin, bool loopsBack) {
  const auto number = static_cast<gpio_num_t>(pin);
  gpio_pullup_en(number);
  gpio_pulldown_dis(number);
  gpio_input_enable(number);
  if (loopsBack) gpio_ll_output_enable(&GPIO, static_cast<uint32_t>(pin));
}

void releasePulls(int pin) {
  gpio_pullup_dis(static_cast<gpio_num_t>(pin));
  gpio_pulldown_dis(static_cast<gpio_num_t>(pin));
}

esp_err_t registerUnit(pcnt_unit_t* unit, const char* function) {
  for (unsigned number = 0; number < kPulseUnits; number++) {
    if (units[number] != nullptr) continue;
    units[number] = unit;
    unit->number = number;
    return ESP_OK;
  }
  logPulseError("pcnt", "pcnt_register_to_group", 177, ESP_ERR_NOT_FOUND, "no free unit");
  return logPulseError("pcnt", function, 234, ESP_ERR_NOT_FOUND, "register unit failed");
}

void removeUnit(pcnt_unit_t* unit) {
  if (units[unit->number] == unit) units[unit->number] = nullptr;
  updateHandler();
  free(unit);
  for (const pcnt_unit_t* other : units) {
    if (other != nullptr) return;
  }
  priority = -1;
}

}  // namespace

extern "C" {

esp_err_t pcnt_new_unit(const pcnt_unit_config_t* config, pcnt_unit_handle_t* ret_unit) {
  usePulseDriver(false);
  CHECK(config != nullptr && ret_unit != nullptr, 214, ESP_ERR_INVALID_ARG, "invalid argument");
  CHECK(config->low_limit < 0 && config->high_limit > 0 && config->low_limit >= INT16_MIN &&
            config->high_limit <= INT16_MAX,
        215, ESP_ERR_INVALID_ARG, "invalid limit range:[%d,%d]", config->low_limit,
        config->high_limit);
  CHECK(config->intr_priority == 0 || (config->intr_priority > 0 && config->intr_priority <= 3),
        219, ESP_ERR_INVALID_ARG, "invalid interrupt priority:%d", config->intr_priority);
  auto* unit = static_cast<pcnt_unit_t*>(calloc(1, sizeof(pcnt_unit_t)));
  CHECK(unit != nullptr, 232, ESP_ERR_NO_MEM, "no mem for unit");
  unit->number = kPulseUnits - 1;
  const esp_err_t error = registerUnit(unit, __func__);
  if (error != ESP_OK) {
    free(unit);
    return error;
  }
  if (priority == -1) {
    priority = config->intr_priority;
  } else if (config->intr_priority != 0 && config->intr_priority != priority) {
    removeUnit(unit);
    FAIL(249, ESP_ERR_INVALID_STATE, "intr_priority conflict, already is %d but attempt to %d",
         priority, config->intr_priority);
  }
  unit->low = config->low_limit;
  unit->high = config->high_limit;
  unit->accumulates = unit->hasInterrupt = config->flags.accum_count;
  for (uint32_t event : {kThreshold1, kThreshold0, kLowLimit, kHighLimit, kZero}) {
    enablePulseEvent(unit->number, event, false);
  }
  enableGlitchFilter(unit->number, false);
  setPulseValue(unit->number, kHighLimit, unit->high);
  setPulseValue(unit->number, kLowLimit, unit->low);
  pauseCounting(unit->number, true);
  clearCount(unit->number);
  clearPulseInterrupts(1u << unit->number);
  enablePulseInterrupt(unit->number, unit->hasInterrupt);
  *ret_unit = unit;
  return ESP_OK;
}

esp_err_t pcnt_del_unit(pcnt_unit_handle_t unit) {
  CHECK(unit != nullptr, 330, ESP_ERR_INVALID_ARG, "invalid argument");
  CHECK(!unit->isEnabled, 331, ESP_ERR_INVALID_STATE, "unit not in init state");
  for (unsigned i = 0; i < kPulseChannels; i++) {
    CHECK(unit->channels[i] == nullptr, 337, ESP_ERR_INVALID_STATE, "channel %u still in working",
          i);
  }
  removeUnit(unit);
  return ESP_OK;
}

esp_err_t pcnt_unit_set_glitch_filter(pcnt_unit_handle_t unit,
                                      const pcnt_glitch_filter_config_t* config) {
  CHECK(unit != nullptr, 399, ESP_ERR_INVALID_ARG, "invalid argument");
  CHECK(!unit->isEnabled, 401, ESP_ERR_INVALID_STATE, "unit not in init state");
  if (config != nullptr) {
    // In 32 bits, as there.
    const uint32_t cycles = 80 * config->max_glitch_ns / 1000;
    CHECK(cycles <= kMaximumGlitch, 405, ESP_ERR_INVALID_ARG, "glitch width out of range");
    setGlitch(unit->number, cycles);
  }
  enableGlitchFilter(unit->number, config != nullptr);
  return ESP_OK;
}

esp_err_t pcnt_unit_enable(pcnt_unit_handle_t unit) {
  CHECK(unit != nullptr, 423, ESP_ERR_INVALID_ARG, "invalid argument");
  CHECK(!unit->isEnabled, 424, ESP_ERR_INVALID_STATE, "unit not in init state");
  unit->isEnabled = true;
  updateHandler();
  return ESP_OK;
}

esp_err_t pcnt_unit_disable(pcnt_unit_handle_t unit) {
  CHECK(unit != nullptr, 441, ESP_ERR_INVALID_ARG, "invalid argument");
  CHECK(unit->isEnabled, 442, ESP_ERR_INVALID_STATE, "unit not in enable state");
  unit->isEnabled = false;
  updateHandler();
  return ESP_OK;
}

esp_err_t pcnt_unit_start(pcnt_unit_handle_t unit) {
  CHECK(unit != nullptr, 459, ESP_ERR_INVALID_ARG, "invalid argument");
  CHECK(unit->isEnabled, 460, ESP_ERR_INVALID_STATE, "unit not enabled yet");
  pauseCounting(unit->number, false);
  return ESP_OK;
}

esp_err_t pcnt_unit_stop(pcnt_unit_handle_t unit) {
  CHECK(unit != nullptr, 473, ESP_ERR_INVALID_ARG, "invalid argument");
  CHECK(unit->isEnabled, 474, ESP_ERR_INVALID_STATE, "unit not enabled yet");
  pauseCounting(unit->number, true);
  return ESP_OK;
}

esp_err_t pcnt_unit_clear_count(pcnt_unit_handle_t unit) {
  CHECK(unit != nullptr, 488, ESP_ERR_INVALID_ARG, "invalid argument");
  clearCount(unit->number);
  unit->accumulated = 0;
  return ESP_OK;
}

esp_err_t pcnt_unit_get_count(pcnt_unit_handle_t unit, int* value) {
  spend(kPollNanoseconds);
  CHECK(unit != nullptr && value != nullptr, 507, ESP_ERR_INVALID_ARG, "invalid argument");
  int count = pulseCount(unit->number);
  // An overflow whose interrupt has not been served yet.
  if (unit->accumulates && (pulseInterrupts() >> unit->number & 1) != 0) {
    const uint32_t status = pulseStatus(unit->number);
    if ((status & kLowLimit) != 0 && count >= unit->low / 2) {
      count += unit->low;
    } else if ((status & kHighLimit) != 0 && count <= unit->high / 2) {
      count += unit->high;
    }
  }
  *value = count + unit->accumulated;
  return ESP_OK;
}

esp_err_t pcnt_unit_register_event_callbacks(pcnt_unit_handle_t unit,
                                             const pcnt_event_callbacks_t* cbs, void* user_data) {
  CHECK(unit != nullptr && cbs != nullptr, 547, ESP_ERR_INVALID_ARG, "invalid argument");
  if (!unit->hasInterrupt) {
    CHECK(!unit->isEnabled, 564, ESP_ERR_INVALID_STATE, "unit not in init state");
    unit->hasInterrupt = true;
  }
  unit->callback = cbs->on_reach;
  unit->argument = user_data;
  enablePulseInterrupt(unit->number, cbs->on_reach != nullptr);
  return ESP_OK;
}

esp_err_t pcnt_unit_add_watch_point(pcnt_unit_handle_t unit, int watch_point) {
  CHECK(unit != nullptr, 590, ESP_ERR_INVALID_ARG, "invalid argument");
  CHECK(watch_point <= unit->high && watch_point >= unit->low, 591, ESP_ERR_INVALID_ARG,
        "watch_point out of limit");
  uint32_t event = watch_point == 0            ? kZero
                   : watch_point == unit->high ? kHighLimit
                   : watch_point == unit->low  ? kLowLimit
                                               : 0;
  bool isThere = (unit->watched & event) != 0;
  if (event == 0) event = freeThreshold(*unit, watch_point, isThere);
  CHECK(!isThere, 661, ESP_ERR_INVALID_STATE, "add watchpoint %d failed", watch_point);
  CHECK(event != 0, 661, ESP_ERR_NOT_FOUND, "add watchpoint %d failed", watch_point);
  if ((event & (kThreshold0 | kThreshold1)) != 0) {
    unit->thresholds[event == kThreshold1] = watch_point;
    setPulseValue(unit->number, event, watch_point);
  }
  unit->watched |= event;
  enablePulseEvent(unit->number, event, true);
  return ESP_OK;
}

esp_err_t pcnt_unit_remove_watch_point(pcnt_unit_handle_t unit, int watch_point) {
  CHECK(unit != nullptr, 669, ESP_ERR_INVALID_ARG, "invalid argument");
  for (uint32_t event : {kThreshold1, kThreshold0, kLowLimit, kHighLimit, kZero}) {
    if ((unit->watched & event) == 0 || valueOf(*unit, event) != watch_point) continue;
    unit->watched &= ~event;
    enablePulseEvent(unit->number, event, false);
    return ESP_OK;
  }
  FAIL(702, ESP_ERR_INVALID_STATE, "watch point %d not added yet", watch_point);
}

esp_err_t pcnt_new_channel(pcnt_unit_handle_t unit, const pcnt_chan_config_t* config,
                           pcnt_channel_handle_t* ret_chan) {
  CHECK(unit != nullptr && config != nullptr && ret_chan != nullptr, 804, ESP_ERR_INVALID_ARG,
        "invalid argument");
  CHECK(!unit->isEnabled, 805, ESP_ERR_INVALID_STATE, "unit not in init state");
  unsigned number = 0;
  while (number < kPulseChannels && unit->channels[number] != nullptr) number++;
  CHECK(number < kPulseChannels, 824, ESP_ERR_NOT_FOUND, "no free channel in unit (0,%u)",
        unit->number);
  auto* channel = static_cast<pcnt_chan_t*>(calloc(1, sizeof(pcnt_chan_t)));
  CHECK(channel != nullptr, 811, ESP_ERR_NO_MEM, "no mem for channel");
  const auto& flags = config->flags;
  *channel = {unit, number, config->edge_gpio_num, config->level_gpio_num};
  unit->channels[number] = channel;
  if (channel->edgePin >= 0) makeInput(channel->edgePin, flags.io_loop_back);
  connectPulses(unit->number, number,
                {channel->edgePin, flags.virt_edge_io_level != 0, flags.invert_edge_input != 0});
  if (channel->levelPin >= 0) makeInput(channel->levelPin, flags.io_loop_back);
  connectControl(
      unit->number, number,
      {channel->levelPin, flags.virt_level_io_level != 0, flags.invert_level_input != 0});
  *ret_chan = channel;
  return ESP_OK;
}

esp_err_t pcnt_del_channel(pcnt_channel_handle_t chan) {
  CHECK(chan != nullptr, 884, ESP_ERR_INVALID_ARG, "invalid argument");
  chan->unit->channels[chan->number] = nullptr;
  if (chan->levelPin >= 0) {
    connectControl(chan->unit->number, chan->number, {-1, true});
    releasePulls(chan->levelPin);
  }
  if (chan->edgePin >= 0) {
    connectPulses(chan->unit->number, chan->number, {-1, true});
    releasePulls(chan->edgePin);
  }
  free(chan);
  return ESP_OK;
}

esp_err_t pcnt_channel_set_edge_action(pcnt_channel_handle_t chan,
                                       pcnt_channel_edge_action_t pos_act,
                                       pcnt_channel_edge_action_t neg_act) {
  CHECK(chan != nullptr, 918, ESP_ERR_INVALID_ARG, "invalid argument");
  setEdgeActions(chan->unit->number, chan->number, pos_act, neg_act);
  return ESP_OK;
}

esp_err_t pcnt_channel_set_level_action(pcnt_channel_handle_t chan,
                                        pcnt_channel_level_action_t high_act,
                                        pcnt_channel_level_action_t low_act) {
  CHECK(chan != nullptr, 933, ESP_ERR_INVALID_ARG, "invalid argument");
  setLevelActions(chan->unit->number, chan->number, high_act, low_act);
  return ESP_OK;
}

}  // extern "C"
