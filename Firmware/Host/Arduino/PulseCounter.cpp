// The pulse counter: counts the edges that the pins tell it (observePin()), at their instants.
#include "PulseCounter.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "Pins.h"
#include "soc/pcnt_reg.h"

using namespace espbench;

namespace {

constexpr uint32_t kEnd = DR_REG_PCNT_BASE + 0xb4;
constexpr uint32_t kConfigurationBytes = 12;
/// The reset value of a unit's first configuration: the events of zero and the limits are on, the
/// filter takes 16 cycles.
constexpr uint32_t kFirstConfiguration = 0x3c10;
/// Of the control register: each unit is held in reset.
constexpr uint32_t kFirstControl = 0x5555;
constexpr unsigned kFilterBit = 10, kZeroBit = 11, kHighBit = 12, kLowBit = 13, kThreshold0Bit = 14,
                   kThreshold1Bit = 15, kActions = 16, kActionsPerChannel = 8;
/// A cycle of the APB clock takes 12.5 ns.
constexpr uint64_t kHalfCycles = 2, kNanosecondsOfHalfCycles = 25;
/// From the interrupt to the first instruction of its handler, and back.
constexpr uint64_t kServiceNanoseconds = 2000;

/// An input of a channel: its level behind the filter, and the one that waits in it.
struct Input {
  PulseInput source;
  bool raw = false;
  bool level = false;
  uint64_t dueAt = kForEver;  ///< when the filter lets `raw` pass
};

struct Channel {
  Input pulses, control;
};

struct Unit {
  uint32_t configuration[3] = {kFirstConfiguration, 0, 0};
  int16_t count = 0;
  uint32_t status = 0;
  // In effect since the last reset of the counter
  int16_t high = 0, low = 0, threshold0 = 0, threshold1 = 0;
  Channel channels[kPulseChannels];
  Alarm filter;  ///< at the first `dueAt`
};

Unit units[kPulseUnits];
uint32_t raised, enabled, control = kFirstControl;

struct {
  void (*handler)(void*);
  void* argument;
  uint32_t units;
  int core;
  bool isServed;
} interrupt;

unsigned numberOf(const Unit& unit) { return static_cast<unsigned>(&unit - units); }
uint32_t bitOf(const Unit& unit) { return 1u << numberOf(unit); }
bool isReset(const Unit& unit) { return (control >> 2 * numberOf(unit) & 1) != 0; }
bool isPaused(const Unit& unit) { return (control >> (2 * numberOf(unit) + 1) & 1) != 0; }

int16_t low16(uint32_t value) { return static_cast<int16_t>(value & 0xffff); }
int16_t high16(uint32_t value) { return static_cast<int16_t>(value >> 16); }

void serve(void*) {
  while ((pulseInterrupts() & interrupt.units) != 0 && interrupt.handler != nullptr) {
    espbench::spend(kServiceNanoseconds);
    interrupt.handler(interrupt.argument);
    giveTurnsInInterrupt();
  }
  interrupt.isServed = false;
}

/// True if the interrupt occurs, and no service of it is under way.
bool takesInterrupt() {
  if ((pulseInterrupts() & interrupt.units) == 0 || interrupt.isServed) return false;
  return interrupt.isServed = interrupt.handler != nullptr;
}

/// After a change by the program.
void updateInterrupt() {
  if (takesInterrupt()) raiseInterrupt(interrupt.core, serve, nullptr);
}

/// The counter begins at 0, with the present limits and thresholds.
void restart(Unit& unit) {
  unit.count = 0;
  unit.threshold0 = low16(unit.configuration[1]);
  unit.threshold1 = high16(unit.configuration[1]);
  unit.high = low16(unit.configuration[2]);
  unit.low = high16(unit.configuration[2]);
}

void count(Unit& unit, int change, uint64_t time) {
  if (change == 0 || isPaused(unit) || isReset(unit)) return;
  const int before = unit.count;
  int after = static_cast<int16_t>(before + change);
  uint32_t events = 0;
  if (before < unit.high && after >= unit.high) {
    events |= kHighLimit;
  } else if (before > unit.low && after <= unit.low) {
    events |= kLowLimit;
  } else {
    if (after == unit.threshold0) events |= kThreshold0;
    if (after == unit.threshold1) events |= kThreshold1;
  }
  if ((events & (kHighLimit | kLowLimit)) != 0) {
    after = 0;
    restart(unit);
  }
  unit.count = static_cast<int16_t>(after);
  uint32_t mode = unit.status & 3;
  if (before != 0 && (after == 0 || (before < 0) != (after < 0))) {
    events |= kZero;
    mode = after == 0 ? (before > 0 ? PCNT_UNIT_ZERO_CROSS_POS_ZERO : PCNT_UNIT_ZERO_CROSS_NEG_ZERO)
                      : (before > 0 ? PCNT_UNIT_ZERO_CROSS_POS_NEG : PCNT_UNIT_ZERO_CROSS_NEG_POS);
  }
  const uint32_t configuration = unit.configuration[0];
  uint32_t reported = 0;
  if ((configuration >> kZeroBit & 1) != 0) reported |= events & kZero;
  if ((configuration >> kHighBit & 1) != 0) reported |= events & kHighLimit;
  if ((configuration >> kLowBit & 1) != 0) reported |= events & kLowLimit;
  if ((configuration >> kThreshold0Bit & 1) != 0) reported |= events & kThreshold0;
  if ((configuration >> kThreshold1Bit & 1) != 0) reported |= events & kThreshold1;
  unit.status = (reported != 0 ? reported : unit.status & ~3u) | mode;
  if (reported == 0) return;
  raised |= bitOf(unit);
  if (takesInterrupt()) runInterrupt(interrupt.core, serve, nullptr, time);
}

/// The change of the counter by an edge of a channel's pulses.
int changeOf(const Unit& unit, unsigned channel) {
  const uint32_t actions = unit.configuration[0] >> (kActions + channel * kActionsPerChannel);
  const Channel& at = unit.channels[channel];
  const uint32_t edge = actions >> (at.pulses.raw ? 2 : 0) & 3;
  const uint32_t level = actions >> (at.control.level ? 4 : 6) & 3;
  int change = 0;
  if (edge == PCNT_CHANNEL_EDGE_ACTION_INCREASE) change = 1;
  if (edge == PCNT_CHANNEL_EDGE_ACTION_DECREASE) change = -1;
  if (level == PCNT_CHANNEL_LEVEL_ACTION_INVERSE) return -change;
  return level == PCNT_CHANNEL_LEVEL_ACTION_KEEP ? change : 0;
}

void pass(Input& input) {
  input.level = input.raw;
  input.dueAt = kForEver;
}

uint64_t firstDue(const Unit& unit) {
  uint64_t first = kForEver;
  for (const Channel& channel : unit.channels) {
    first = std::min({first, channel.pulses.dueAt, channel.control.dueAt});
  }
  return first;
}

/// Lets the edges pass that are due by `time`. Edges of one instant change the counter together.
void settle(Unit& unit, uint64_t time) {
  for (uint64_t due; (due = firstDue(unit)) <= time;) {
    int change = 0;
    for (unsigned i = 0; i < kPulseChannels; i++) {
      Input& pulses = unit.channels[i].pulses;
      if (pulses.dueAt != due) continue;
      if (pulses.raw != pulses.level) change += changeOf(unit, i);
      pass(pulses);
    }
    for (Channel& channel : unit.channels) {
      if (channel.control.dueAt == due) pass(channel.control);
    }
    count(unit, change, due);
  }
}

void setFilterAlarm(Unit& unit);

void endFilter(void* argument) {
  Unit& unit = *static_cast<Unit*>(argument);
  settle(unit, unit.filter.time);
  setFilterAlarm(unit);
}

void setFilterAlarm(Unit& unit) {
  const uint64_t due = firstDue(unit);
  if (due == kForEver) return clearAlarm(unit.filter);
  unit.filter.handler = endFilter;
  unit.filter.argument = &unit;
  unit.filter.isOutside = true;
  setAlarm(unit.filter, due);
}

uint64_t filterNanoseconds(const Unit& unit) {
  if ((unit.configuration[0] >> kFilterBit & 1) == 0) return 0;
  return (unit.configuration[0] & kMaximumGlitch) * kNanosecondsOfHalfCycles / kHalfCycles;
}

/// True if the input is at `pin` and has got another level.
bool take(Input& input, unsigned pin, bool level) {
  if (input.source.pin != static_cast<int>(pin)) return false;
  const bool raw = level != input.source.isInverted;
  if (raw == input.raw) return false;
  input.raw = raw;
  return true;
}

/// A pin has got another level.
void notice(unsigned pin, bool level, uint64_t time) {
  for (Unit& unit : units) {
    const uint64_t due = time + filterNanoseconds(unit);
    settle(unit, time);
    bool isNew = false;
    for (Channel& channel : unit.channels) {
      for (Input* input : {&channel.pulses, &channel.control}) {
        if (!take(*input, pin, level)) continue;
        // The end of a glitch takes it away.
        input->dueAt = input->raw == input->level ? kForEver : due;
        isNew = true;
      }
    }
    if (!isNew) continue;
    settle(unit, time);
    setFilterAlarm(unit);
  }
}

void connect(Input& input, const PulseInput& source) {
  const int former = input.source.pin;
  input = {};
  input.source = source;
  if (source.pin >= 0 && isPin(static_cast<unsigned>(source.pin))) {
    observePin(static_cast<unsigned>(source.pin), Observer::counter, notice);
    input.raw = readPin(static_cast<unsigned>(source.pin)) != source.isInverted;
  } else {
    input.source.pin = -1;
    input.raw = source.level != source.isInverted;
  }
  input.level = input.raw;
  if (former < 0) return;
  for (const Unit& unit : units) {
    for (const Channel& channel : unit.channels) {
      if (channel.pulses.source.pin == former || channel.control.source.pin == former) return;
    }
  }
  observePin(static_cast<unsigned>(former), Observer::counter, nullptr);
}

/// A handler's clock may have passed announced levels.
void catchUp() {
  if (inInterrupt()) takeLevels();
}

/// The index of a register in a range of them; -1: it is not of the range.
int indexIn(uint32_t address, uint32_t first, uint32_t count) {
  const uint32_t index = (address - first) / 4;
  return address >= first && index < count ? static_cast<int>(index) : -1;
}

void setControl(uint32_t value) {
  control = value;
  for (Unit& unit : units) {
    if (isReset(unit)) restart(unit);
  }
}

void setField(Unit& unit, unsigned part, unsigned shift, uint32_t mask, uint32_t value) {
  uint32_t& word = unit.configuration[part];
  word = (word & ~(mask << shift)) | (value & mask) << shift;
}

/// The place of a limit or threshold: the register, and the shift in it.
struct Place {
  unsigned part, shift;
};

Place placeOf(uint32_t event) {
  if (event == kHighLimit || event == kLowLimit) return {2, event == kHighLimit ? 0u : 16u};
  return {1, event == kThreshold0 ? 0u : 16u};
}

}  // namespace

