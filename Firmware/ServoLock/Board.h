// The lock's ports on the chip: NVS, the console and NimBLE.
#pragma once

#include <NimBLEDevice.h>
#include <Preferences.h>

#include "Ports.h"

class NvsStore : public Store {
 public:
  void begin() { _preferences.begin("lock"); }
  uint32_t number(const char* key, uint32_t fallback) override {
    return _preferences.getUInt(key, fallback);
  }
  void setNumber(const char* key, uint32_t value) override { _preferences.putUInt(key, value); }
  size_t bytes(const char* key, void* bytes, size_t capacity) override {
    return _preferences.isKey(key) ? _preferences.getBytes(key, bytes, capacity) : 0;
  }
  void setBytes(const char* key, const void* bytes, size_t length) override {
    // NVS keeps no empty value.
    if (length == 0) {
      _preferences.remove(key);
    } else {
      _preferences.putBytes(key, bytes, length);
    }
  }

 private:
  Preferences _preferences;
};

class SerialConsole : public Console {
 public:
  void line(const char* text) override { Serial.println(text); }
};

class NimBLERadio : public Radio {
 public:
  /// Outside pairing time a pairing still runs, there is no callback to refuse it, but as one
  /// without a display and without bonding: just works, whatever the other side knows of the
  /// passkey. Its key is neither authenticated nor stored, and no bit of the passkey is used.
  void setPairable(bool isPairable) override {
    NimBLEDevice::setSecurityIOCap(isPairable ? BLE_HS_IO_DISPLAY_ONLY : BLE_HS_IO_NO_INPUT_OUTPUT);
    NimBLEDevice::setSecurityAuth(isPairable, true, true);
  }
  void disconnect(uint16_t connection) override {
    NimBLEDevice::getServer()->disconnect(connection);
  }
  int bondCount() override { return NimBLEDevice::getNumBonds(); }
  Peer bondedPeer(int index) override { return peer(NimBLEDevice::getBondedAddress(index)); }
  /// While it advertises the host refuses to remove a bond with an identity key. The loop starts
  /// advertising again.
  void removeBond(const Peer& peer) override {
    ble_addr_t address;
    address.type = peer.type;
    memcpy(address.val, peer.address, sizeof address.val);
    NimBLEDevice::stopAdvertising();
    NimBLEDevice::deleteBond(NimBLEAddress(address));
  }

  static Peer peer(const NimBLEAddress& address) {
    Peer peer;
    peer.type = address.getType();
    memcpy(peer.address, address.getVal(), sizeof peer.address);
    return peer;
  }
  static LinkSecurity security(const NimBLEConnInfo& client) {
    return {client.isEncrypted(), client.isAuthenticated(), client.isBonded(),
            client.getSecKeySize()};
  }
};
