// Receivers of the RMT peripheral: symbols from the edges of a pin at their instants, until the pin
// has had no edge for the idle time.
#include <algorithm>
#include <cinttypes>
#include <cstdlib>
#include <cstring>

#include "../Arduino/Pins.h"
#include "../Runtime/Heap.h"
#include "RMT.h"
#include "esp32-hal-log.h"

using namespace espbench;

namespace {

constexpr uint64_t kMillisecond = 1000000;
constexpr uint32_t kSecond = 1000000000;
constexpr uint32_t kSource = 80000000;  // the APB clock, also that of the filter
constexpr uint32_t kMaximumIdle = 65535, kMaximumFilter = 255;
/// The bits of a duration.
constexpr uint64_t kDurationMask = 0x7fff;

RMTChannel* channels[SOC_GPIO_PIN_COUNT];  ///< by pin

size_t symbolsOf(const RMTChannel& channel) {
  return static_cast<size_t>(channel.blocks) * RMT_SYMBOLS_PER_CHANNEL_BLOCK;
}

/// The ticks from the start of the reception to an instant.
uint64_t ticksAt(const RMTChannel& channel, uint64_t time) {
  return (time - channel.receiver.start) * 2 / halfNanosecondsOf(channel, 1);
}

/// Writes a pulse to the channel's memory; what is beyond it is lost.
void write(RMTChannel& channel, bool level, uint64_t ticks) {
  Receiver& receiver = channel.receiver;
  if (receiver.pulses >= 2 * symbolsOf(channel)) return;
  rmt_data_t& symbol = receiver.memory[receiver.pulses / 2];
  const auto duration = static_cast<uint32_t>(ticks & kDurationMask);
  if (receiver.pulses % 2 == 0) {
    symbol.val = 0;
    symbol.level0 = level;
    symbol.duration0 = duration;
  } else {
    symbol.level1 = level;
    symbol.duration1 = duration;
  }
  receiver.pulses++;
}

/// The interrupt at the end of a reception.
void finish(void* argument) {
  RMTChannel& channel = *static_cast<RMTChannel*>(argument);
  Receiver& receiver = channel.receiver;
  if (receiver.state != Receiver::State::ended) return;
  const size_t count = std::min((receiver.pulses + 1) / 2, receiver.capacity);
  memcpy(receiver.target, receiver.memory, count * sizeof(rmt_data_t));
  *receiver.count = count;
  receiver.state = Receiver::State::ready;
  receiver.isDone = true;
  while (wakeFirst(channel.waiters) != nullptr) {
  }
}

/// The pin has been idle long enough.
void stop(void* argument) {
  RMTChannel& channel = *static_cast<RMTChannel*>(argument);
  Receiver& receiver = channel.receiver;
  write(channel, receiver.level, 0);
  receiver.state = Receiver::State::ended;
  clearAlarm(receiver.filter);
  runInterrupt(receiver.end.core, finish, &channel, receiver.end.time);
}

void takeEdge(RMTChannel& channel, uint64_t time) {
  Receiver& receiver = channel.receiver;
  if (receiver.hasBegun) {
    const uint64_t ticks = ticksAt(channel, time) - ticksAt(channel, receiver.lastEdge);
    // Zero would be the end.
    write(channel, receiver.level, std::max<uint64_t>(ticks, 1));
  } else {
    receiver.hasBegun = true;
    receiver.start = time;
  }
  receiver.level = receiver.raw;
  receiver.lastEdge = time;
  setAlarm(receiver.end, time + receiver.idleTime);
}

void passFilter(void* argument) {
  RMTChannel& channel = *static_cast<RMTChannel*>(argument);
  takeEdge(channel, channel.receiver.filter.time);
}

/// A pin has got another level.
void notice(unsigned pin, bool level, uint64_t time) {
  RMTChannel* channel = channels[pin];
  if (channel == nullptr || level == channel->receiver.raw) return;
  Receiver& receiver = channel->receiver;
  receiver.raw = level;
  if (receiver.state != Receiver::State::runs) return;
  if (receiver.filter.isSet && receiver.filter.time <= time) {
    clearAlarm(receiver.filter);
    receiver.raw = !level;
    takeEdge(*channel, receiver.filter.time);
    receiver.raw = level;
  }
  if (receiver.filterTime == 0) {
    takeEdge(*channel, time);
  } else if (receiver.filter.isSet) {
    clearAlarm(receiver.filter);  // The end of a glitch.
  } else {
    setAlarm(receiver.filter, time + receiver.filterTime);
  }
}

bool fail(int line, const char* format, uint32_t value = 0) {
  char text[96];
  snprintf(text, sizeof text, format, value);
  esp_log_write(ESP_LOG_ERROR, "rmt", "E (%" PRIu32 ") rmt: rmt_receive(%d): %s\n",
                esp_log_timestamp(), line, text);
  return false;
}

/// rmt_receive() of ESP-IDF. Line numbers are those of rmt_rx.c in ESP-IDF 5.5.1. arduino-esp32
/// ignores the result.
bool receive(RMTChannel& channel, rmt_data_t* data, size_t symbols) {
  Receiver& receiver = channel.receiver;
  if (symbols == 0) return fail(365, "invalid argument");
  const uint32_t resolution = kSource / channel.divider;
  const uint64_t filter = uint64_t{kSource} * receiver.shortest / kSecond;
  const uint64_t idle = uint64_t{resolution} * receiver.idle / kSecond;
  if (filter > kMaximumFilter) {
    return fail(396, "signal_range_min_ns too big, should be less than %" PRIu32 " ns",
                static_cast<uint32_t>(uint64_t{kMaximumFilter} * kSecond / kSource));
  }
  if (idle > kMaximumIdle) {
    return fail(397, "signal_range_max_ns too big, should be less than %" PRIu32 " ns",
                static_cast<uint32_t>(uint64_t{kMaximumIdle} * kSecond / resolution));
  }
  if (receiver.state != Receiver::State::ready) return fail(401, "channel not in enable state");
  receiver.target = data;
  receiver.capacity = symbols;
  receiver.pulses = 0;
  receiver.hasBegun = false;
  receiver.raw = receiver.level = readPin(channel.pin);
  receiver.filterTime = filter * 25 / 2;
  receiver.idleTime = halfNanosecondsOf(channel, idle) / 2;
  receiver.end.core = currentCore();
  receiver.state = Receiver::State::runs;
  return true;
}

bool read(int pin, rmt_data_t* data, size_t* symbols, const char* function) {
  RMTChannel* channel = channelOfPin(pin, true, function);
  if (channel == nullptr) return false;
  if (data == nullptr || symbols == nullptr) {
    log_w("GPIO %d - RMT Read Data and/or Size NULL pointer.", pin);
    return false;
  }
  xSemaphoreTake(channel->lock, portMAX_DELAY);
  channel->receiver.isDone = false;
  channel->receiver.count = symbols;
  receive(*channel, data, *symbols);
  xSemaphoreGive(channel->lock);
  return true;
}

/// A threshold of some ticks in ns, as arduino-esp32 computes it.
uint32_t thresholdOf(const RMTChannel& channel, uint32_t ticks) {
  return kSecond / channel.frequency * ticks;
}

}  // namespace