namespace espbench {

bool isPulseRegister(uint32_t address) {
  return address >= DR_REG_PCNT_BASE && address < kEnd && address % 4 == 0;
}

uint32_t readPulseRegister(uint32_t address) {
  catchUp();
  constexpr uint32_t kConfigurations = kPulseUnits * kConfigurationBytes / 4;
  if (const int i = indexIn(address, PCNT_U0_CONF0_REG, kConfigurations); i >= 0) {
    return units[i / 3].configuration[i % 3];
  }
  if (const int i = indexIn(address, PCNT_U0_CNT_REG, kPulseUnits); i >= 0) {
    return static_cast<uint16_t>(units[i].count);
  }
  if (const int i = indexIn(address, PCNT_U0_STATUS_REG, kPulseUnits); i >= 0) {
    return units[i].status;
  }
  switch (address) {
    case PCNT_INT_RAW_REG:
      return raised;
    case PCNT_INT_ST_REG:
      return raised & enabled;
    case PCNT_INT_ENA_REG:
      return enabled;
    case PCNT_CTRL_REG:
      return control;
    default:
      return 0;
  }
}

void writePulseRegister(uint32_t address, uint32_t value) {
  catchUp();
  constexpr uint32_t kConfigurations = kPulseUnits * kConfigurationBytes / 4;
  if (const int i = indexIn(address, PCNT_U0_CONF0_REG, kConfigurations); i >= 0) {
    units[i / 3].configuration[i % 3] = value;
  } else if (address == PCNT_INT_ENA_REG) {
    enabled = value & 0xff;
    updateInterrupt();
  } else if (address == PCNT_INT_CLR_REG) {
    raised &= ~value;
  } else if (address == PCNT_CTRL_REG) {
    setControl(value);
  }
}

void setEdgeActions(unsigned unit, unsigned channel, uint32_t rising, uint32_t falling) {
  const unsigned shift = kActions + channel * kActionsPerChannel;
  setField(units[unit], 0, shift, 0xf, (rising & 3) << 2 | (falling & 3));
}

void setLevelActions(unsigned unit, unsigned channel, uint32_t high, uint32_t low) {
  const unsigned shift = kActions + channel * kActionsPerChannel + 4;
  setField(units[unit], 0, shift, 0xf, (low & 3) << 2 | (high & 3));
}

void enablePulseEvent(unsigned unit, uint32_t event, bool isOn) {
  const unsigned bit = event == kZero         ? kZeroBit
                       : event == kHighLimit  ? kHighBit
                       : event == kLowLimit   ? kLowBit
                       : event == kThreshold0 ? kThreshold0Bit
                                              : kThreshold1Bit;
  setField(units[unit], 0, bit, 1, isOn);
}

void setPulseValue(unsigned unit, uint32_t event, int value) {
  const Place place = placeOf(event);
  setField(units[unit], place.part, place.shift, 0xffff, static_cast<uint32_t>(value));
}

int16_t pulseValue(unsigned unit, uint32_t event) {
  const Place place = placeOf(event);
  return low16(units[unit].configuration[place.part] >> place.shift);
}

void setGlitch(unsigned unit, uint32_t cycles) {
  setField(units[unit], 0, 0, kMaximumGlitch, cycles);
}

uint32_t glitch(unsigned unit) { return units[unit].configuration[0] & kMaximumGlitch; }

void enableGlitchFilter(unsigned unit, bool isOn) { setField(units[unit], 0, kFilterBit, 1, isOn); }

int pulseCount(unsigned unit) {
  catchUp();
  return units[unit].count;
}

void pauseCounting(unsigned unit, bool isPaused) {
  catchUp();
  const uint32_t bit = 1u << (2 * unit + 1);
  control = isPaused ? control | bit : control & ~bit;
}

void clearCount(unsigned unit) {
  catchUp();
  control &= ~(1u << 2 * unit);
  restart(units[unit]);
}

uint32_t pulseStatus(unsigned unit) { return units[unit].status; }
uint32_t pulseInterrupts() { return raised & enabled; }
void clearPulseInterrupts(uint32_t units) { raised &= ~units; }

void enablePulseInterrupt(unsigned unit, bool isOn) {
  enabled = isOn ? enabled | 1u << unit : enabled & ~(1u << unit);
  updateInterrupt();
}

void connectPulses(unsigned unit, unsigned channel, const PulseInput& input) {
  connect(units[unit].channels[channel].pulses, input);
}

void connectControl(unsigned unit, unsigned channel, const PulseInput& input) {
  connect(units[unit].channels[channel].control, input);
}

void setPulseHandler(void (*handler)(void*), void* argument, uint32_t units) {
  interrupt.handler = handler;
  interrupt.argument = argument;
  interrupt.units = units;
  interrupt.core = currentCore();
  updateInterrupt();
}

void usePulseDriver(bool isFormer) {
  static bool areUsed[2];
  areUsed[isFormer] = true;
  if (!areUsed[!isFormer]) return;
  esp_log_write(ESP_LOG_ERROR, "pcnt(legacy)",
                "E (%" PRIu32
                ") pcnt(legacy): CONFLICT! driver_ng is not allowed to be used with the legacy "
                "driver\n",
                esp_log_timestamp());
  abort();
}

esp_err_t logPulseError(const char* tag, const char* function, int line, esp_err_t error,
                        const char* format, ...) {
  char text[128];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  esp_log_write(ESP_LOG_ERROR, tag, "E (%" PRIu32 ") %s: %s(%d): %s\n", esp_log_timestamp(), tag,
                function, line, text);
  return error;
}

}  // namespace espbench
