// The services of SerialBridge.ino: the HM-10's, and the Nordic UART Service.

static constexpr uint32_t kStream = NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_NR;

static NimBLECharacteristic* addCharacteristic(NimBLEService* service, const char* uuid,
                                               uint32_t properties) {
  NimBLECharacteristic* characteristic = service->createCharacteristic(uuid, properties, 512);
  characteristic->setCallbacks(&input);
  return characteristic;
}

static void startBluetooth() {
  NimBLEDevice::init("HMSoft");
  NimBLEServer* host = NimBLEDevice::createServer();
  host->setCallbacks(&server);
  host->advertiseOnDisconnect(true);

  NimBLEService* service = host->createService("FFE0");
  hm10 =
      addCharacteristic(service, "FFE1", kStream | NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::NOTIFY);
  statusValue =
      service->createCharacteristic("FFE2", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::NOTIFY);
  statusValue->setCallbacks(&statusReader);
  statusValue->setValue(status);

  NimBLEService* uart = host->createService("6E400001-B5A3-F393-E0A9-E50E24DCCA9E");
  addCharacteristic(uart, "6E400002-B5A3-F393-E0A9-E50E24DCCA9E", kStream);
  nordic = addCharacteristic(uart, "6E400003-B5A3-F393-E0A9-E50E24DCCA9E", NIMBLE_PROPERTY::NOTIFY);
  host->start();

  NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
  advertising->setName("HMSoft");
  advertising->addServiceUUID("FFE0");
  advertising->enableScanResponse(true);
  advertising->start();
}
