// The services: Environmental Sensing and Battery of the Bluetooth SIG, and the limit.
#pragma once

#include <Arduino.h>
#include <NimBLEDevice.h>
#include <Preferences.h>

#include <atomic>

#include "Measurement.h"
#include "Warning.h"

class ClimateService : private NimBLECharacteristicCallbacks {
 public:
  static constexpr const char* uuid = "181A";

  void begin(NimBLEServer* server) {
    _preferences.begin("climate");
    const int16_t stored = _preferences.getShort("limit", Warning::defaultLimit);
    _limit = Warning::isLimit(stored) ? stored : Warning::defaultLimit;

    NimBLEService* air = server->createService(uuid);
    const uint32_t readNotify = NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::NOTIFY;
    _temperature = air->createCharacteristic("2A6E", readNotify);
    _humidity = air->createCharacteristic("2A6F", readNotify);
    _pressure = air->createCharacteristic("2A6D", readNotify);
    _battery = server->createService("180F")->createCharacteristic("2A19", readNotify);
    // The host refuses longer values with Invalid Attribute Value Length.
    NimBLECharacteristic* limit =
        server->createService("2f6b0001-8f3a-4d5e-9b1c-5a0c11a7e000")
            ->createCharacteristic("2f6b0002-8f3a-4d5e-9b1c-5a0c11a7e000",
                                   NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE, sizeof(int16_t));
    limit->setCallbacks(this);
    limit->setValue(_limit.load());
  }

  int16_t limit() const { return _limit; }

  /// Sets the values, and notifies of those that have changed.
  void update(const Measurement& measurement) {
    update(_temperature, measurement.temperatureValue(), sizeof(uint16_t));
    update(_humidity, measurement.humidityValue(), sizeof(uint16_t));
    update(_pressure, measurement.pressureValue(), measurement.pressureLength());
    update(_battery, measurement.batteryPercent(), sizeof(uint8_t));
  }

 private:
  static void update(NimBLECharacteristic* characteristic, uint32_t number, size_t length) {
    uint8_t bytes[sizeof number];
    for (size_t i = 0; i < length; i++) bytes[i] = static_cast<uint8_t>(number >> 8 * i);
    const NimBLEAttValue old = characteristic->getValue();
    if (old.size() == length && memcmp(old.data(), bytes, length) == 0) return;
    characteristic->setValue(bytes, length);
    if (length > 0) characteristic->notify();
  }

  /// In the host's task. The response follows, so a limit that is confirmed is stored.
  void onWrite(NimBLECharacteristic* limit, NimBLEConnInfo&) override {
    const NimBLEAttValue value = limit->getValue();
    const int16_t wanted =
        value.size() == sizeof wanted ? static_cast<int16_t>(value[0] | value[1] << 8) : INT16_MIN;
    if (Warning::isLimit(wanted)) {
      _limit = wanted;
      _preferences.putShort("limit", wanted);
      Serial.printf("Limit %d\r\n", wanted);
    } else {
      limit->setValue(_limit.load());
      Serial.println("Ignoring a limit that is not from -40.00 to 85.00");
    }
  }

  std::atomic<int16_t> _limit{Warning::defaultLimit};
  Preferences _preferences;
  NimBLECharacteristic* _temperature = nullptr;
  NimBLECharacteristic* _humidity = nullptr;
  NimBLECharacteristic* _pressure = nullptr;
  NimBLECharacteristic* _battery = nullptr;
};
