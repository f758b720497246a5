#include "Ports.h"

#include <cstdarg>
#include <cstdio>

void Console::print(const char* format, ...) {
  char text[128];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  line(text);
}
