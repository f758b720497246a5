// The values of the sensor: units, texts, percent, brightness, time to sleep.
#include <cmath>

#include "Compensation.h"
#include "FakeBus.h"
#include "Measurement.h"
#include "Schedule.h"
#include "Testing.h"
#include "Warning.h"

namespace {

Trimming trimming(const FakeBus& bus) {
  return Trimming(bus.registers + 0x88, bus.registers + 0xE1);
}

Air compensated(int32_t temperature, int32_t pressure, int32_t humidity) {
  FakeBus bus;
  bus.setAir(temperature, pressure, humidity);
  return trimming(bus).compensate(RawAir(bus.registers + 0xF7));
}

/// Bosch's formula in floating point (8.1), with the trimming values of the fake.
double humidity(double raw, double fine) {
  const double h1 = 75, h2 = 363, h3 = 0, h4 = 0x139, h5 = 0x32, h6 = 30;
  double h = fine - 76800;
  h = (raw - (h4 * 64 + h5 / 16384 * h)) *
      (h2 / 65536 * (1 + h6 / 67108864 * h * (1 + h3 / 67108864 * h)));
  return std::min(std::max(h * (1 - h1 * h / 524288), 0.0), 100.0);
}

std::string hundredths(int32_t value, int decimals) {
  char text[16];
  writeHundredths(value, decimals, text, sizeof text);
  return text;
}

Measurement battery(uint32_t millivolts) {
  Measurement measurement;
  measurement.batteryMillivolts = millivolts;
  return measurement;
}

Measurement warm(int32_t temperature) {
  Measurement measurement;
  measurement.hasAir = true;
  measurement.air.temperature = temperature;
  return measurement;
}

}  // namespace

TEST(theExampleOfTheDataSheetIsCompensatedAsThere) {
  const Air air = compensated(519888, 415148, 30000);
  EXPECT_EQUAL(air.temperature, 2508);
  EXPECT_EQUAL(air.pressure, 1006532);
}

TEST(humidityIsThatOfTheFormulaInFloatingPoint) {
  int wrong = 0;
  for (int32_t raw = 0; raw < 65536; raw += 16) {
    // The example's temperature.
    if (std::abs(compensated(519888, 415148, raw).humidity - 100 * humidity(raw, 128422)) > 2) {
      wrong++;
    }
  }
  EXPECT_EQUAL(wrong, 0);
}

TEST(humidityTrimmingOfTwelveBitsHasASign) {
  FakeBus bus;
  // H4 = -1, H5 = -2
  bus.registers[0xE4] = 0xFF;
  bus.registers[0xE5] = 0xEF;
  bus.registers[0xE6] = 0xFF;
  // A raw value of 0 and an offset of -64: almost nothing, and not 100 %.
  bus.setAir(519888, 415148, 0);
  const Air air = trimming(bus).compensate(RawAir(bus.registers + 0xF7));
  EXPECT(air.humidity >= 30 && air.humidity <= 40);
}

TEST(whatIsUnknownHasTheValuesOfTheSpecification) {
  Measurement measurement;
  EXPECT_EQUAL(measurement.temperatureValue(), 0x8000);
  EXPECT_EQUAL(measurement.humidityValue(), 0xFFFF);
  EXPECT_EQUAL(measurement.pressureLength(), 0u);
  measurement.hasAir = true;
  measurement.air = {-525, 10000, 1013250};
  EXPECT_EQUAL(measurement.temperatureValue(), 0xFDF3);
  EXPECT_EQUAL(measurement.humidityValue(), 10000);
  EXPECT_EQUAL(measurement.pressureValue(), 1013250u);
  EXPECT_EQUAL(measurement.pressureLength(), 4u);
}

TEST(hundredthsAreRounded) {
  EXPECT_EQUAL(hundredths(2150, 2), std::string("21.50"));
  EXPECT_EQUAL(hundredths(-525, 2), std::string("-5.25"));
  EXPECT_EQUAL(hundredths(-5, 2), std::string("-0.05"));
  EXPECT_EQUAL(hundredths(-5, 1), std::string("-0.1"));
  EXPECT_EQUAL(hundredths(-4, 1), std::string("0.0"));
  EXPECT_EQUAL(hundredths(999, 1), std::string("10.0"));
  EXPECT_EQUAL(hundredths(4549, 0), std::string("45"));
  EXPECT_EQUAL(hundredths(4550, 0), std::string("46"));
}

TEST(theBatteryFallsEvenlyFromFullToEmpty) {
  EXPECT_EQUAL(battery(0).batteryPercent(), 0);
  EXPECT_EQUAL(battery(3300).batteryPercent(), 0);
  EXPECT_EQUAL(battery(3700).batteryPercent(), 30);
  EXPECT_EQUAL(battery(4200).batteryPercent(), 100);
  EXPECT_EQUAL(battery(5000).batteryPercent(), 100);
  for (uint32_t millivolts = 3000; millivolts < 4500; millivolts++) {
    EXPECT(battery(millivolts).batteryPercent() <= battery(millivolts + 1).batteryPercent());
  }
}

TEST(theWarningIsTheBrighterTheWarmerItIs) {
  EXPECT_EQUAL(Warning::duty(warm(3000), 3000), 0u);
  EXPECT_EQUAL(Warning::duty(warm(-4000), 3000), 0u);
  EXPECT_EQUAL(Warning::duty(warm(3250), 3000), 511u);
  EXPECT_EQUAL(Warning::duty(warm(3500), 3000), 1023u);
  EXPECT_EQUAL(Warning::duty(warm(8500), -4000), 1023u);
  EXPECT_EQUAL(Warning::duty(Measurement(), -4000), 0u);
}

TEST(limitsAreThoseThatTheSensorMeasures) {
  for (int16_t limit : {-4000, 0, 8500}) EXPECT(Warning::isLimit(limit));
  for (int16_t limit : {INT16_MIN, -4001, 8501, INT16_MAX}) EXPECT(!Warning::isLimit(limit));
}

TEST(sleepEndsAtWholeMinutes) {
  EXPECT_EQUAL(Schedule::sleepTime(4000), 56000u);
  EXPECT_EQUAL(Schedule::sleepTime(60000), 60000u);
  // After 60 days: beyond 32 bits.
  EXPECT_EQUAL(Schedule::sleepTime(60ull * 24 * 3600 * 1000 + 100), 59900u);
}

TEST(itStaysAwakeForAWindowAfterItsStartAndEachCentral) {
  Schedule schedule;
  EXPECT(!schedule.isSleepDue(3999));
  EXPECT(schedule.isSleepDue(4000));
  // Across the wrap of millis().
  schedule.stayAwake(UINT32_MAX - 999);
  EXPECT(!schedule.isSleepDue(2999));
  EXPECT(schedule.isSleepDue(3000));
}
