#pragma once
#include <Arduino.h>

inline String greeting(const char* name) { return String("hello, ") + name; }
