// The services and their characteristics: the HM-10's, with status and position, and the Nordic
// UART Service.
#pragma once

#include <NimBLEDevice.h>

#include "Client.h"
#include "Guard.h"

class Services : public NimBLECharacteristicCallbacks {
 public:
  Services(Bridge& bridge, Client& client) : _bridge(bridge), _client(client) {}

  void begin(NimBLEServer* server) {
    constexpr uint32_t read = NIMBLE_PROPERTY::READ, notify = NIMBLE_PROPERTY::NOTIFY,
                       write = NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_NR;
    NimBLEService* service = server->createService("FFE0");
    _sources[Client::hm10] = add(service, "FFE1", read | write | notify, kLongestValue);
    _sources[Client::status] = add(service, "FFE2", read | notify, Bridge::kStatusSize);
    _position = add(service, "FFE3", read | write, Bridge::kPositionSize);
    NimBLEService* nordic = server->createService("6E400001-B5A3-F393-E0A9-E50E24DCCA9E");
    add(nordic, "6E400002-B5A3-F393-E0A9-E50E24DCCA9E", write, kLongestValue);
    _sources[Client::nordic] =
        add(nordic, "6E400003-B5A3-F393-E0A9-E50E24DCCA9E", notify, kLongestValue);
  }

  NimBLECharacteristic* source(Client::Source source) const { return _sources[source]; }

  /// True if a callback is the client's; first in each of them, with the guard. Another connection
  /// is possible only if it began while advertising was being started: it is ended.
  bool isClient(const NimBLEConnInfo& connection) {
    if (_client.meet(connection.getConnHandle())) return true;
    NimBLEDevice::getServer()->disconnect(connection.getConnHandle());
    return false;
  }

 private:
  NimBLECharacteristic* add(NimBLEService* service, const char* uuid, uint32_t properties,
                            size_t longest) {
    NimBLECharacteristic* added = service->createCharacteristic(uuid, properties, longest);
    added->setCallbacks(this);
    return added;
  }

  void onSubscribe(NimBLECharacteristic* source, NimBLEConnInfo& connection,
                   uint16_t kind) override {
    Guard guard;
    if (!isClient(connection)) return;
    for (Client::Source each : {Client::hm10, Client::nordic, Client::status}) {
      if (_sources[each] == source) _client.setSubscribed(each, kind != 0);
    }
  }

  void onRead(NimBLECharacteristic* value, NimBLEConnInfo& connection) override {
    Guard guard;
    if (!isClient(connection)) return;
    if (value == _position) {
      uint8_t bytes[Bridge::kPositionSize];
      _bridge.position(bytes);
      value->setValue(bytes, sizeof bytes);
    } else if (value == _sources[Client::status]) {
      uint8_t bytes[Bridge::kStatusSize];
      _bridge.status(bytes);
      value->setValue(bytes, sizeof bytes);
    }
  }

  void onWrite(NimBLECharacteristic* input, NimBLEConnInfo& connection) override {
    const NimBLEAttValue value = input->getValue();
    {
      Guard guard;
      if (!isClient(connection)) return;
      if (input == _position) return _bridge.acknowledge(value.data(), value.size());
    }
    // The response to a write waits for it, and with it the client. So does NimBLE's task: all
    // writes of a connection are handled before its end, and before the next connection begins.
    const uint32_t began = millis();
    while (!receive(value, millis() - began)) delay(1);
  }

  bool receive(const NimBLEAttValue& value, uint32_t waited) {
    Guard guard;
    return _bridge.receiveFromClient(value.data(), value.size(), waited);
  }

  Bridge& _bridge;
  Client& _client;
  NimBLECharacteristic* _sources[3] = {};
  NimBLECharacteristic* _position = nullptr;
};
