// The pulse counter's former driver (driver/pcnt.h): components/driver/deprecated/pcnt_legacy.c of
// ESP-IDF 5.5.1.
#include <cstdlib>

#include "Pins.h"
#include "PulseCounter.h"
#include "driver/pcnt.h"
#include "soc/pcnt_reg.h"

using namespace espbench;

struct intr_handle_data_t {};

namespace {

constexpr uint32_t kAllUnits = 0xff;

bool isInitialized;

struct Handler {
  void (*function)(void*);
  void* argument;
};
Handler* handlers;  ///< of the service, one for each unit

esp_err_t fail(const char* function, int line, const char* text,
               esp_err_t error = ESP_ERR_INVALID_ARG) {
  return logPulseError("pcnt(legacy)", function, line, error, "%s", text);
}

/// The checks with which each function begins, from `line` on.
esp_err_t check(const char* function, int line) {
  usePulseDriver(true);
  spend(kPollNanoseconds);
  return isInitialized ? ESP_OK : fail(function, line, "PCNT driver error", ESP_ERR_INVALID_STATE);
}

esp_err_t checkUnit(pcnt_unit_t unit, const char* function, int line) {
  const esp_err_t error = check(function, line);
  if (error != ESP_OK || static_cast<unsigned>(unit) < kPulseUnits) return error;
  return fail(function, line + 1, "PCNT UNIT ERROR");
}

esp_err_t checkChannel(pcnt_unit_t unit, pcnt_channel_t channel, const char* function, int line) {
  const esp_err_t error = checkUnit(unit, function, line);
  if (error != ESP_OK || channel < PCNT_CHANNEL_MAX) return error;
  return fail(function, line + 2, "PCNT CHANNEL ERROR");
}

bool isPinOrNone(int pin) { return pin < 0 || isPin(static_cast<unsigned>(pin)); }

/// True for one event that has a value.
bool isValued(pcnt_evt_type_t event) {
  return event == PCNT_EVT_THRES_1 || event == PCNT_EVT_THRES_0 || event == PCNT_EVT_L_LIM ||
         event == PCNT_EVT_H_LIM;
}

void makeInput(int pin) {
  const auto number = static_cast<gpio_num_t>(pin);
  gpio_set_direction(number, GPIO_MODE_INPUT);
  gpio_set_pull_mode(number, GPIO_PULLUP_ONLY);
}

esp_err_t enableEvent(pcnt_unit_t unit, pcnt_evt_type_t event, bool isOn) {
  constexpr char kFunction[] = "_pcnt_event_enable";
  const esp_err_t error = checkUnit(unit, kFunction, 157);
  if (error != ESP_OK) return error;
  if (event >= PCNT_EVT_MAX) return fail(kFunction, 159, "PCNT value type error");
  if (!isValued(event) && event != PCNT_EVT_ZERO) {
    return fail(kFunction, 177, "PCNT value type error");
  }
  enablePulseEvent(unit, event, isOn);
  return ESP_OK;
}

esp_err_t enableInterrupt(pcnt_unit_t unit, bool isOn) {
  const esp_err_t error = checkUnit(unit, "_pcnt_intr_enable", 147);
  if (error == ESP_OK) enablePulseInterrupt(unit, isOn);
  return error;
}

/// The handler of the service.
void serve(void*) {
  const uint32_t interrupts = pulseInterrupts();
  clearPulseInterrupts(interrupts);
  for (unsigned unit = 0; unit < kPulseUnits && handlers != nullptr; unit++) {
    const Handler handler = handlers[unit];
    if ((interrupts >> unit & 1) != 0 && handler.function != nullptr) {
      handler.function(handler.argument);
    }
  }
}

}  // namespace

