// The lock's GATT service.
//
// command  written: "0" or "1", as the original
// state    notified: "0" or "1", when the bolt has come to rest, as the original's app expects
// bolt     notified: "locked", "unlocked" and, in between, "moving"; not in the original
// status   read: the same three
//
// Notified characteristics have no READ_ENC or READ_AUTHEN, and so cannot be readable: at a
// disconnection NimBLE-Arduino reports each subscription as ended, and with one of those flags
// first requests security on the ended link. Each time that loses one of the host's 12 ACL credits
// and blocks its only Security Manager procedure for 30 s: after twelve strangers have subscribed
// and disconnected, it no longer answers any client.
//
// NimBLE accepts subscriptions of all clients and would notify all, so values are sent only to
// authenticated sessions.
#pragma once

#include <Arduino.h>
#include <NimBLEDevice.h>

#include "Board.h"
#include "Bolt.h"
#include "Gatekeeper.h"
#include "Guard.h"

class LockService : private NimBLECharacteristicCallbacks {
 public:
  static constexpr const char* uuid = "3c3996e0-4d2c-11ed-bdc3-0242ac120002";

  LockService(Gatekeeper& gatekeeper, Bolt& bolt, NimBLERadio& radio)
      : _gatekeeper(gatekeeper), _bolt(bolt), _radio(radio) {}

  void begin(NimBLEServer* server) {
    const uint32_t write =
        NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_ENC | NIMBLE_PROPERTY::WRITE_AUTHEN;
    const uint32_t read =
        NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::READ_ENC | NIMBLE_PROPERTY::READ_AUTHEN;
    NimBLEService* service = server->createService(uuid);
    service->createCharacteristic("3c399a64-4d2c-11ed-bdc3-0242ac120002", write, longestValue)
        ->setCallbacks(this);
    _state = service->createCharacteristic("3c399c44-4d2c-11ed-bdc3-0242ac120002",
                                           NIMBLE_PROPERTY::NOTIFY);
    _state->setCallbacks(this);
    _boltText = service->createCharacteristic("3c399e2e-4d2c-11ed-bdc3-0242ac120002",
                                              NIMBLE_PROPERTY::NOTIFY);
    _boltText->setCallbacks(this);
    service->createCharacteristic("3c39a068-4d2c-11ed-bdc3-0242ac120002", read)->setCallbacks(this);
  }

  /// Notifies the clients of a change.
  void notify() {
    for (const Session& session : _gatekeeper.sessions()) {
      if (!session.isConnected || !session.isTrusted) continue;
      if (session.wantsState && _bolt.state() != BoltState::moving) {
        notify(_state, session, std::string(1, _bolt.payload()));
      }
      if (session.wantsBolt) notify(_boltText, session, _bolt.stateText());
    }
  }

 private:
  /// The server refuses longer values with Invalid Attribute Value Length.
  static constexpr uint16_t longestValue = 20;

  void onWrite(NimBLECharacteristic* command, NimBLEConnInfo& client) override {
    Guard guard;
    if (!_gatekeeper.isTrusted(client.getConnHandle(), _radio.security(client))) {
      Serial.println("Ignoring write without authentication - disconnecting client");
      _radio.disconnect(client.getConnHandle());
      return;
    }
    NimBLEAttValue value = command->getValue();
    const LockCommand parsed = parseLockCommand(value.data(), value.size());
    char text[4 * longestValue + 1];
    writeValue(value.data(), value.size(), text, sizeof text);
    Serial.printf("%s%s\r\n", parsed == LockCommand::none ? "Ignoring value: " : "", text);
    _bolt.command(parsed);
  }

  void onRead(NimBLECharacteristic* status, NimBLEConnInfo& client) override {
    Guard guard;
    const bool isTrusted = _gatekeeper.isTrusted(client.getConnHandle(), _radio.security(client));
    status->setValue(std::string(isTrusted ? _bolt.stateText() : ""));
  }

  /// Stored for all clients, since a client may subscribe before it pairs.
  void onSubscribe(NimBLECharacteristic* report, NimBLEConnInfo& client, uint16_t value) override {
    Guard guard;
    Session* session = _gatekeeper.session(client.getConnHandle(), millis());
    if (session == nullptr) return;
    (report == _state ? session->wantsState : session->wantsBolt) = value != 0;
  }

  static void notify(const NimBLECharacteristic* report, const Session& session,
                     const std::string& value) {
    report->notify(reinterpret_cast<const uint8_t*>(value.data()), value.size(),
                   session.connection);
  }

  Gatekeeper& _gatekeeper;
  Bolt& _bolt;
  NimBLERadio& _radio;
  NimBLECharacteristic* _state = nullptr;
  NimBLECharacteristic* _boltText = nullptr;
};
