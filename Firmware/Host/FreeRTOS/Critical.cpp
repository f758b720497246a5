// Critical sections: spinlocks between the cores; interrupts of the same core wait for the end.
#include "Support.h"
#include "freertos/FreeRTOS.h"

using namespace espbench;

namespace {

/// The identifier of a core in a spinlock (CORE_ID_REGVAL_PRO and _APP).
uint32_t ownerHere() { return currentCore() == 0 ? 0xCDCD : 0xABAB; }

/// portDISABLE_INTERRUPTS() is in effect: it does not nest.
bool areInterruptsDisabled[kCores];

uint64_t nanosecondsOf(BaseType_t cycles) {
  return static_cast<uint64_t>(cycles) * 1000 / startInformation().cpu_frequency_mhz;
}

}  // namespace

extern "C" {

BaseType_t xPortEnterCriticalTimeout(portMUX_TYPE* mux, BaseType_t timeout) {
  require(mux != nullptr, {"spinlock_acquire", "spinlock.h", 84, "lock"});
  enterCritical();
  if (mux->owner == ownerHere()) {
    require(mux->count > 0 && mux->count < 0xFF,
            {"spinlock_acquire", "spinlock.h", 106, "lock->count > 0 && lock->count < 0xFF"});
    mux->count++;
    return pdPASS;
  }
  const uint64_t limit = timeout == portMUX_NO_TIMEOUT ? kForEver : now() + nanosecondsOf(timeout);
  while (mux->owner != SPINLOCK_FREE) {
    if (now() >= limit) {
      exitCritical();
      return pdFAIL;
    }
    spend(kPollNanoseconds);
  }
  require(mux->count == 0, {"spinlock_acquire", "spinlock.h", 142, "lock->count == 0"});
  mux->owner = ownerHere();
  mux->count = 1;
  return pdPASS;
}

void vPortEnterCritical(portMUX_TYPE* mux) { xPortEnterCriticalTimeout(mux, portMUX_NO_TIMEOUT); }

void vPortExitCritical(portMUX_TYPE* mux) {
  require(mux != nullptr, {"spinlock_release", "spinlock.h", 181, "lock"});
  require(mux->owner == ownerHere(),
          {"spinlock_release", "spinlock.h", 190, "core_owner_id == lock->owner"});
  if (--mux->count == 0) mux->owner = SPINLOCK_FREE;
  exitCritical();
}

void vPortDisableInterrupts(void) {
  if (inInterrupt() || areInterruptsDisabled[currentCore()]) return;
  areInterruptsDisabled[currentCore()] = true;
  enterCritical();
}

void vPortEnableInterrupts(void) {
  if (inInterrupt() || !areInterruptsDisabled[currentCore()]) return;
  areInterruptsDisabled[currentCore()] = false;
  exitCritical();
}

UBaseType_t xPortSetInterruptMaskFromISR(void) {
  enterCritical();
  return 0;
}

void vPortClearInterruptMaskFromISR(UBaseType_t) { exitCritical(); }

BaseType_t xPortInIsrContext(void) { return inInterrupt(); }
BaseType_t xPortInterruptedFromISRContext(void) { return inInterrupt(); }

void vPortAssertIfInISR(void) {
  require(!inInterrupt(), {"vPortAssertIfInISR", "port.c", 458, "xPortInIsrContext() == 0"});
}

bool xPortCanYield(void) { return !inInterrupt() && !inCritical(); }

void vPortYield(void) {
  poll();
  yieldTask();
}

void vPortYieldFromISR(void) { reschedule(); }

BaseType_t xPortGetCoreID(void) { return currentCore(); }
uint32_t xPortGetTickRateHz(void) { return configTICK_RATE_HZ; }

}  // extern "C"
