#include "PinOwners.h"

#include "Sleep.h"
#include "soc/soc_caps.h"

namespace espbench {
namespace {

struct Owner {
  DetachPin detach;
  void* owner;
};
Owner owners[SOC_GPIO_PIN_COUNT];

}  // namespace

void claimPin(unsigned pin, DetachPin detach, void* owner) {
  releasePin(pin);
  if (pin >= SOC_GPIO_PIN_COUNT) return;
  owners[pin] = {detach, owner};
  leaveArduino(pin);
}

void releasePin(unsigned pin) {
  if (pin >= SOC_GPIO_PIN_COUNT || owners[pin].detach == nullptr) return;
  const Owner former = owners[pin];
  // First, since the owner releases all of its pins.
  owners[pin] = {};
  former.detach(former.owner);
}

void* ownerOfPin(unsigned pin, DetachPin detach) {
  return pin < SOC_GPIO_PIN_COUNT && owners[pin].detach == detach ? owners[pin].owner : nullptr;
}

}  // namespace espbench