namespace espbench {

void beginReceiver(RMTChannel& channel) {
  Receiver& receiver = channel.receiver;
  {
    HostScope own;
    receiver.memory = static_cast<rmt_data_t*>(calloc(symbolsOf(channel), sizeof(rmt_data_t)));
    if (receiver.memory == nullptr) abort();
  }
  receiver.isDone = true;
  receiver.idle = thresholdOf(channel, kMaximumIdle);
  receiver.filter.handler = passFilter;
  receiver.end.handler = stop;
  for (Alarm* alarm : {&receiver.filter, &receiver.end}) {
    alarm->argument = &channel;
    alarm->isOutside = true;
  }
  channels[channel.pin] = &channel;
  observePin(channel.pin, Observer::receiver, notice);
}

void endReceiver(RMTChannel& channel) {
  Receiver& receiver = channel.receiver;
  observePin(channel.pin, Observer::receiver, nullptr);
  channels[channel.pin] = nullptr;
  clearAlarm(receiver.filter);
  clearAlarm(receiver.end);
  receiver.state = Receiver::State::ready;
  HostScope own;
  free(receiver.memory);
}

}  // namespace espbench

extern "C" {

bool rmtSetRxMinThreshold(int pin, uint8_t filter_pulse_ticks) {
  RMTChannel* channel = channelOfPin(pin, true, __func__);
  if (channel == nullptr) return false;
  channel->receiver.shortest = thresholdOf(*channel, filter_pulse_ticks);
  return true;
}

bool rmtSetRxMaxThreshold(int pin, uint16_t idle_thres_ticks) {
  RMTChannel* channel = channelOfPin(pin, true, __func__);
  if (channel == nullptr) return false;
  channel->receiver.idle = thresholdOf(*channel, idle_thres_ticks);
  return true;
}

bool rmtRead(int pin, rmt_data_t* data, size_t* num_rmt_symbols, uint32_t timeout_ms) {
  if (!read(pin, data, num_rmt_symbols, __func__)) return false;
  const uint64_t deadline =
      timeout_ms == RMT_WAIT_FOR_EVER ? kForEver : now() + timeout_ms * kMillisecond;
  for (;;) {
    // Looked up each time: another task may take the pin meanwhile.
    const auto number = static_cast<unsigned>(pin);
    RMTChannel* channel = channels[number];
    if (channel == nullptr || channel->receiver.isDone) return channel != nullptr;
    if (!waitIn(channel->waiters, deadline)) return false;
  }
}

bool rmtReadAsync(int pin, rmt_data_t* data, size_t* num_rmt_symbols) {
  return read(pin, data, num_rmt_symbols, __func__);
}

bool rmtReceiveCompleted(int pin) {
  spend(kPollNanoseconds);
  RMTChannel* channel = channelOfPin(pin, true, __func__);
  return channel != nullptr && channel->receiver.isDone;
}

}  // extern "C"
