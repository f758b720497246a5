#include "Print.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "../Runtime/Heap.h"

namespace {

constexpr int kLongestNumber = 64;
constexpr double kLargestPrintable = 4294967040.0;

/// The format without the length modifiers l: the chip's long has 32 bits, and sketches print
/// uint32_t, which is unsigned long there, with %lu.
std::string withoutLong(const char* format) {
  std::string result;
  for (const char* at = format; *at != 0; at++) {
    result += *at;
    if (*at != '%') continue;
    while (at[1] != 0 && strchr("-+ #0123456789.*", at[1]) != nullptr) result += *++at;
    if (at[1] == '%') {
      result += *++at;
    } else if (at[1] == 'l' && at[2] != 0 && strchr("diouxX", at[2]) != nullptr) {
      at++;
    }
  }
  return result;
}

}  // namespace

size_t Print::write(const uint8_t* buffer, size_t size) {
  size_t n = 0;
  while (size-- > 0) n += write(*buffer++);
  return n;
}

size_t Print::printf(const char* format, ...) {
  va_list arg;
  va_start(arg, format);
  size_t n = vprintf(format, arg);
  va_end(arg);
  return n;
}

size_t Print::vprintf(const char* format, va_list arg) {
  std::string adapted;
  if (sizeof(long) > sizeof(int) && strstr(format, "l") != nullptr) {
    espbench::HostScope own;
    format = (adapted = withoutLong(format)).c_str();
  }
  // As on the chip, a longer text needs a block of the heap: if the heap has no room, nothing is
  // printed.
  char local[64];
  va_list again;
  va_copy(again, arg);
  const int length = vsnprintf(local, sizeof local, format, arg);
  char* text = local;
  if (length >= static_cast<int>(sizeof local)) {
    text = static_cast<char*>(malloc(static_cast<size_t>(length) + 1));
    if (text != nullptr) vsnprintf(text, static_cast<size_t>(length) + 1, format, again);
  }
  va_end(again);
  const bool isPrinted = length > 0 && text != nullptr;
  const size_t written = isPrinted ? write(text, static_cast<size_t>(length)) : 0;
  if (text != local) free(text);
  return written;
}

size_t Print::print(const String& s) { return write(s.c_str(), s.length()); }
size_t Print::print(char c) { return write(static_cast<uint8_t>(c)); }
size_t Print::print(unsigned char n, int base) { return printUnsigned(n, base); }
size_t Print::print(int n, int base) { return printSigned(n, base, true); }
size_t Print::print(unsigned int n, int base) { return printUnsigned(n, base); }
size_t Print::print(long n, int base) { return printSigned(n, base, true); }
size_t Print::print(unsigned long n, int base) { return printUnsigned(n, base); }
size_t Print::print(long long n, int base) { return printSigned(n, base, false); }
size_t Print::print(unsigned long long n, int base) { return printUnsigned(n, base); }

size_t Print::print(struct tm* timeinfo, const char* format) {
  char text[64];
  size_t length = strftime(text, sizeof text, format != nullptr ? format : "%c", timeinfo);
  return write(text, length);
}

size_t Print::printUnsigned(unsigned long long n, int base) {
  if (base == 0) return write(static_cast<uint8_t>(n));
  if (base < 2) base = 10;
  char text[kLongestNumber];
  char* start = text + sizeof text;
  do {
    int digit = static_cast<int>(n % static_cast<unsigned>(base));
    *--start = static_cast<char>(digit < 10 ? '0' + digit : 'A' + digit - 10);
    n /= static_cast<unsigned>(base);
  } while (n != 0);
  return write(start, static_cast<size_t>(text + sizeof text - start));
}

size_t Print::printSigned(long long n, int base, bool is32Bits) {
  auto bits = static_cast<unsigned long long>(n);
  if (base == 10 && n < 0) {
    size_t sign = write("-", 1);
    return sign + printUnsigned(0 - bits, 10);
  }
  // Only decimal numbers have a sign; other bases print the bits, of which the chip's int and long
  // have 32. (Here int64_t may be long: values beyond 32 bits are printed completely.)
  if (is32Bits && n < 0 && n >= INT32_MIN) bits &= UINT32_MAX;
  return printUnsigned(bits, base);
}

size_t Print::print(double n, int digits) {
  if (std::isnan(n)) return print("nan");
  if (std::isinf(n)) return print("inf");
  if (std::fabs(n) > kLargestPrintable) return print("ovf");
  size_t written = 0;
  if (n < 0) {
    written += print('-');
    n = -n;
  }
  double rounding = 0.5;
  for (int i = 0; i < digits; i++) rounding /= 10.0;
  n += rounding;
  auto whole = static_cast<unsigned long>(n);
  double rest = n - static_cast<double>(whole);
  written += print(whole);
  if (digits > 0) written += print('.');
  for (; digits > 0; digits--) {
    rest *= 10.0;
    int digit = static_cast<int>(rest);
    written += print(digit);
    rest -= digit;
  }
  return written;
}
