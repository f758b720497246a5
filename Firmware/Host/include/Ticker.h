// arduino-esp32's Ticker: calls a function once after a time, or periodically, in the task of
// esp_timer.h.
#pragma once

#include <functional>
#include <utility>

#include "esp_timer.h"

class Ticker {
 public:
  typedef void (*callback_with_arg_t)(void*);
  typedef std::function<void(void)> callback_function_t;

  Ticker();
  ~Ticker();

  void attach(float seconds, callback_function_t callback) {
    _callback_function = std::move(callback);
    _attach_us(1000000ULL * seconds, true, _static_callback, this);
  }
  void attach_ms(uint64_t milliseconds, callback_function_t callback) {
    _callback_function = std::move(callback);
    _attach_us(1000ULL * milliseconds, true, _static_callback, this);
  }
  void attach_us(uint64_t micros, callback_function_t callback) {
    _callback_function = std::move(callback);
    _attach_us(micros, true, _static_callback, this);
  }
  template <typename TArg>
  void attach(float seconds, void (*callback)(TArg), TArg arg) {
    _attach_us(1000000ULL * seconds, true, _erased(callback), _pointer(arg));
  }
  template <typename TArg>
  void attach_ms(uint64_t milliseconds, void (*callback)(TArg), TArg arg) {
    _attach_us(1000ULL * milliseconds, true, _erased(callback), _pointer(arg));
  }
  template <typename TArg>
  void attach_us(uint64_t micros, void (*callback)(TArg), TArg arg) {
    _attach_us(micros, true, _erased(callback), _pointer(arg));
  }

  void once(float seconds, callback_function_t callback) {
    _callback_function = std::move(callback);
    _attach_us(1000000ULL * seconds, false, _static_callback, this);
  }
  void once_ms(uint64_t milliseconds, callback_function_t callback) {
    _callback_function = std::move(callback);
    _attach_us(1000ULL * milliseconds, false, _static_callback, this);
  }
  void once_us(uint64_t micros, callback_function_t callback) {
    _callback_function = std::move(callback);
    _attach_us(micros, false, _static_callback, this);
  }
  template <typename TArg>
  void once(float seconds, void (*callback)(TArg), TArg arg) {
    _attach_us(1000000ULL * seconds, false, _erased(callback), _pointer(arg));
  }
  template <typename TArg>
  void once_ms(uint64_t milliseconds, void (*callback)(TArg), TArg arg) {
    _attach_us(1000ULL * milliseconds, false, _erased(callback), _pointer(arg));
  }
  template <typename TArg>
  void once_us(uint64_t micros, void (*callback)(TArg), TArg arg) {
    _attach_us(micros, false, _erased(callback), _pointer(arg));
  }

  void detach();
  bool active() const;

 protected:
  static void _static_callback(void* arg);
  void _attach_us(uint64_t micros, bool repeat, callback_with_arg_t callback, void* arg);

  callback_function_t _callback_function = nullptr;
  esp_timer_handle_t _timer;

 private:
  template <typename TArg>
  static callback_with_arg_t _erased(void (*callback)(TArg)) {
    static_assert(sizeof(TArg) <= sizeof(void*),
                  "attach() callback argument size must be <= sizeof(void*)");
    return reinterpret_cast<callback_with_arg_t>(reinterpret_cast<void*>(callback));
  }
  template <typename TArg>
  static void* _pointer(TArg arg) {
    return (void*)(uintptr_t)arg;
  }
};
