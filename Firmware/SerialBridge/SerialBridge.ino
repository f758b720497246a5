// A BLE serial port as the HM-10 module is one, on UART 1. README.md has its contract with clients.

#include <NimBLEDevice.h>

#include "Links.h"
#include "Pump.h"
#include "Services.h"

static const char* kName = "HMSoft";

static Bridge bridge;
static Client client(bridge);
static Services services(bridge, client);
static Pump pump(bridge, client, services);

class ServerCallbacks : public NimBLEServerCallbacks {
  void onConnect(NimBLEServer*, NimBLEConnInfo& connection) override {
    {
      Guard guard;
      if (!services.isClient(connection)) return;
    }
    Serial.println("Client connected");
  }

  void onDisconnect(NimBLEServer*, NimBLEConnInfo& connection, int) override {
    {
      Guard guard;
      client.leave(connection.getConnHandle());
    }
    Serial.println("Client disconnected");
  }
};

/// A number that distinguishes this start of the board from others, drawn while the radio is on.
static uint32_t drawBoot() {
  uint32_t boot;
  do boot = esp_random();
  while (boot == 0);
  return boot;
}

/// Only the loop starts advertising, and after the client has left: the next connection may have
/// the same handle.
static void followConnections() {
  Guard guard;
  if (client.isConnected()) {
    if (isConnected(client.handle())) return;
    client.leave(client.handle());
  }
  NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
  if (connectionCount() == 0 && !advertising->isAdvertising()) advertising->start();
}

void setup() {
  Serial.begin(115200);
  const bool hasFlowControl = pump.begin();
  NimBLEDevice::init(kName);
  bridge.begin(drawBoot(), kBaudRate, hasFlowControl);
  NimBLEServer* server = NimBLEDevice::createServer();
  server->setCallbacks(new ServerCallbacks());
  services.begin(server);
  server->start();

  NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
  advertising->setName(kName);
  advertising->addServiceUUID("FFE0");
  advertising->enableScanResponse(true);
  advertising->start();
  Serial.println("Serial bridge is advertising");
}

void loop() {
  followConnections();
  pump.run();
  delay(1);
}
