// arduino-esp32 3.x Print: everything a sketch can print to.
#pragma once
// Suppresses the warning that an override of write(uint8_t) hides the other overloads, which is
// usually intended. Precompiled headers do not keep pragmas about single warnings.
#pragma GCC system_header

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "Printable.h"
#include "WString.h"

#define DEC 10
#define HEX 16
#define OCT 8
#define BIN 2

struct tm;

class Print {
 public:
  virtual ~Print() = default;

  int getWriteError() { return _writeError; }
  void clearWriteError() { setWriteError(0); }

  virtual size_t write(uint8_t c) = 0;
  virtual size_t write(const uint8_t* buffer, size_t size);
  size_t write(const char* str) {
    return str == nullptr ? 0 : write(reinterpret_cast<const uint8_t*>(str), strlen(str));
  }
  size_t write(const char* buffer, size_t size) {
    return write(reinterpret_cast<const uint8_t*>(buffer), size);
  }
  /// Formats are not checked: formats that are correct for the chip, where uint32_t is unsigned
  /// long and int64_t is long long, would cause warnings here. The output is the same as on the
  /// chip.
  size_t printf(const char* format, ...);
  size_t vprintf(const char* format, va_list arg);
  virtual int availableForWrite() { return 0; }
  virtual void flush() {}

  size_t print(const __FlashStringHelper* s) { return print(reinterpret_cast<const char*>(s)); }
  size_t print(const String& s);
  size_t print(const char* s) { return write(s); }
  size_t print(char c);
  size_t print(unsigned char n, int base = DEC);
  size_t print(int n, int base = DEC);
  size_t print(unsigned int n, int base = DEC);
  size_t print(long n, int base = DEC);
  size_t print(unsigned long n, int base = DEC);
  size_t print(long long n, int base = DEC);
  size_t print(unsigned long long n, int base = DEC);
  size_t print(double n, int digits = 2);
  size_t print(const Printable& x) { return x.printTo(*this); }
  size_t print(struct tm* timeinfo, const char* format = nullptr);

  size_t println() { return write("\r\n", 2); }
  template <typename T>
  size_t println(const T& value) {
    size_t n = print(value);
    return n + println();
  }
  template <typename T, typename F>
  size_t println(const T& value, F format) {
    size_t n = print(value, format);
    return n + println();
  }
  size_t println(struct tm* timeinfo, const char* format = nullptr) {
    size_t n = print(timeinfo, format);
    return n + println();
  }

 protected:
  void setWriteError(int error = 1) { _writeError = error; }

 private:
  size_t printUnsigned(unsigned long long n, int base);
  size_t printSigned(long long n, int base, bool is32Bits);
  int _writeError = 0;
};
