// Transmitters of the RMT peripheral, and what they share with its receivers. The board gets the
// pulses of a part of a transmission when that part begins; an alarm at its end begins the next
// part, or ends the transmission.
#include "RMT.h"

#include <algorithm>
#include <cstdlib>

#include "../Arduino/PinOwners.h"
#include "../Arduino/Sleep.h"
#include "../Runtime/Heap.h"
#include "../Runtime/Runtime.h"
#include "driver/gpio.h"
#include "esp32-hal-log.h"
#include "esp32-hal-rgb-led.h"
#include "freertos/task.h"

using espbench::RMTChannel;

namespace {

constexpr uint8_t kDriven = 0x02;       // of pinMode()'s bits
constexpr uint32_t kSource = 80000000;  // the APB clock
constexpr uint32_t kMinimumHertz = 312500;
constexpr uint64_t kMillisecond = 1000000;
constexpr int kBlocks = 8;
/// The most pulses of one message; there are two to each symbol.
constexpr size_t kMaximumPulses = 16384;
/// The least duration of a part of a loop, so that short loops take few messages.
constexpr uint64_t kLoopPart = kMillisecond;

int freeBlocks = kBlocks;

/// As many as there are blocks: each takes at least one.
constinit RMTChannel channels[kBlocks] = {};

cfc_pulse pulseOf(const RMTChannel& channel, size_t index) {
  const rmt_data_t symbol = channel.data[index / 2];
  const bool isSecond = index % 2 == 1;
  const uint32_t ticks = isSecond ? symbol.duration1 : symbol.duration0;
  const uint32_t level = isSecond ? symbol.level1 : symbol.level0;
  return {level, static_cast<uint32_t>(espbench::halfNanosecondsOf(channel, ticks) / 2)};
}

/// Sends the next part of the data, all of it if possible, of a loop as often as it fits in the
/// duration of a part; sets the alarm to its end.
void sendPart(RMTChannel& channel, uint64_t start) {
  espbench::HostScope own;
  auto* pulses = static_cast<cfc_pulse*>(malloc(kMaximumPulses * sizeof(cfc_pulse)));
  if (pulses == nullptr) abort();
  size_t count = 0;
  uint64_t duration = 0;
  do {
    for (; channel.next < channel.pulses && count < kMaximumPulses; channel.next++) {
      pulses[count] = pulseOf(channel, channel.next);
      duration += pulses[count++].duration_ns;
    }
    if (channel.isLooping) channel.next = 0;
  } while (channel.isLooping && duration < kLoopPart && count + channel.pulses <= kMaximumPulses);
  channel.lastLevel = pulses[count - 1].level != 0;
  const cfc_pulses head = {channel.pin, static_cast<uint32_t>(count)};
  espbench::send(CFC_PULSES, &head, sizeof head, pulses, count * sizeof *pulses);
  free(pulses);
  espbench::setAlarm(channel.alarm, start + duration);
}

void setIdleLevel(RMTChannel& channel) {
  if (channel.lastLevel != channel.idleLevel) {
    espbench::setOutput(channel.pin, channel.idleLevel);
    channel.lastLevel = channel.idleLevel;
  }
}

/// The interrupt at the end of a part.
void endPart(void* argument) {
  auto& channel = *static_cast<RMTChannel*>(argument);
  if (channel.isLooping || channel.next < channel.pulses) {
    return sendPart(channel, channel.alarm.time);
  }
  setIdleLevel(channel);
  channel.isSending = false;
  while (espbench::wakeFirst(channel.waiters) != nullptr) {
  }
}

void detach(void* argument) {
  auto* channel = static_cast<RMTChannel*>(argument);
  espbench::clearAlarm(channel->alarm);
  if (channel->isReceiver) espbench::endReceiver(*channel);
  while (espbench::wakeFirst(channel->waiters) != nullptr) {
  }
  freeBlocks += channel->blocks;
  vSemaphoreDelete(channel->lock);
  channel->isTaken = false;
}

/// The pulses of the data up to the first without a duration, which ends the transmission.
size_t pulsesOf(const rmt_data_t* data, size_t symbols) {
  for (size_t i = 0; i < symbols; i++) {
    if (data[i].duration0 == 0) return 2 * i;
    if (data[i].duration1 == 0) return 2 * i + 1;
  }
  return 2 * symbols;
}

/// Starts a transmission; `data` NULL only ends a loop.
bool start(int pin, const rmt_data_t* data, size_t symbols, bool loops, const char* function) {
  RMTChannel* channel = espbench::channelOfPin(pin, false, function);
  if (channel == nullptr) return false;
  const bool isEnd = data == nullptr || symbols == 0;
  if (isEnd && !loops) {
    log_w("GPIO %d - RMT Write Data NULL pointer or size is zero.", pin);
    return false;
  }
  if (channel->isSending) return false;
  // A loop's data stay in the channel's memory, with their end.
  if (loops && symbols >= static_cast<size_t>(channel->blocks * RMT_SYMBOLS_PER_CHANNEL_BLOCK)) {
    log_w("GPIO %d - RMT Transmission failed.", pin);
    return false;
  }
  xSemaphoreTake(channel->lock, portMAX_DELAY);
  if (channel->isLooping) {
    channel->isLooping = false;
    espbench::clearAlarm(channel->alarm);
    setIdleLevel(*channel);
  }
  channel->data = data;
  channel->pulses = isEnd ? 0 : pulsesOf(data, symbols);
  channel->next = 0;
  if (channel->pulses > 0) {
    channel->isLooping = loops;
    channel->isSending = !loops;
    channel->alarm.core = espbench::currentCore();
    sendPart(*channel, espbench::now());
  }
  xSemaphoreGive(channel->lock);
  return true;
}

}  // namespace

