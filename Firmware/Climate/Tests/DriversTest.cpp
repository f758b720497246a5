// The drivers: what they send, and what they say when nobody answers.
#include "Bme280.h"
#include "FakeBus.h"
#include "Screen.h"
#include "Ssd1306.h"
#include "Testing.h"

using Result = Bme280::Result;

TEST(theSensorMeasuresInForcedMode) {
  FakeBus bus;
  Bme280 sensor(bus, 0x76);
  Air air;
  EXPECT(sensor.measure(&air) == Result::ok);
  EXPECT_EQUAL(air.temperature, 2508);
  EXPECT_EQUAL(bus.waited, 9u);
  EXPECT_EQUAL(bus.written.size(), 2u);
  // Humidity first: its setting takes effect with the other one.
  EXPECT(bus.written[0] == (std::vector<uint8_t>{0xF2, 1}));
  EXPECT(bus.written[1] == (std::vector<uint8_t>{0xF4, 0x25}));
}

TEST(aSensorThatIsNotThereIsToldFromAnotherChip) {
  FakeBus bus;
  Bme280 sensor(bus, 0x76);
  Air air;
  bus.address = 0x77;
  EXPECT(sensor.measure(&air) == Result::noAnswer);
  // A BMP280, which has no humidity.
  bus.address = 0x76;
  bus.registers[0xD0] = 0x58;
  EXPECT(sensor.measure(&air) == Result::otherChip);
  bus.registers[0xD0] = 0x60;
  EXPECT(sensor.measure(&air) == Result::ok);
}

TEST(aSensorThatStopsAnsweringAtAnyPointGivesNoValues) {
  for (int lifetime = 0;; lifetime++) {
    FakeBus bus;
    Bme280 sensor(bus, 0x76);
    Air air{1, 2, 3};
    bus.lifetime = lifetime;
    const Result result = sensor.measure(&air);
    if (result == Result::ok) {
      EXPECT_EQUAL(lifetime, 9);
      break;
    }
    EXPECT(result == (lifetime == 0 ? Result::noAnswer : Result::lost));
    EXPECT(air.temperature == 1 && air.humidity == 2 && air.pressure == 3);
  }
}

TEST(aSensorThatLostItsSupplyGivesNoValues) {
  FakeBus bus;
  Bme280 sensor(bus, 0x76);
  Air air;
  EXPECT(sensor.measure(&air) == Result::ok);
  bus.setAir(0x80000, 0x80000, 0x8000);
  EXPECT(sensor.measure(&air) == Result::lost);
}

TEST(anotherSensorHasOtherTrimmingValues) {
  FakeBus bus;
  Bme280 sensor(bus, 0x76);
  Air air;
  EXPECT(sensor.measure(&air) == Result::ok);
  bus.lifetime = 0;
  EXPECT(sensor.measure(&air) == Result::lost);
  bus.lifetime = -1;
  bus.registers[0x89]++;
  EXPECT(sensor.measure(&air) == Result::ok);
  EXPECT(air.temperature != 2508);
}

TEST(nothingWaitsForeverForTheSensor) {
  FakeBus bus;
  Bme280 sensor(bus, 0x76);
  Air air;
  bus.measurementTime = 1000;
  EXPECT(sensor.measure(&air) == Result::late);
  EXPECT(bus.waited < 40);
  bus.isCopying = true;
  EXPECT(sensor.measure(&air) == Result::late);
}

TEST(theScreenShowsDegreesPercentAndBattery) {
  Measurement measurement;
  measurement.hasAir = true;
  measurement.air = {-525, 4500, 1013250};
  measurement.batteryMillivolts = 4200;
  Screen screen;
  screen.show(measurement);
  // "-": two rows of pixels in the middle, ten wide.
  for (size_t x = 0; x < 10; x++) EXPECT_EQUAL(screen.page(0)[x], 0xC0);
  EXPECT_EQUAL(screen.page(0)[10], 0);
  // "B" begins with a vertical line of 14 pixels.
  EXPECT_EQUAL(screen.page(6)[0], 0xFF);
  EXPECT_EQUAL(screen.page(7)[0], 0x3F);
  measurement.hasAir = false;
  screen.show(measurement);
  // "N", and no humidity.
  EXPECT_EQUAL(screen.page(0)[0], 0xFF);
  for (size_t x = 0; x < Screen::width; x++) EXPECT_EQUAL(screen.page(3)[x], 0);
}

TEST(theDisplayGetsAllPixelsAndThenLight) {
  FakeBus bus;
  bus.address = 0x3C;
  Ssd1306 display(bus, 0x3C);
  EXPECT(display.begin() && display.show(Screen()));
  // Settings, the range, 16 times 64 pixels, on.
  EXPECT_EQUAL(bus.written.size(), 19u);
  EXPECT_EQUAL(bus.written[2].size(), 65u);
  EXPECT(bus.written.back() == (std::vector<uint8_t>{0x00, 0xAF}));
  EXPECT(display.turnOff());
  bus.lifetime = 5;
  EXPECT(display.begin() && !display.show(Screen()));
  EXPECT(!display.turnOff());
}
