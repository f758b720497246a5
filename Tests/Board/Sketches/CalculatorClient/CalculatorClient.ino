// A client of the calculator: what is typed, "9 6 2", is written as [a, b, operation], and the
// result printed. It looks for the calculator again whenever the link ends. Needs the
// NimBLE-Arduino library: the central role.

#include <NimBLEDevice.h>

static const NimBLEUUID kService("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079");
static const NimBLEUUID kInput("C1AB2C55-7914-4140-B85B-879C5E252FE5");
static const NimBLEUUID kOutput("643954A4-A6CC-455C-825C-499190CE7DB0");

static NimBLEClient* client;
static NimBLEAddress server;
static volatile bool isFound;

static void scan() {
  isFound = false;
  NimBLEDevice::getScan()->start(0);
}

class ScanCallbacks : public NimBLEScanCallbacks {
  void onResult(const NimBLEAdvertisedDevice* device) override {
    if (isFound || !device->isAdvertisingService(kService)) return;
    server = device->getAddress();
    isFound = true;
    NimBLEDevice::getScan()->stop();
  }
};

class ClientCallbacks : public NimBLEClientCallbacks {
  void onDisconnect(NimBLEClient*, int) override {
    Serial.println("Disconnected");
    scan();
  }
};

static ScanCallbacks scanCallbacks;
static ClientCallbacks clientCallbacks;

static NimBLERemoteCharacteristic* characteristic(const NimBLEUUID& uuid) {
  NimBLERemoteService* service = client->getService(kService);
  return service ? service->getCharacteristic(uuid) : nullptr;
}

static void showResult(NimBLERemoteCharacteristic*, uint8_t* data, size_t length, bool) {
  if (length == 1) Serial.printf("Result: %u\r\n", data[0]);
}

static void connect() {
  isFound = false;
  if (!client->connect(server)) {
    scan();
    return;
  }
  NimBLERemoteCharacteristic* output = characteristic(kOutput);
  if (!output || !output->subscribe(true, showResult)) {
    client->disconnect();
    return;
  }
  Serial.println("Connected");
}

static void send(const String& line) {
  unsigned a, b, operation;
  NimBLERemoteCharacteristic* input = client->isConnected() ? characteristic(kInput) : nullptr;
  if (sscanf(line.c_str(), "%u %u %u", &a, &b, &operation) != 3 || !input) {
    Serial.println("Not sent");
    return;
  }
  const uint8_t request[] = {static_cast<uint8_t>(a), static_cast<uint8_t>(b),
                             static_cast<uint8_t>(operation)};
  input->writeValue(request, sizeof request, true);
}

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("");
  client = NimBLEDevice::createClient();
  client->setClientCallbacks(&clientCallbacks, false);
  NimBLEDevice::getScan()->setScanCallbacks(&scanCallbacks);
  scan();
}

void loop() {
  if (isFound) connect();
  if (Serial.available()) {
    String line = Serial.readStringUntil('\n');
    line.trim();
    send(line);
  }
  delay(10);
}
