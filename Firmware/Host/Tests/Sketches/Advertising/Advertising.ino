// Reads a line, starts the advertising that it selects, and prints the results.
#include <NimBLEDevice.h>

static const char* kService = "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079";

static void say(const char* what, bool result) {
  Serial.printf("%s %s\r\n", what, result ? "true" : "false");
}

static void addEverything(NimBLEAdvertising* advertising) {
  say("appearance", advertising->setAppearance(0x0341));
  say("preferred", advertising->setPreferredParams(3, 5000));
  say("power", advertising->addTxPower());
  say("manufacturer", advertising->setManufacturerData(std::string("\x60\0ab", 4)));
  say("uri", advertising->setURI(std::string("\x16//x")));
  say("data", advertising->setServiceData(NimBLEUUID("180f"), std::string("d")));
}

static void advertise(const String& how) {
  NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
  advertising->stop();
  advertising->reset();
  uint32_t duration = 0;
  if (how == "name") say("name", advertising->setName("Test Peripheral"));
  if (how == "recorded") {
    // The advertisement of the recorded application: the UUID no longer fits.
    advertising->setName("Test Peripheral");
    advertising->addServiceUUID(kService);
    advertising->enableScanResponse(true);
  }
  if (how == "overflow") {
    advertising->setName("Test Peripheral");
    say("uuid", advertising->addServiceUUID(kService));
  }
  if (how == "short") {
    for (const char* uuid : {"180d", "180f", "1234"}) advertising->addServiceUUID(uuid);
    advertising->addServiceUUID(NimBLEUUID(static_cast<uint32_t>(0x12345678)));
    say("remove", advertising->removeServiceUUID("180f"));
  }
  if (how == "long") {
    advertising->enableScanResponse(true);
    say("29", advertising->setName("12345678901234567890123456789"));
    advertising->clearData();
    say("30", advertising->setName("123456789012345678901234567890"));
  }
  if (how == "too long") say("26", advertising->setName("12345678901234567890123456789"));
  if (how == "everything") addEverything(advertising);
  if (how == "custom") {
    NimBLEAdvertisementData data;
    data.setFlags(BLE_HS_ADV_F_DISC_LTD);
    data.setShortName("ab");
    data.setCompleteServices16({NimBLEUUID("1111"), NimBLEUUID("2222")});
    say("set", advertising->setAdvertisementData(data));
    Serial.println(data.toString().c_str());
  }
  if (how == "hidden") {
    advertising->setConnectableMode(BLE_GAP_CONN_MODE_NON);
    advertising->setDiscoverableMode(BLE_GAP_DISC_MODE_NON);
    advertising->setMinInterval(160);
    advertising->setMaxInterval(320);
  }
  if (how == "timed") {
    duration = 1500;
    advertising->setAdvertisingCompleteCallback(
        [](NimBLEAdvertising* done) { say("complete, advertising", done->isAdvertising()); });
  }
  say("start", advertising->start(duration));
  say("again", NimBLEDevice::startAdvertising());
  say("advertising", advertising->isAdvertising());
}

void setup() {
  Serial.begin(115200);
  NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
  say("before init", advertising->start());
  say("init", NimBLEDevice::init("Advertiser"));
  Serial.println(NimBLEDevice::getAddress().toString().c_str());
  say("mtu 22", NimBLEDevice::setMTU(22));
  say("mtu 100", NimBLEDevice::setMTU(100));
  say("power 8", NimBLEDevice::setPower(8, NimBLETxPowerType::Advertise));
  say("power 12", NimBLEDevice::setPower(12));
  Serial.printf("power %d %d\r\n", NimBLEDevice::getPower(NimBLETxPowerType::Advertise),
                NimBLEDevice::getPower());
}

void loop() {
  if (Serial.available() == 0) {
    delay(10);
    return;
  }
  String how = Serial.readStringUntil('\n');
  if (how == "stop") {
    say("stop", NimBLEDevice::stopAdvertising());
    say("advertising", NimBLEDevice::getAdvertising()->isAdvertising());
  } else {
    advertise(how);
  }
}
