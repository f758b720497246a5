// Time, pins, chip, random numbers.
#include "../Runtime/Runtime.h"
#include "Arduino.h"

using espbench::kPollNanoseconds;
using espbench::kTickNanoseconds;
using espbench::spend;

namespace espbench {
void drainConsole();
}

EspClass ESP;

// Time

namespace {

constexpr uint64_t kNanosecondsPerMicrosecond = 1000;

uint64_t sinceBoot() { return espbench::now() - espbench::startInformation().timer_zero_ns; }

}  // namespace

extern "C" {

int64_t esp_timer_get_time() {
  spend(kPollNanoseconds);
  return static_cast<int64_t>(sinceBoot() / kNanosecondsPerMicrosecond);
}

// The chip's unsigned long has 32 bits: the clocks wrap as on the chip.
unsigned long micros() { return static_cast<uint32_t>(esp_timer_get_time()); }
unsigned long millis() { return static_cast<uint32_t>(esp_timer_get_time() / 1000); }

void delay(uint32_t ms) { vTaskDelay(ms); }
void delayMicroseconds(uint32_t us) { spend(us * kNanosecondsPerMicrosecond); }
void yield() { vTaskDelay(0); }

void vTaskDelay(TickType_t ticks) {
  if (ticks == 0) {
    spend(kPollNanoseconds);
    espbench::sleepUntil(espbench::now());
    return;
  }
  espbench::sleepUntil(espbench::now() + ticks * kTickNanoseconds);
}

TickType_t xTaskGetTickCount() { return static_cast<TickType_t>(millis()); }

void vTaskDelete(TaskHandle_t) {
  for (;;) espbench::sleepUntil(CFC_NEVER);
}

}  // extern "C"

// Pins

namespace {

constexpr size_t kPins = 64;

// Statically initialized: levels arrive before constructors run.
struct Pin {
  uint8_t mode = 0;
  bool outputLevel = false;
  uint32_t driven = CFC_PIN_FLOATING;
  int interruptMode = 0;
  voidFuncPtrArg handler = nullptr;
  void* argument = nullptr;
};

Pin pins[kPins];

bool inputLevel(const Pin& pin) {
  return pin.driven == CFC_PIN_FLOATING ? (pin.mode & PULLUP) != 0 : pin.driven == CFC_PIN_HIGH;
}

void callWithoutArgument(void* handler) { reinterpret_cast<voidFuncPtr>(handler)(); }

void sendPin(uint16_t type, uint8_t number, uint32_t value) {
  cfc_pin pin = {number, value};
  espbench::send(type, &pin, sizeof pin);
}

}  // namespace

namespace espbench {

bool pinInput(uint32_t number, uint32_t value, bool& level) {
  if (number >= kPins) return false;
  bool before = inputLevel(pins[number]);
  pins[number].driven = value;
  level = inputLevel(pins[number]);
  // An edge before attachInterrupt(), such as the initial level, causes no interrupt.
  return level != before && pins[number].handler != nullptr;
}

void pinInterrupt(uint32_t number, bool level) {
  const Pin& pin = pins[number];
  if (pin.handler == nullptr) return;
  if (pin.interruptMode & (level ? RISING : FALLING)) pin.handler(pin.argument);
}

}  // namespace espbench

extern "C" {

void pinMode(uint8_t pin, uint8_t mode) {
  if (pin >= kPins) return;
  pins[pin].mode = mode;
  sendPin(CFC_PIN_MODE, pin, mode);
}

void digitalWrite(uint8_t pin, uint8_t val) {
  if (pin >= kPins) return;
  pins[pin].outputLevel = val != LOW;
  sendPin(CFC_PIN_OUTPUT, pin, val != LOW);
}

int digitalRead(uint8_t pin) {
  spend(kPollNanoseconds);
  if (pin >= kPins) return LOW;
  bool isOutput = (pins[pin].mode & OUTPUT) == OUTPUT;
  return isOutput ? pins[pin].outputLevel : inputLevel(pins[pin]);
}

void attachInterrupt(uint8_t pin, voidFuncPtr handler, int mode) {
  attachInterruptArg(pin, callWithoutArgument, reinterpret_cast<void*>(handler), mode);
}

void attachInterruptArg(uint8_t pin, voidFuncPtrArg handler, void* arg, int mode) {
  if (pin >= kPins) return;
  pins[pin].handler = handler;
  pins[pin].argument = arg;
  pins[pin].interruptMode = mode;
}

void detachInterrupt(uint8_t pin) {
  if (pin < kPins) pins[pin].handler = nullptr;
}

// Chip

uint32_t getCpuFrequencyMhz() { return espbench::startInformation().cpu_frequency_mhz; }

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
  return static_cast<uint32_t>(sinceBoot() * getCpuFrequencyMhz() / kNanosecondsPerMicrosecond);
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