extern "C" {

esp_err_t pcnt_unit_config(const pcnt_config_t* pcnt_config) {
  constexpr char kFunction[] = "_pcnt_unit_config";
  usePulseDriver(true);
  isInitialized = true;
  const pcnt_config_t& config = *pcnt_config;
  const int pulses = config.pulse_gpio_num, control = config.ctrl_gpio_num;
  esp_err_t error = checkChannel(config.unit, config.channel, kFunction, 365);
  if (error != ESP_OK) return error;
  if (!isPinOrNone(pulses) || (pulses >= 0 && pulses == control)) {
    return fail(kFunction, 368, "PCNT pulse input io error");
  }
  if (!isPinOrNone(control)) return fail(kFunction, 369, "PCNT ctrl io error");
  if (config.pos_mode >= PCNT_COUNT_MAX || config.neg_mode >= PCNT_COUNT_MAX) {
    return fail(kFunction, 370, "PCNT COUNTER MODE ERROR");
  }
  if (config.hctrl_mode >= PCNT_MODE_MAX || config.lctrl_mode >= PCNT_MODE_MAX) {
    return fail(kFunction, 371, "PCNT CTRL MODE ERROR");
  }
  pcnt_set_event_value(config.unit, PCNT_EVT_H_LIM, config.counter_h_lim);
  pcnt_set_event_value(config.unit, PCNT_EVT_L_LIM, config.counter_l_lim);
  for (uint32_t event : {kHighLimit, kLowLimit, kZero}) enablePulseEvent(config.unit, event, false);
  enableGlitchFilter(config.unit, false);
  pcnt_set_mode(config.unit, config.channel, config.pos_mode, config.neg_mode, config.hctrl_mode,
                config.lctrl_mode);
  pcnt_set_pin(config.unit, config.channel, pulses, control);
  return ESP_OK;
}

esp_err_t pcnt_set_mode(pcnt_unit_t unit, pcnt_channel_t channel, pcnt_count_mode_t pos_mode,
                        pcnt_count_mode_t neg_mode, pcnt_ctrl_mode_t hctrl_mode,
                        pcnt_ctrl_mode_t lctrl_mode) {
  constexpr char kFunction[] = "_pcnt_set_mode";
  const esp_err_t error = checkChannel(unit, channel, kFunction, 70);
  if (error != ESP_OK) return error;
  if (pos_mode >= PCNT_COUNT_MAX || neg_mode >= PCNT_COUNT_MAX) {
    return fail(kFunction, 73, "PCNT COUNTER MODE ERROR");
  }
  if (hctrl_mode >= PCNT_MODE_MAX || lctrl_mode >= PCNT_MODE_MAX) {
    return fail(kFunction, 74, "PCNT CTRL MODE ERROR");
  }
  setEdgeActions(unit, channel, pos_mode, neg_mode);
  setLevelActions(unit, channel, hctrl_mode, lctrl_mode);
  return ESP_OK;
}

esp_err_t pcnt_set_pin(pcnt_unit_t unit, pcnt_channel_t channel, int pulse_io, int ctrl_io) {
  constexpr char kFunction[] = "_pcnt_set_pin";
  const esp_err_t error = checkChannel(unit, channel, kFunction, 83);
  if (error != ESP_OK) return error;
  if (!isPinOrNone(pulse_io)) return fail(kFunction, 86, "PCNT GPIO NUM ERROR");
  if (!isPinOrNone(ctrl_io)) return fail(kFunction, 87, "PCNT GPIO NUM ERROR");
  if (pulse_io >= 0) {
    makeInput(pulse_io);
    connectPulses(unit, channel, {pulse_io});
  }
  if (ctrl_io >= 0) {
    makeInput(ctrl_io);
    connectControl(unit, channel, {ctrl_io});
  }
  return ESP_OK;
}

esp_err_t pcnt_get_counter_value(pcnt_unit_t pcnt_unit, int16_t* count) {
  constexpr char kFunction[] = "_pcnt_get_counter_value";
  const esp_err_t error = checkUnit(pcnt_unit, kFunction, 108);
  if (error != ESP_OK) return error;
  if (count == nullptr) return fail(kFunction, 110, "PCNT ADDRESS ERROR");
  *count = static_cast<int16_t>(pulseCount(pcnt_unit));
  return ESP_OK;
}

esp_err_t pcnt_counter_pause(pcnt_unit_t pcnt_unit) {
  const esp_err_t error = checkUnit(pcnt_unit, "_pcnt_counter_pause", 117);
  if (error == ESP_OK) pauseCounting(pcnt_unit, true);
  return error;
}

esp_err_t pcnt_counter_resume(pcnt_unit_t pcnt_unit) {
  const esp_err_t error = checkUnit(pcnt_unit, "_pcnt_counter_resume", 127);
  if (error == ESP_OK) pauseCounting(pcnt_unit, false);
  return error;
}

esp_err_t pcnt_counter_clear(pcnt_unit_t pcnt_unit) {
  const esp_err_t error = checkUnit(pcnt_unit, "_pcnt_counter_clear", 137);
  if (error == ESP_OK) clearCount(pcnt_unit);
  return error;
}

esp_err_t pcnt_event_enable(pcnt_unit_t unit, pcnt_evt_type_t evt_type) {
  return enableEvent(unit, evt_type, true);
}

esp_err_t pcnt_event_disable(pcnt_unit_t unit, pcnt_evt_type_t evt_type) {
  return enableEvent(unit, evt_type, false);
}

esp_err_t pcnt_set_event_value(pcnt_unit_t unit, pcnt_evt_type_t evt_type, int16_t value) {
  constexpr char kFunction[] = "_pcnt_set_event_value";
  const esp_err_t error = checkUnit(unit, kFunction, 185);
  if (error != ESP_OK) return error;
  if (evt_type >= PCNT_EVT_MAX) return fail(kFunction, 187, "PCNT value type error");
  if (evt_type == PCNT_EVT_L_LIM && value > 0)
    return fail(kFunction, 188, "PCNT limit value error");
  if (evt_type == PCNT_EVT_H_LIM && value < 0)
    return fail(kFunction, 189, "PCNT limit value error");
  if (isValued(evt_type)) setPulseValue(unit, evt_type, value);
  return ESP_OK;
}

esp_err_t pcnt_get_event_value(pcnt_unit_t unit, pcnt_evt_type_t evt_type, int16_t* value) {
  constexpr char kFunction[] = "_pcnt_get_event_value";
  const esp_err_t error = checkUnit(unit, kFunction, 211);
  if (error != ESP_OK) return error;
  if (evt_type >= PCNT_EVT_MAX) return fail(kFunction, 213, "PCNT value type error");
  if (value == nullptr) return fail(kFunction, 214, "PCNT ADDRESS ERROR");
  if (isValued(evt_type)) *value = pulseValue(unit, evt_type);
  return ESP_OK;
}

esp_err_t pcnt_get_event_status(pcnt_unit_t unit, uint32_t* status) {
  constexpr char kFunction[] = "_pcnt_get_event_status";
  const esp_err_t error = checkUnit(unit, kFunction, 236);
  if (error != ESP_OK) return error;
  if (status == nullptr) return fail(kFunction, 238, "PCNT ADDRESS ERROR");
  *status = pulseStatus(unit);
  return ESP_OK;
}

esp_err_t pcnt_set_filter_value(pcnt_unit_t unit, uint16_t filter_val) {
  constexpr char kFunction[] = "_pcnt_set_filter_value";
  const esp_err_t error = checkUnit(unit, kFunction, 246);
  if (error != ESP_OK) return error;
  if (filter_val > kMaximumGlitch) return fail(kFunction, 248, "PCNT PARAM ERROR");
  setGlitch(unit, filter_val);
  return ESP_OK;
}

esp_err_t pcnt_get_filter_value(pcnt_unit_t unit, uint16_t* filter_val) {
  constexpr char kFunction[] = "_pcnt_get_filter_value";
  const esp_err_t error = checkUnit(unit, kFunction, 255);
  if (error != ESP_OK) return error;
  if (filter_val == nullptr) return fail(kFunction, 257, "PCNT ADDRESS ERROR");
  *filter_val = static_cast<uint16_t>(glitch(unit));
  return ESP_OK;
}

esp_err_t pcnt_filter_enable(pcnt_unit_t unit) {
  const esp_err_t error = checkUnit(unit, "_pcnt_filter_enable", 265);
  if (error == ESP_OK) enableGlitchFilter(unit, true);
  return error;
}

esp_err_t pcnt_filter_disable(pcnt_unit_t unit) {
  const esp_err_t error = checkUnit(unit, "_pcnt_filter_enable", 265);
  if (error == ESP_OK) enableGlitchFilter(unit, false);
  return error;
}

esp_err_t pcnt_intr_enable(pcnt_unit_t pcnt_unit) { return enableInterrupt(pcnt_unit, true); }
esp_err_t pcnt_intr_disable(pcnt_unit_t pcnt_unit) { return enableInterrupt(pcnt_unit, false); }

esp_err_t pcnt_isr_register(void (*fn)(void*), void* arg, int, pcnt_isr_handle_t* handle) {
  usePulseDriver(true);
  if (fn == nullptr) return fail(__func__, 531, "PCNT ADDRESS ERROR");
  // The handle is that of the only interrupt.
  static intr_handle_data_t interrupt;
  if (handle != nullptr) *handle = &interrupt;
  setPulseHandler(fn, arg, kAllUnits);
  return ESP_OK;
}

esp_err_t pcnt_isr_unregister(pcnt_isr_handle_t handle) {
  if (handle == nullptr) return ESP_ERR_INVALID_ARG;
  setPulseHandler(nullptr, nullptr, 0);
  return ESP_OK;
}

esp_err_t pcnt_isr_service_install(int intr_alloc_flags) {
  constexpr char kFunction[] = "_pcnt_isr_service_install";
  const esp_err_t error = check(kFunction, 326);
  if (error != ESP_OK) return error;
  if (handlers != nullptr) {
    return fail(kFunction, 327, "ISR service already installed", ESP_ERR_INVALID_STATE);
  }
  handlers = static_cast<Handler*>(calloc(kPulseUnits, sizeof(Handler)));
  if (handlers == nullptr) return ESP_ERR_NO_MEM;
  return pcnt_isr_register(serve, nullptr, intr_alloc_flags, nullptr);
}

void pcnt_isr_service_uninstall(void) {
  constexpr char kFunction[] = "_pcnt_isr_service_uninstall";
  if (check(kFunction, 347) != ESP_OK) return;
  if (handlers == nullptr) {
    fail(kFunction, 348, "ISR Service not installed yet.");
    return;
  }
  setPulseHandler(nullptr, nullptr, 0);
  free(handlers);
  handlers = nullptr;
}

esp_err_t pcnt_isr_handler_add(pcnt_unit_t unit, void (*isr_handler)(void*), void* args) {
  constexpr char kFunction[] = "_pcnt_isr_handler_add";
  const esp_err_t error = check(kFunction, 273);
  if (error != ESP_OK) return error;
  if (handlers == nullptr) {
    return fail(kFunction, 274,
                "ISR service is not installed, call pcnt_install_isr_service() first",
                ESP_ERR_INVALID_STATE);
  }
  if (static_cast<unsigned>(unit) >= kPulseUnits) return fail(kFunction, 275, "PCNT unit error");
  enablePulseInterrupt(unit, false);
  handlers[unit] = {isr_handler, args};
  enablePulseInterrupt(unit, true);
  return ESP_OK;
}

esp_err_t pcnt_isr_handler_remove(pcnt_unit_t unit) {
  constexpr char kFunction[] = "_pcnt_isr_handler_remove";
  const esp_err_t error = check(kFunction, 291);
  if (error != ESP_OK) return error;
  if (handlers == nullptr) {
    return fail(kFunction, 292, "ISR service is not installed", ESP_ERR_INVALID_STATE);
  }
  if (static_cast<unsigned>(unit) >= kPulseUnits) return fail(kFunction, 293, "PCNT unit error");
  enablePulseInterrupt(unit, false);
  handlers[unit] = {};
  return ESP_OK;
}

}  // extern "C"
