// Checks that a 32-bit build has the chip's data model; README.md lists the exceptions.
#include <cwchar>

#if defined(__i386__)
#include <ctime>

#include "DataModel.h"

static_assert(sizeof(time_t) == 8, "ESP-IDF 5 has a time_t of 64 bits");
static_assert(sizeof(wint_t) == 4);
static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ == 8);
#ifdef __FLT_EVAL_METHOD__
static_assert(__FLT_EVAL_METHOD__ == 0, "as on the chip, a float has no excess precision");
#endif
#endif
