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

/// The pin is used by something else now.
void detachOwner(unsigned pin) {
  const Owner former = owners[pin];
  // First, since the owner releases all of its pins.
  owners[pin] = {};
  if (former.detach != nullptr) former.detach(former.owner);
}

}  // namespace

void claimPin(unsigned pin, DetachPin detach, void* owner) {
  if (pin >= SOC_GPIO_PIN_COUNT) return;
  setRelease(PinUse::bus, detachOwner);
  usePin(pin, PinUse::none);
  owners[pin] = {detach, owner};
  usePin(pin, PinUse::bus);
}

void releasePin(unsigned pin) {
  if (useOf(pin) == PinUse::bus) usePin(pin, PinUse::none);
}

void* ownerOfPin(unsigned pin, DetachPin detach) {
  return pin < SOC_GPIO_PIN_COUNT && owners[pin].detach == detach ? owners[pin].owner : nullptr;
}

}  // namespace espbench
