// Critical sections: while the loop's task is in one, neither interrupts nor callbacks start;
// interrupts and callbacks themselves are never interrupted.
#include <cstdlib>

#include "../Runtime/Runtime.h"
#include "freertos/FreeRTOS.h"

namespace {

/// Arduino's loop runs on core 1; this is its identifier.
constexpr uint32_t kCore = 0xABAB;

bool areInterruptsDisabled = false;

}  // namespace

void vPortEnterCritical(portMUX_TYPE* mux) {
  mux->owner = kCore;
  mux->count++;
  espbench::holdCallbacks();
}

void vPortExitCritical(portMUX_TYPE* mux) {
  if (mux->owner != kCore || mux->count == 0) abort();
  if (--mux->count == 0) mux->owner = SPINLOCK_FREE;
  espbench::releaseCallbacks();
}

void portDISABLE_INTERRUPTS(void) {
  if (!areInterruptsDisabled) espbench::holdCallbacks();
  areInterruptsDisabled = true;
}

void portENABLE_INTERRUPTS(void) {
  if (!areInterruptsDisabled) return;
  areInterruptsDisabled = false;
  espbench::releaseCallbacks();
}
