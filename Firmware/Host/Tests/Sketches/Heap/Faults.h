// Memory errors of a sketch.
#pragma once

#include <stddef.h>

/// Volatile, so that the compiler does not detect the error.
extern volatile size_t ten;

void tell(const char* what, long value);

void overrun();
void underrun();
void grow();
void freeTwice();
void freeMerged();
void freePadded();
void freeForeign();
void objects();
/// In Strings.cpp.
void strings();
void smash();
