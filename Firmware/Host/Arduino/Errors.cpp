// ESP-IDF's error codes (esp_err.h), and the ROM's printing (esp_rom_sys.h).
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "../Runtime/Heap.h"
#include "esp32-hal.h"
#include "esp_err.h"
#include "esp_idf_version.h"
#include "esp_rom_sys.h"

namespace espbench {
/// Writes to the console; a line ends with CRLF (HardwareSerial.cpp).
ssize_t writeConsole(void*, const char* text, size_t length);
}  // namespace espbench

namespace {

struct Name {
  esp_err_t code;
  const char* text;
};

#define NAME(code) \
  { code, #code }
const Name names[] = {
    NAME(ESP_OK),
    NAME(ESP_FAIL),
    NAME(ESP_ERR_NO_MEM),
    NAME(ESP_ERR_INVALID_ARG),
    NAME(ESP_ERR_INVALID_STATE),
    NAME(ESP_ERR_INVALID_SIZE),
    NAME(ESP_ERR_NOT_FOUND),
    NAME(ESP_ERR_NOT_SUPPORTED),
    NAME(ESP_ERR_TIMEOUT),
    NAME(ESP_ERR_INVALID_RESPONSE),
    NAME(ESP_ERR_INVALID_CRC),
    NAME(ESP_ERR_INVALID_VERSION),
    NAME(ESP_ERR_INVALID_MAC),
    NAME(ESP_ERR_NOT_FINISHED),
    NAME(ESP_ERR_NOT_ALLOWED),
    NAME(ESP_ERR_NVS_BASE),
    NAME(ESP_ERR_NVS_NOT_INITIALIZED),
    NAME(ESP_ERR_NVS_NOT_FOUND),
    NAME(ESP_ERR_NVS_TYPE_MISMATCH),
    NAME(ESP_ERR_NVS_READ_ONLY),
    NAME(ESP_ERR_NVS_NOT_ENOUGH_SPACE),
    NAME(ESP_ERR_NVS_INVALID_NAME),
    NAME(ESP_ERR_NVS_INVALID_HANDLE),
    NAME(ESP_ERR_NVS_REMOVE_FAILED),
    NAME(ESP_ERR_NVS_KEY_TOO_LONG),
    NAME(ESP_ERR_NVS_PAGE_FULL),
    NAME(ESP_ERR_NVS_INVALID_STATE),
    NAME(ESP_ERR_NVS_INVALID_LENGTH),
    NAME(ESP_ERR_NVS_NO_FREE_PAGES),
    NAME(ESP_ERR_NVS_VALUE_TOO_LONG),
    NAME(ESP_ERR_NVS_PART_NOT_FOUND),
    NAME(ESP_ERR_NVS_NEW_VERSION_FOUND),
};
#undef NAME

void print(const char* what, esp_err_t error, const void* address, const char* file, int line,
           const char* function, const char* expression) {
  esp_rom_printf("%s failed: esp_err_t 0x%x (%s) at 0x%08lx\n", what, error, esp_err_to_name(error),
                 static_cast<unsigned long>(reinterpret_cast<uintptr_t>(address)));
  esp_rom_printf("file: \"%s\" line %d\nfunc: %s\nexpression: %s\n", file, line, function,
                 expression);
}

}  // namespace

extern "C" {

const char* esp_err_to_name(esp_err_t code) {
  for (const Name& name : names) {
    if (name.code == code) return name.text;
  }
  return "UNKNOWN ERROR";
}

void _esp_error_check_failed(esp_err_t error, const char* file, int line, const char* function,
                             const char* expression) {
  print("ESP_ERROR_CHECK", error, __builtin_return_address(0), file, line, function, expression);
  abort();
}

void _esp_error_check_failed_without_abort(esp_err_t error, const char* file, int line,
                                           const char* function, const char* expression) {
  print("ESP_ERROR_CHECK_WITHOUT_ABORT", error, __builtin_return_address(0), file, line, function,
        expression);
}

const char* esp_get_idf_version(void) { return "v5.5.1"; }

int esp_rom_printf(const char* format, ...) {
  char text[128];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length < static_cast<int>(sizeof text)) {
    if (length > 0) espbench::writeConsole(nullptr, text, static_cast<size_t>(length));
    return length;
  }
  espbench::HostScope own;
  std::string whole(static_cast<size_t>(length) + 1, '\0');
  va_start(arguments, format);
  vsnprintf(whole.data(), whole.size(), format, arguments);
  va_end(arguments);
  espbench::writeConsole(nullptr, whole.data(), static_cast<size_t>(length));
  return length;
}

void esp_rom_delay_us(uint32_t us) { delayMicroseconds(us); }

}  // extern "C"
