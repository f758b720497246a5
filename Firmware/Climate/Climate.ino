// An environmental sensor with a battery: each minute it wakes, measures, can be connected to for a
// few seconds, and sleeps. While a central is connected it measures each second.

#include <NimBLEDevice.h>
#include <esp_sleep.h>
#include <sys/time.h>

#include "Battery.h"
#include "Bme280.h"
#include "ClimateService.h"
#include "Links.h"
#include "Schedule.h"
#include "Screen.h"
#include "Ssd1306.h"
#include "Warning.h"
#include "WireBus.h"
#include "Wiring.h"

static const char* kName = "Climate";
static const uint32_t kMeasurementPause = 1000;
static const uint32_t kWarningFrequency = 5000;

/// Of the RTC's memory, which keeps its supply in deep sleep.
RTC_DATA_ATTR static uint32_t measurements = 0;

static WireBus bus;
static Bme280 sensor(bus, kSensorAddress);
static Ssd1306 display(bus, kDisplayAddress);
static Screen screen;
static ClimateService service;
static Schedule schedule;
static Measurement measurement;
static uint32_t measuredAt;

static void measure() {
  measuredAt = millis();
  measurements++;
  const Bme280::Result result = sensor.measure(&measurement.air);
  measurement.hasAir = result == Bme280::Result::ok;
  measurement.batteryMillivolts = batteryMillivolts();
  if (!measurement.hasAir) {
    Serial.printf("BME280 at 0x%02x %s\r\n", kSensorAddress, Bme280::text(result));
  }
}

static void report() {
  char temperature[16] = "?", humidity[16] = "?", pressure[16] = "?";
  if (measurement.hasAir) {
    writeHundredths(measurement.air.temperature, 2, temperature, sizeof temperature);
    writeHundredths(measurement.air.humidity, 2, humidity, sizeof humidity);
    // From 0.1 Pa to 0.01 hPa.
    writeHundredths(measurement.air.pressure / 10, 2, pressure, sizeof pressure);
  }
  Serial.printf("Measurement %u: %s C, %s %%, %s hPa, battery %u mV (%u %%)\r\n",
                static_cast<unsigned>(measurements), temperature, humidity, pressure,
                static_cast<unsigned>(measurement.batteryMillivolts), measurement.batteryPercent());
  screen.show(measurement);
  if (!display.begin() || !display.show(screen)) Serial.println("SSD1306 does not answer");
}

static void warn() { ledcWrite(kWarningPin, Warning::duty(measurement, service.limit())); }

/// Since power on: unlike millis(), this clock continues in deep sleep and while the chip starts.
static uint64_t clockMilliseconds() {
  timeval now;
  gettimeofday(&now, nullptr);
  return now.tv_sec * 1000ull + now.tv_usec / 1000;
}

/// Ends in a reset: the next program is that of setup().
static void sleepUntilNext() {
  const uint32_t time = Schedule::sleepTime(clockMilliseconds());
  Serial.printf("Sleeping for %u ms\r\n", static_cast<unsigned>(time));
  Serial.flush();
  display.turnOff();
  ledcWrite(kWarningPin, 0);
  esp_sleep_enable_timer_wakeup(time * 1000ull);
  esp_deep_sleep_start();
}

void setup() {
  Serial.begin(115200);
  bus.begin(kSdaPin, kSclPin);
  beginBattery();
  ledcAttach(kWarningPin, kWarningFrequency, Warning::resolution);
  measure();
  report();

  NimBLEDevice::init(kName);
  service.begin(NimBLEDevice::createServer());
  service.update(measurement);
  NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
  advertising->addServiceUUID(ClimateService::uuid);
  advertising->setName(kName);
  advertising->start();
}

void loop() {
  const uint32_t now = millis();
  // The host's list, not callbacks: of a central that leaves at once there is none.
  if (connectionCount() > 0) {
    schedule.stayAwake(now);
    if (now - measuredAt >= kMeasurementPause) {
      measure();
      report();
      service.update(measurement);
    }
  } else if (schedule.isSleepDue(now)) {
    sleepUntilNext();
  } else if (!NimBLEDevice::getAdvertising()->isAdvertising()) {
    NimBLEDevice::startAdvertising();
  }
  warn();
  delay(100);
}
