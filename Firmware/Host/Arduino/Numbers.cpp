// Numbers as text: stdlib_noniso.h.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "stdlib_noniso.h"

namespace {

/// Writes the digits of `value` with its sign and a NUL.
char* write(uint64_t value, bool isNegative, char* text, unsigned base) {
  char* end = text;
  do {
    *end++ = "0123456789abcdefghijklmnopqrstuvwxyz"[value % base];
    value /= base;
  } while (value != 0);
  if (isNegative) *end++ = '-';
  std::reverse(text, end);
  *end = 0;
  return text;
}

bool refuses(int base, int greatest, char* text) {
  if (base >= 2 && base <= greatest) return false;
  *text = 0;
  return true;
}

/// The absolute value, which is also defined for the minimum.
uint64_t magnitude(int64_t value) {
  return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

constexpr int kGreatestBaseOfLibc = 36;
constexpr int kGreatestBase = 16;

}  // namespace

extern "C" {

char* itoa(int val, char* s, int radix) {
  if (radix != 10) return utoa(static_cast<unsigned>(val), s, radix);
  return write(magnitude(val), val < 0, s, 10);
}

char* utoa(unsigned int val, char* s, int radix) {
  if (refuses(radix, kGreatestBaseOfLibc, s)) return nullptr;
  return write(val, false, s, static_cast<unsigned>(radix));
}

char* ltoa(long val, char* s, int radix) { return lltoa(static_cast<int32_t>(val), s, radix); }
char* ultoa(unsigned long val, char* s, int radix) {
  return ulltoa(static_cast<uint32_t>(val), s, radix);
}

char* lltoa(long long val, char* s, int radix) {
  if (refuses(radix, kGreatestBase, s)) return s;
  return write(magnitude(val), val < 0, s, static_cast<unsigned>(radix));
}

char* ulltoa(unsigned long long val, char* s, int radix) {
  if (refuses(radix, kGreatestBase, s)) return s;
  return write(val, false, s, static_cast<unsigned>(radix));
}

char* dtostrf(double val, signed int width, unsigned int prec, char* s) {
  if (std::isnan(val)) return strcpy(s, "nan");
  if (std::isinf(val)) return strcpy(s, "inf");
  const bool isNegative = val < 0.0;
  // Rounded and split as in the Arduino core, with the errors of its arithmetic.
  double half = 2.0;
  for (unsigned i = 0; i < prec; i++) half *= 10.0;
  double rest = std::fabs(val) + 1.0 / half;
  double scale = 1.0;
  unsigned wholeDigits = 1;
  for (; rest >= 10.0 * scale; wholeDigits++) scale *= 10.0;
  rest /= scale;

  char* out = s;
  int blanks = width - static_cast<int>(wholeDigits + (prec > 0 ? prec + 1 : 0) + isNegative);
  for (; blanks > 0; blanks--) *out++ = ' ';
  if (isNegative) *out++ = '-';
  for (unsigned place = 0; place < wholeDigits + prec; place++) {
    if (place == wholeDigits) *out++ = '.';
    const int digit = std::min(static_cast<int>(rest), 9);
    *out++ = static_cast<char>('0' + digit);
    rest = (rest - digit) * 10.0;
  }
  *out = 0;
  return s;
}

}  // extern "C"
