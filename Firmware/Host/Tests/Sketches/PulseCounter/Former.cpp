// The former driver, and the registers.
#include <Arduino.h>
#include <driver/pcnt.h>
#include <esp_ipc.h>
#include <esp_sleep.h>
#include <soc/pcnt_struct.h>

namespace {

pcnt_config_t config(int16_t low, int16_t high) {
  pcnt_config_t config = {};
  config.pulse_gpio_num = 4;
  config.ctrl_gpio_num = 5;
  config.lctrl_mode = PCNT_MODE_REVERSE;
  config.hctrl_mode = PCNT_MODE_KEEP;
  config.pos_mode = PCNT_COUNT_INC;
  config.neg_mode = PCNT_COUNT_DIS;
  config.counter_h_lim = high;
  config.counter_l_lim = low;
  config.unit = PCNT_UNIT_2;
  config.channel = PCNT_CHANNEL_1;
  return config;
}

int count() {
  int16_t value = -1;
  pcnt_get_counter_value(PCNT_UNIT_2, &value);
  return value;
}

void begin(int16_t low, int16_t high) {
  const pcnt_config_t at = config(low, high);
  pcnt_unit_config(&at);
  pcnt_counter_pause(PCNT_UNIT_2);
  pcnt_counter_clear(PCNT_UNIT_2);
  pcnt_counter_resume(PCNT_UNIT_2);
}

/// Errors, with their log.
void errors() {
  int16_t value;
  Serial.printf("%d", pcnt_get_counter_value(PCNT_UNIT_0, &value));
  pcnt_config_t at = config(-10, 10);
  at.pulse_gpio_num = at.ctrl_gpio_num;
  Serial.printf(" %d", pcnt_unit_config(&at));
  at = config(1, -1);
  at.pulse_gpio_num = 34;
  Serial.printf(" %d", pcnt_unit_config(&at));
  Serial.printf(" %d", pcnt_counter_clear(static_cast<pcnt_unit_t>(-1)));
  Serial.printf(" %d", pcnt_set_filter_value(PCNT_UNIT_0, 1024));
  Serial.printf(" %d", pcnt_isr_handler_add(PCNT_UNIT_0, nullptr, nullptr));
  Serial.printf(" %d", pcnt_event_enable(PCNT_UNIT_0, static_cast<pcnt_evt_type_t>(3)));
  Serial.printf(" %d\r\n", pcnt_set_pin(PCNT_UNIT_0, PCNT_CHANNEL_0, 24, -1));
}

/// The counter is held in reset until it is cleared, and stands while it is paused.
void states() {
  const pcnt_config_t at = config(-10, 10);
  pcnt_unit_config(&at);
  Serial.print("ready\r\n");
  delay(100);
  Serial.printf("reset %d", count());
  pcnt_counter_clear(PCNT_UNIT_2);
  delay(100);
  Serial.printf(" counted %d", count());
  pcnt_counter_pause(PCNT_UNIT_2);
  delay(100);
  Serial.printf(" paused %d", count());
  pcnt_counter_resume(PCNT_UNIT_2);
  esp_sleep_enable_timer_wakeup(100000);
  esp_light_sleep_start();
  Serial.printf(" slept %d\r\n", count());
}

volatile int calls;
uint32_t statuses[16];

void IRAM_ATTR onEvent(void*) {
  if (calls == 16) return;
  pcnt_get_event_status(PCNT_UNIT_2, &statuses[calls]);
  calls = calls + 1;
}

void install(void* result) { *static_cast<esp_err_t*>(result) = pcnt_isr_service_install(0); }

/// Events of limits and thresholds, in handlers of the service on core 0.
void events() {
  begin(-3, 4);
  pcnt_set_event_value(PCNT_UNIT_2, PCNT_EVT_THRES_0, 2);
  pcnt_set_event_value(PCNT_UNIT_2, PCNT_EVT_THRES_1, -1);
  for (int event = PCNT_EVT_THRES_1; event <= PCNT_EVT_ZERO; event <<= 1) {
    pcnt_event_enable(PCNT_UNIT_2, static_cast<pcnt_evt_type_t>(event));
  }
  pcnt_counter_clear(PCNT_UNIT_2);
  esp_err_t result = ESP_FAIL;
  esp_ipc_call_blocking(0, install, &result);
  pcnt_isr_handler_add(PCNT_UNIT_2, onEvent, nullptr);
  Serial.printf("install %d %d\r\n", result, pcnt_isr_service_install(0));
  delay(200);
  for (int i = 0; i < calls; i++) Serial.printf("%x ", static_cast<unsigned>(statuses[i]));
  Serial.printf("at %d\r\n", count());
}

/// A handler of its own, with the registers. It clears the interrupt only the third time.
void IRAM_ATTR onInterrupt(void*) {
  calls = calls + 1;
  if (calls < 3) return;
  statuses[0] = PCNT.status_unit[2].val;
  statuses[1] = PCNT.int_st.val;
  statuses[2] = PCNT.cnt_unit[2].cnt_val;
  PCNT.int_clr.val = BIT(2);
}

void registers() {
  begin(-10, 10);
  pcnt_isr_handle_t handle;
  pcnt_isr_register(onInterrupt, nullptr, 0, &handle);
  PCNT.conf_unit[2].conf1.cnt_thres0 = 3;
  PCNT.conf_unit[2].conf0.thr_thres0_en = 1;
  PCNT.ctrl.val |= BIT(4);
  PCNT.ctrl.val &= ~BIT(4);
  PCNT.int_ena.val |= BIT(2);
  Serial.printf("conf0 %x\r\n", static_cast<unsigned>(PCNT.conf_unit[2].conf0.val));
  delay(200);
  Serial.printf("calls %d status %x interrupts %x count %u then %x\r\n", calls,
                static_cast<unsigned>(statuses[0]), static_cast<unsigned>(statuses[1]),
                static_cast<unsigned>(statuses[2]), static_cast<unsigned>(PCNT.int_raw.val));
}

/// Pulses of less than 250 cycles, 3.125 us, do not count.
void filter() {
  begin(-1000, 1000);
  pcnt_set_filter_value(PCNT_UNIT_2, 250);
  pcnt_filter_enable(PCNT_UNIT_2);
  Serial.print("ready\r\n");
  delay(200);
  Serial.printf("filtered %d\r\n", count());
}

}  // namespace

void former(char name) {
  calls = 0;
  switch (name) {
    case 'E':
      return errors();
    case 'S':
      return states();
    case 'V':
      return events();
    case 'R':
      return registers();
    case 'F':
      return filter();
    default:
      return begin(-10, 10);
  }
}
