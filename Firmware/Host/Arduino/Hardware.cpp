// Time, chip, random numbers.
#include <algorithm>
#include <iterator>

#include "../Runtime/Cores.h"
#include "../Runtime/Runtime.h"
#include "Arduino.h"
#include "Sleep.h"

using espbench::kPollNanoseconds;
using espbench::spend;

namespace espbench {
void drainConsole();
}

EspClass ESP;

// Time

namespace {

constexpr uint64_t kNanosecondsPerMicrosecond = 1000;

constexpr uint32_t kCrystalMegahertz = 40;

uint64_t sinceBoot() { return espbench::now() - espbench::startInformation().timer_zero_ns; }

/// The frequency that setCpuFrequencyMhz() has set, when, and the cycles until then; 0: none.
uint32_t frequency;
uint64_t frequencySince, cyclesBefore;

uint64_t cycles() {
  return cyclesBefore +
         (sinceBoot() - frequencySince) * getCpuFrequencyMhz() / kNanosecondsPerMicrosecond;
}

}  // namespace

extern "C" {

// The chip's unsigned long has 32 bits: the clocks wrap as on the chip.
unsigned long micros() { return static_cast<uint32_t>(esp_timer_get_time()); }
unsigned long millis() { return static_cast<uint32_t>(esp_timer_get_time() / 1000); }

void delay(uint32_t ms) { vTaskDelay(ms); }
void delayMicroseconds(uint32_t us) {
  // A loop() with its own pace: see loopTask().
  if (us > 0) espbench::waits++;
  spend(us * kNanosecondsPerMicrosecond);
}
void yield() { vPortYield(); }

}  // extern "C"

extern "C" {

// Chip

float temperatureRead() { return 53.33f; }

bool setCpuFrequencyMhz(uint32_t cpu_freq_mhz) {
  constexpr uint32_t kPossible[] = {240, 160, 80, 40, 20, 10};
  if (std::find(std::begin(kPossible), std::end(kPossible), cpu_freq_mhz) == std::end(kPossible)) {
    log_e("Bad frequency: %u MHz! Options are: 240, 160, 80, %u, %u and %u MHz", cpu_freq_mhz,
          kPossible[3], kPossible[4], kPossible[5]);
    return false;
  }
  cyclesBefore = cycles();
  frequencySince = sinceBoot();
  frequency = cpu_freq_mhz;
  return true;
}

uint32_t getCpuFrequencyMhz() {
  return frequency != 0 ? frequency : espbench::startInformation().cpu_frequency_mhz;
}

uint32_t getXtalFrequencyMhz() { return kCrystalMegahertz; }

uint32_t getApbFrequency() {
  // The peripherals' clock is slower only where the CPU is.
  return std::min<uint32_t>(getCpuFrequencyMhz(), 80) * 1000000;
}

void esp_restart() {
  espbench::drainConsole();
  espbench::endTurnAndExit(CFC_RESTARTING);
}

esp_reset_reason_t esp_reset_reason() {
  return static_cast<esp_reset_reason_t>(espbench::startInformation().reset_reason);
}

// Random numbers: SplitMix64 from the board's seed.

uint32_t esp_random() {
  static uint64_t state = espbench::startInformation().random_seed;
  state += 0x9e3779b97f4a7c15u;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<uint32_t>((z ^ (z >> 31)) >> 32);
}

void esp_fill_random(void* buf, size_t len) {
  auto* bytes = static_cast<uint8_t*>(buf);
  for (size_t i = 0; i < len; i++) bytes[i] = static_cast<uint8_t>(esp_random());
}

}  // extern "C"

void EspClass::restart() { esp_restart(); }
uint32_t EspClass::getCpuFreqMHz() { return getCpuFrequencyMhz(); }
uint32_t EspClass::getCycleCount() {
  spend(kPollNanoseconds);
  return static_cast<uint32_t>(cycles());
}
uint64_t EspClass::getEfuseMac() {
  uint64_t mac = 0;
  memcpy(&mac, espbench::startInformation().mac, 6);
  return mac;
}
const char* EspClass::getChipModel() { return espbench::startInformation().chip_model; }
uint16_t EspClass::getChipRevision() { return espbench::startInformation().chip_revision; }
uint8_t EspClass::getChipCores() { return espbench::startInformation().chip_cores; }
uint32_t EspClass::getFlashChipSize() { return espbench::startInformation().flash_size; }

// Bits by hand

extern "C" {

uint8_t shiftIn(uint8_t dataPin, uint8_t clockPin, uint8_t bitOrder) {
  uint8_t value = 0;
  for (int i = 0; i < 8; i++) {
    digitalWrite(clockPin, HIGH);
    value |= static_cast<uint8_t>(digitalRead(dataPin) << (bitOrder == LSBFIRST ? i : 7 - i));
    digitalWrite(clockPin, LOW);
  }
  return value;
}

void shiftOut(uint8_t dataPin, uint8_t clockPin, uint8_t bitOrder, uint8_t val) {
  for (int i = 0; i < 8; i++) {
    digitalWrite(dataPin, val >> (bitOrder == LSBFIRST ? i : 7 - i) & 1);
    digitalWrite(clockPin, HIGH);
    digitalWrite(clockPin, LOW);
  }
}

}  // extern "C"

// Arduino's arithmetic

namespace {
bool isSeeded;
}

void randomSeed(unsigned long seed) {
  if (seed == 0) return;
  srand(static_cast<unsigned>(seed));
  isSeeded = true;
}

long random(long howbig) {
  if (howbig == 0) return 0;
  if (howbig < 0) return random(0, -howbig);
  uint32_t value = isSeeded ? static_cast<uint32_t>(rand()) : esp_random();
  return static_cast<long>(value % static_cast<unsigned long>(howbig));
}

long random(long howsmall, long howbig) {
  return howsmall >= howbig ? howsmall : random(howbig - howsmall) + howsmall;
}

long map(long x, long in_min, long in_max, long out_min, long out_max) {
  const long run = in_max - in_min;
  if (run == 0) {
    log_e("map(): Invalid input range, min == max");
    return -1;
  }
  return (x - in_min) * (out_max - out_min) / run + out_min;
}

uint16_t makeWord(uint16_t w) { return w; }
uint16_t makeWord(uint8_t h, uint8_t l) { return static_cast<uint16_t>(h << 8 | l); }
