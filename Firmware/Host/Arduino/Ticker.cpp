#include "Ticker.h"

Ticker::Ticker() : _timer(nullptr) {}
Ticker::~Ticker() { detach(); }

void Ticker::_attach_us(uint64_t micros, bool repeat, callback_with_arg_t callback, void* arg) {
  detach();
  esp_timer_create_args_t arguments = {};
  arguments.callback = callback;
  arguments.arg = arg;
  arguments.name = "Ticker";
  if (esp_timer_create(&arguments, &_timer) != ESP_OK) return;
  if (repeat) {
    esp_timer_start_periodic(_timer, micros);
  } else {
    esp_timer_start_once(_timer, micros);
  }
}

void Ticker::detach() {
  if (_timer == nullptr) return;
  esp_timer_stop(_timer);
  esp_timer_delete(_timer);
  _timer = nullptr;
}

bool Ticker::active() const { return esp_timer_is_active(_timer); }

void Ticker::_static_callback(void* arg) {
  auto* ticker = static_cast<Ticker*>(arg);
  if (ticker->_callback_function) ticker->_callback_function();
}
