// Memory errors of a sketch.
#pragma once

#include <stddef.h>

/// Not what the compiler can look through.
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
