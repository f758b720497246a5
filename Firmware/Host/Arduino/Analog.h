// The analog-to-digital converters, for the files of Arduino/.
#ifndef ESPBENCH_ANALOG_H
#define ESPBENCH_ANALOG_H

#include <cstdint>

#include "firmware_channel.h"

namespace espbench {

/// The time of a conversion, with the driver's part of it: measured on chips are 38 to 50 us.
constexpr uint64_t kConversionNanoseconds = 40000;
/// Channels of one converter, as arduino-esp32 counts them.
constexpr int kChannelsOfConverter = 10;

/// The pin of a channel of unit 0 or 1; -1: none.
int pinOfChannel(int unit, int channel);
/// The mean of conversions of a pin, now; no time passes.
cfc_analog convert(unsigned pin, uint32_t attenuation, uint32_t count);
/// Makes a pin an analog one, which is neither driven nor pulled.
void makeAnalog(unsigned pin);

}  // namespace espbench

#endif
