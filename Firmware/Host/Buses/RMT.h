// The channels of the RMT peripheral, for the files that implement them: transmitters (RMT.cpp),
// receivers (RMTReceiver.cpp).
#ifndef ESPBENCH_RMT_H
#define ESPBENCH_RMT_H

#include "../Runtime/Kernel.h"
#include "esp32-hal-rmt.h"
#include "freertos/semphr.h"

namespace espbench {

/// A channel as a receiver.
struct Receiver {
  enum class State : uint8_t { ready, runs, ended };
  State state;
  bool isDone;  ///< true before the first reception
  // Settings for the next reception, in ns
  uint32_t shortest, idle;
  // Those of this one
  alignas(8) uint64_t filterTime, idleTime;

  rmt_data_t* target;
  size_t capacity;
  size_t* count;
  rmt_data_t* memory;  ///< the channel's own
  size_t pulses;       ///< in it, with the end
  bool hasBegun;
  bool raw, level;  ///< before and behind the filter
  alignas(8) uint64_t start, lastEdge;
  Alarm filter;  ///< lets an edge pass
  Alarm end;
};

struct RMTChannel {
  bool isTaken;
  bool isReceiver;
  unsigned pin;
  int blocks;
  uint32_t frequency;
  uint32_t divider;  ///< of 80 MHz
  bool idleLevel;    ///< the level at the end of a transmission
  bool isSending;    ///< a transmission that is no loop
  bool isLooping;
  const rmt_data_t* data;
  size_t pulses;  ///< of the data
  size_t next;    ///< the pulse that begins the next part
  bool lastLevel;
  SemaphoreHandle_t lock;
  Alarm alarm;
  WaitList waiters;
  Receiver receiver;
};

/// A tick of a channel in units of 0.5 ns, as times of 12.5 ns are no whole numbers.
inline uint64_t halfNanosecondsOf(const RMTChannel& channel, uint64_t ticks) {
  return ticks * channel.divider * 25;
}

/// The channel of a pin for a function of either direction; nullptr, after the core's log, if there
/// is none.
RMTChannel* channelOfPin(int pin, const char* function);
RMTChannel* channelOfPin(int pin, bool isReceiver, const char* function);

/// Makes a channel the receiver of its pin, and ends it.
void beginReceiver(RMTChannel& channel);
void endReceiver(RMTChannel& channel);

}  // namespace espbench

#endif
