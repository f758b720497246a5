// A pocket calculator over BLE: a client writes [a, b, operation] and is notified of the result.

#include <NimBLEDevice.h>

#include "Clients.h"
#include "Guard.h"
#include "Links.h"
#include "Request.h"

static const char* kName = "Test Peripheral";
static const char* kService = "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079";
static const char* kInput = "C1AB2C55-7914-4140-B85B-879C5E252FE5";
static const char* kOutput = "643954A4-A6CC-455C-825C-499190CE7DB0";

static Clients clients;
static NimBLECharacteristic* output;

static void registerClient(const NimBLEConnInfo& client) {
  clients.add(client.getConnHandle(), client.getAddress());
}

/// A connection stops advertising: restarts it for the next client, if a connection is free. Three
/// idle clients hide the calculator until they disconnect, or until the controller ends a link
/// after a procedure response time-out (40 s).
static void advertise() {
  NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
  if (connectionCount() >= CONFIG_BT_NIMBLE_MAX_CONNECTIONS || advertising->isAdvertising()) return;
  advertising->start();
}

class ServerCallbacks : public NimBLEServerCallbacks {
  void onConnect(NimBLEServer*, NimBLEConnInfo& connection) override {
    Guard guard;
    registerClient(connection);
    Serial.println("BLE Client Connected");
    advertise();
  }

  void onDisconnect(NimBLEServer*, NimBLEConnInfo& connection, int) override {
    Guard guard;
    clients.remove(connection.getConnHandle());
    advertise();
    Serial.println("BLE Client Disconnected");
  }
};

class InputCallbacks : public NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic* input, NimBLEConnInfo& connection) override {
    Guard guard;
    registerClient(connection);
    NimBLEAttValue value = input->getValue();
    Request request;
    switch (request.parse(value.data(), value.size())) {
      case Request::Parsed::malformed:
        Serial.printf("Ignoring malformed request (%u bytes)\r\n", value.size());
        return;
      case Request::Parsed::unknownOperation:
        Serial.printf("Ignoring unknown operation %02x\r\n", request.operation);
        return;
      case Request::Parsed::ok:
        answer(request, connection.getConnHandle());
    }
  }

  void answer(const Request& request, uint16_t connection) {
    Serial.printf("%s:   %02x %02x\r\n", request.verb(), request.a, request.b);
    const uint8_t result = request.result();
    Serial.printf("Sending response:   %02x\r\n", result);
    clients.setResult(connection, result);
    if (clients.isSubscribed(connection)) output->notify(&result, sizeof result, connection);
  }
};

class OutputCallbacks : public NimBLECharacteristicCallbacks {
  // Each client reads its own last result.
  void onRead(NimBLECharacteristic* output, NimBLEConnInfo& connection) override {
    Guard guard;
    registerClient(connection);
    output->setValue(clients.result(connection.getConnHandle()));
  }

  void onSubscribe(NimBLECharacteristic*, NimBLEConnInfo& connection, uint16_t value) override {
    Guard guard;
    registerClient(connection);
    clients.setSubscribed(connection.getConnHandle(), value != 0);
  }
};

void setup() {
  Serial.begin(115200);
  Serial.println("Begin Setup BLE Service and Characteristics");

  NimBLEDevice::init(kName);
  NimBLEServer* server = NimBLEDevice::createServer();
  server->setCallbacks(new ServerCallbacks());
  NimBLEService* service = server->createService(kService);
  service->createCharacteristic(kInput, NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_NR)
      ->setCallbacks(new InputCallbacks());
  output = service->createCharacteristic(kOutput, NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::NOTIFY);
  output->setCallbacks(new OutputCallbacks());
  output->setValue(static_cast<uint8_t>(0));

  // The UUID fills the advertisement; the name is put into the scan response.
  NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
  advertising->enableScanResponse(true);
  advertising->addServiceUUID(kService);
  advertising->setName(kName);
  advertising->start();
  Serial.println("BLE Service is advertising");
}

void loop() {
  {
    Guard guard;
    // A client that disconnects before onConnect() causes no callback.
    clients.removeUnless(isConnected);
    advertise();
  }
  delay(100);
}