namespace espbench {

RMTChannel* channelOfPin(int pin, const char* function) {
  auto* channel =
      pin < 0 ? nullptr : static_cast<RMTChannel*>(ownerOfPin(static_cast<unsigned>(pin), detach));
  if (channel == nullptr) {
    log_e("==>%s():GPIO %u is not attached to an RMT channel.", function,
          static_cast<unsigned>(pin));
  }
  return channel;
}

RMTChannel* channelOfPin(int pin, bool isReceiver, const char* function) {
  RMTChannel* channel = channelOfPin(pin, function);
  if (channel == nullptr || channel->isReceiver == isReceiver) return channel;
  log_w("==>%s():Channel set as %s.", function,
        isReceiver ? "TX instead of RX" : "RX instead of TX");
  return nullptr;
}

}  // namespace espbench

extern "C" {

bool rmtInit(int pin, rmt_ch_dir_t channel_direction, rmt_reserve_memsize_t memsize,
             uint32_t frequency_Hz) {
  const auto number = static_cast<unsigned>(pin);
  const bool isReceiver = channel_direction == RMT_RX_MODE;
  if (auto* former = static_cast<RMTChannel*>(espbench::ownerOfPin(number, detach));
      former != nullptr && former->isReceiver == isReceiver && former->frequency == frequency_Hz &&
      former->blocks == memsize) {
    return true;
  }
  if (pin < 0 || !(isReceiver ? espbench::isPin(number) : espbench::hasOutput(number))) {
    log_e("GPIO %d is not valid or can't be used for output in TX mode.", pin);
    espbench::ignorePin(number,
                        espbench::isPin(number) ? CFC_IGNORED_NO_OUTPUT : CFC_IGNORED_NO_PIN);
    return false;
  }
  if (frequency_Hz > kSource || frequency_Hz < kMinimumHertz) {
    log_e("GPIO %d - Bad RMT frequency resolution. Must be between 312.5KHz to 80MHz.", pin);
    return false;
  }
  espbench::releasePin(number);
  SemaphoreHandle_t lock = memsize <= freeBlocks ? xSemaphoreCreateMutex() : nullptr;
  if (lock == nullptr) {
    log_e("GPIO %d %sRMT %s Initialization error.", pin, isReceiver ? "" : "- ",
          isReceiver ? "RX" : "TX");
    return false;
  }
  RMTChannel* channel = std::find_if(channels, channels + kBlocks,
                                     [](const RMTChannel& channel) { return !channel.isTaken; });
  *channel = {};
  channel->isTaken = true;
  channel->isReceiver = isReceiver;
  channel->lock = lock;
  channel->pin = number;
  channel->blocks = memsize;
  channel->frequency = frequency_Hz;
  channel->divider = (kSource + frequency_Hz / 2) / frequency_Hz;
  channel->alarm.handler = endPart;
  channel->alarm.argument = channel;
  freeBlocks -= memsize;
  espbench::claimPin(number, detach, channel);
  if (isReceiver) {
    gpio_input_enable(static_cast<gpio_num_t>(pin));
    gpio_pullup_en(static_cast<gpio_num_t>(pin));
    espbench::beginReceiver(*channel);
  } else {
    espbench::configurePin(number, kDriven);
    if (espbench::pinLevel(number)) espbench::setOutput(number, false);
  }
  if (espbench::isSchedulerRunning()) vTaskDelay(1);
  return true;
}

bool rmtDeinit(int pin) {
  if (espbench::channelOfPin(pin, __func__) == nullptr) {
    log_e("GPIO %d - No RMT channel associated.", pin);
    return false;
  }
  espbench::releasePin(static_cast<unsigned>(pin));
  espbench::configurePin(static_cast<unsigned>(pin), 0);
  return true;
}

bool rmtSetEOT(int pin, uint8_t EOT_Level) {
  RMTChannel* channel = espbench::channelOfPin(pin, false, __func__);
  if (channel == nullptr) return false;
  channel->idleLevel = EOT_Level > 0;
  return true;
}

bool rmtSetCarrier(int pin, bool, bool, uint32_t, float) {
  RMTChannel* channel = espbench::channelOfPin(pin, __func__);
  if (channel == nullptr || !channel->isReceiver) return channel != nullptr;
  log_w("GPIO %d - Error applying RMT carrier.", pin);
  return false;
}

bool rmtWrite(int pin, rmt_data_t* data, size_t num_rmt_symbols, uint32_t timeout_ms) {
  if (!start(pin, data, num_rmt_symbols, false, __func__)) return false;
  const uint64_t deadline = timeout_ms == RMT_WAIT_FOR_EVER
                                ? espbench::kForEver
                                : espbench::now() + timeout_ms * kMillisecond;
  for (;;) {
    // Looked up each time: another task may take the pin meanwhile.
    auto* channel =
        static_cast<RMTChannel*>(espbench::ownerOfPin(static_cast<unsigned>(pin), detach));
    if (channel == nullptr || !channel->isSending) return channel != nullptr;
    if (!espbench::waitIn(channel->waiters, deadline)) return false;
  }
}

bool rmtWriteAsync(int pin, rmt_data_t* data, size_t num_rmt_symbols) {
  return start(pin, data, num_rmt_symbols, false, __func__);
}

bool rmtWriteLooping(int pin, rmt_data_t* data, size_t num_rmt_symbols) {
  return start(pin, data, num_rmt_symbols, true, __func__);
}

bool rmtTransmitCompleted(int pin) {
  espbench::spend(espbench::kPollNanoseconds);
  RMTChannel* channel = espbench::channelOfPin(pin, false, __func__);
  return channel != nullptr && !channel->isSending;
}

void rgbLedWriteOrdered(uint8_t pin, rgb_led_color_order_t order, uint8_t red_val,
                        uint8_t green_val, uint8_t blue_val) {
  if (!rmtInit(pin, RMT_TX_MODE, RMT_MEM_NUM_BLOCKS_1, 10000000)) {
    log_e("RGB LED driver initialization failed for GPIO%d!", pin);
    return;
  }
  constexpr uint8_t kOrders[][3] = {{0, 1, 2}, {2, 1, 0}, {2, 0, 1},
                                    {0, 2, 1}, {1, 2, 0}, {1, 0, 2}};
  const uint8_t colors[] = {red_val, green_val, blue_val};
  rmt_data_t bits[24];
  for (unsigned i = 0; i < 24; i++) {
    const uint8_t color = colors[kOrders[order % 6u][i / 8]];
    const bool isSet = (color & 0x80u >> i % 8) != 0;
    bits[i].level0 = 1;
    bits[i].duration0 = isSet ? 8 : 4;
    bits[i].level1 = 0;
    bits[i].duration1 = isSet ? 4 : 8;
  }
  rmtWrite(pin, bits, RMT_SYMBOLS_OF(bits), RMT_WAIT_FOR_EVER);
}

void rgbLedWrite(uint8_t pin, uint8_t red_val, uint8_t green_val, uint8_t blue_val) {
  rgbLedWriteOrdered(pin, RGB_BUILTIN_LED_COLOR_ORDER, red_val, green_val, blue_val);
}

void neopixelWrite(uint8_t p, uint8_t r, uint8_t g, uint8_t b) { rgbLedWrite(p, r, g, b); }

}  // extern "C"
