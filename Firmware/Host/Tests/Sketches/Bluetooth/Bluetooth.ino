// A GATT server with an attribute of each kind; it prints each callback.
#include <NimBLEDevice.h>

void obey(int command);
static NimBLECharacteristic *plain, *full;
static NimBLEDescriptor* note;

struct ServerPrinter : NimBLEServerCallbacks {
  void onConnect(NimBLEServer* server, NimBLEConnInfo& info) override {
    Serial.printf("connected %u %s mtu %u interval %u count %u\r\n", info.getConnHandle(),
                  info.getAddress().toString().c_str(), info.getMTU(), info.getConnInterval(),
                  server->getConnectedCount());
  }
  void onDisconnect(NimBLEServer* server, NimBLEConnInfo& info, int reason) override {
    Serial.printf("disconnected %u reason %d count %u mtu %u\r\n", info.getConnHandle(), reason,
                  server->getConnectedCount(), info.getMTU());
  }
  void onMTUChange(uint16_t mtu, NimBLEConnInfo& info) override {
    Serial.printf("mtu %u %u\r\n", info.getConnHandle(), mtu);
  }
  void onConnParamsUpdate(NimBLEConnInfo& info) override {
    Serial.printf("parameters %u %u %u\r\n", info.getConnInterval(), info.getConnLatency(),
                  info.getConnTimeout());
  }
};

struct Printer : NimBLECharacteristicCallbacks {
  void onRead(NimBLECharacteristic* characteristic, NimBLEConnInfo& info) override {
    Serial.printf("read %04x by %u\r\n", characteristic->getHandle(), info.getConnHandle());
    characteristic->setValue("read value");
  }
  void onWrite(NimBLECharacteristic* characteristic, NimBLEConnInfo& info) override {
    std::string value = characteristic->getValue();
    Serial.printf("write %04x by %u: %s\r\n", characteristic->getHandle(), info.getConnHandle(),
                  value.c_str());
    if (value == "slow") {
      delay(100);
      Serial.println("slow done");
    }
    if (value == "notify") {
      Serial.printf("notify %d\r\n", characteristic->notify());
      const uint8_t bytes[] = {1, 2};
      Serial.printf("bytes %d\r\n", characteristic->notify(bytes, sizeof bytes));
      Serial.printf("one %d\r\n", characteristic->notify(std::string("one"), 1));
      Serial.printf("nobody %d\r\n", characteristic->notify(static_cast<uint16_t>(513), 9));
      Serial.printf("indicate %d\r\n", characteristic->indicate());
    }
    if (value == "drop") NimBLEDevice::getServer()->disconnect(info);
    if (value == "update") {
      NimBLEDevice::getServer()->updateConnParams(info.getConnHandle(), 12, 24, 1, 200);
    }
    if (value == "crash") abort();
  }
  void onStatus(NimBLECharacteristic*, NimBLEConnInfo&, int code) override {
    Serial.printf("status %d\r\n", code);
  }
  void onSubscribe(NimBLECharacteristic*, NimBLEConnInfo& info, uint16_t value) override {
    Serial.printf("subscribe %u by %u\r\n", value, info.getConnHandle());
  }
};

struct DescriptorPrinter : NimBLEDescriptorCallbacks {
  void onWrite(NimBLEDescriptor* descriptor, NimBLEConnInfo&) override {
    Serial.printf("descriptor %s\r\n", static_cast<std::string>(descriptor->getValue()).c_str());
  }
};

static void printValues() {
  struct Pair {
    uint8_t first;
    uint16_t second;
  } __attribute__((packed));
  plain->setValue(Pair{1, 0x0302});
  Pair pair = plain->getValue<Pair>();
  Serial.printf("struct %u %u %x\r\n", static_cast<unsigned>(plain->getLength()), pair.first,
                pair.second);
  plain->setValue(static_cast<uint32_t>(0x11223344));
  Serial.printf("number %x, too short %llx\r\n", plain->getValue<uint32_t>(),
                static_cast<unsigned long long>(plain->getValue<uint64_t>()));
  plain->setValue(std::vector<uint8_t>{7, 8, 9});
  Serial.printf("vector %u %u\r\n", plain->getValue()[2], plain->getValue()[3]);
  plain->setValue(String("arduino"));
  Serial.println(static_cast<String>(plain->getValue()));
  plain->setValue("12345678901234567890 more than fits");
  Serial.printf("too long %u\r\n", static_cast<unsigned>(plain->getLength()));
}

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("Bluetooth");
  NimBLEServer* server = NimBLEDevice::createServer();
  server->setCallbacks(new ServerPrinter());
  NimBLEService* service = server->createService("1234");
  plain = service->createCharacteristic("aa01", NIMBLE_PROPERTY::READ, 20);
  full = service->createCharacteristic(
      "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079",
      NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::NOTIFY);
  full->setCallbacks(new Printer());
  note = full->createDescriptor("2901", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE, 10);
  note->setValue("a note");
  note->setCallbacks(new DescriptorPrinter());
  full->create2904()->setFormat(NimBLE2904::FORMAT_UTF8);
  printValues();
  Serial.printf("start %d\r\n", server->start());
  Serial.printf("handles %04x %04x %04x %04x\r\n", service->getHandle(), plain->getHandle(),
                full->getHandle(), note->getHandle());
  Serial.println(full->toString().c_str());
  server->advertiseOnDisconnect(true);
  server->startAdvertising();
}

void loop() {
  while (Serial.available()) obey(Serial.read());
  delay(1000);
  NimBLEServer* server = NimBLEDevice::getServer();
  for (uint16_t peer : server->getPeerDevices()) {
    NimBLEConnInfo info = server->getPeerInfoByHandle(peer);
    Serial.printf("peer %u mtu %u\r\n", info.getConnHandle(), server->getPeerMTU(peer));
  }
}
