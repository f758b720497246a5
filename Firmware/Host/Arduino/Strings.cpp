// Functions of newlib's <string.h> that an older C library of the host lacks.
#include <string.h>

#if !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 38)
extern "C" {

size_t strlcpy(char* target, const char* source, size_t size) {
  const size_t length = strlen(source);
  if (size > 0) {
    const size_t count = length < size ? length : size - 1;
    memcpy(target, source, count);
    target[count] = 0;
  }
  return length;
}

size_t strlcat(char* target, const char* source, size_t size) {
  const size_t start = strnlen(target, size);
  return start + strlcpy(target + start, source, size - start);
}

}  // extern "C"
#endif
