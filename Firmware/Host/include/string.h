// <string.h> as with the chip's C library, newlib: also strlcpy() and strlcat(), and the functions
// of <stdlib.h>, which its headers bring.
#pragma once

#include <stdlib.h>
#include_next <string.h>

#if !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 38)
#ifdef __cplusplus
extern "C" {
#endif
/// Copies a text of at most size - 1 characters, and ends it. Returns the length of `source`.
size_t strlcpy(char* target, const char* source, size_t size);
/// Appends a text, so that the whole has at most size - 1 characters. Returns the length that the
/// whole would have.
size_t strlcat(char* target, const char* source, size_t size);
#ifdef __cplusplus
}
#endif
#endif
