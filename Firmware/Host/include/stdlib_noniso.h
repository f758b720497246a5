// arduino-esp32 3.x stdlib_noniso.h: numbers as text, in addition to the C library.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// As in newlib: bases 2 to 36, a sign in base 10 only (otherwise the number's 32 bits). Returns
/// NULL for any other base.
char* itoa(int val, char* s, int radix);
char* utoa(unsigned int val, char* s, int radix);

/// Bases 2 to 16, with a sign in each base; an empty text for any other base. A long has 32 bits,
/// as on the chip.
char* ltoa(long val, char* s, int radix);
char* ultoa(unsigned long val, char* s, int radix);
char* lltoa(long long val, char* s, int radix);
char* ulltoa(unsigned long long val, char* s, int radix);

/// `prec` digits after the point, leading blanks up to `width` characters. "nan" and "inf" have
/// neither blanks nor sign.
char* dtostrf(double val, signed int width, unsigned int prec, char* s);

#ifdef __cplusplus
}
#endif
