// arduino-esp32 3.x stdlib_noniso.h: numbers as text, beside what the C library has.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// newlib's: bases 2 to 36, a sign in base 10 only (else the number's 32 bits); NULL for another
/// base.
char* itoa(int val, char* s, int radix);
char* utoa(unsigned int val, char* s, int radix);

/// Bases 2 to 16, a sign in each; an empty text for another base. A long has 32 bits, as on the
/// chip.
char* ltoa(long val, char* s, int radix);
char* ultoa(unsigned long val, char* s, int radix);
char* lltoa(long long val, char* s, int radix);
char* ulltoa(unsigned long long val, char* s, int radix);

/// `prec` digits behind the point, blanks in front up to `width` characters. "nan" and "inf" have
/// neither blanks nor sign.
char* dtostrf(double val, signed int width, unsigned int prec, char* s);

#ifdef __cplusplus
}
#endif
