// The lock's ports on the chip: NVS, the console and NimBLE.
#pragma once

#include <Arduino.h>
#include <NimBLEDevice.h>
#include <Preferences.h>

#include <vector>

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
    // NVS cannot store an empty value.
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

// Functions of the host on an original ESP32, which resolves private addresses in software.
#if defined(MYNEWT_VAL_BLE_HOST_BASED_PRIVACY) && MYNEWT_VAL_BLE_HOST_BASED_PRIVACY
#define LOCK_HOST_RESOLVES_ADDRESSES 1
extern "C" {
int ble_rpa_get_num_peer_dev_records(void);
void ble_rpa_set_num_peer_dev_records(int count);
int ble_store_persist_peer_records(void);
}
#endif

class NimBLERadio : public Radio {
 public:
  /// When pairing is closed a pairing still runs, since no callback can refuse it, but without
  /// display and bonding: Just Works, even if the peer knows the passkey. Its key is neither
  /// authenticated nor stored, and no bit of the passkey is used.
  void setPairable(bool isPairable) override {
    NimBLEDevice::setSecurityIOCap(isPairable ? BLE_HS_IO_DISPLAY_ONLY : BLE_HS_IO_NO_INPUT_OUTPUT);
    NimBLEDevice::setSecurityAuth(isPairable, true, true);
  }
  /// Handles are small: NimBLE has tables of this size, and no lock for iterating over its list of
  /// connections (ble_gap_conn_foreach_handle) in another task.
  size_t links(Link* links, size_t capacity) override {
    size_t count = 0;
    ble_gap_conn_desc desc;
    for (uint16_t handle = 0; handle <= CONFIG_BT_NIMBLE_MAX_CONNECTIONS; handle++) {
      if (count == capacity || ble_gap_conn_find(handle, &desc) != 0) continue;
      links[count].connection = handle;
      links[count].peer = peer(desc.peer_id_addr);
      links[count].security = {desc.sec_state.encrypted != 0, desc.sec_state.authenticated != 0,
                               desc.sec_state.bonded != 0,
                               static_cast<uint8_t>(desc.sec_state.key_size)};
      count++;
    }
    return count;
  }
  void disconnect(uint16_t connection) override {
    NimBLEDevice::getServer()->disconnect(connection);
  }
  int bondCount() override { return NimBLEDevice::getNumBonds(); }
  Peer bondedPeer(int index) override { return peer(NimBLEDevice::getBondedAddress(index)); }
  /// While advertising, the host refuses to remove a bond with an identity key. The loop restarts
  /// advertising.
  void removeBond(const Peer& peer) override {
    NimBLEDevice::stopAdvertising();
    NimBLEDevice::deleteBond(NimBLEAddress(address(peer)));
  }
  /// The host stores subscriptions and client supported features by address, and leaves them behind
  /// after a power loss during the removal of a bond, or when the client of a removed bond is still
  /// connected.
  void removeOrphans() override {
    std::vector<ble_addr_t> orphans;
    ble_store_iterate(BLE_STORE_OBJ_TYPE_CCCD, &collectOrphan, &orphans);
    ble_store_iterate(BLE_STORE_OBJ_TYPE_CSFC, &collectOrphan, &orphans);
    for (const ble_addr_t& orphan : orphans) ble_store_util_delete_peer(&orphan);
  }

  /// When the host removes a bond, its record of the client's private identity stays in NVS, and
  /// another client's is erased instead (ble_store_persist_peer_records compares with a wrong
  /// stride): after a reboot that owner, whose phone uses private addresses, is unknown. The host's
  /// records in memory are correct. With more records in NVS than in memory each call erases one,
  /// with fewer it writes the last one.
  void rewriteIdentities() override {
#if LOCK_HOST_RESOLVES_ADDRESSES
    NimBLEDevice::stopAdvertising();
    const int count = ble_rpa_get_num_peer_dev_records();
    ble_rpa_set_num_peer_dev_records(0);
    for (int i = 0; i <= MYNEWT_VAL_BLE_STORE_MAX_BONDS; i++) ble_store_persist_peer_records();
    for (int i = 1; i <= count; i++) {
      ble_rpa_set_num_peer_dev_records(i);
      ble_store_persist_peer_records();
    }
#endif
  }

  static Peer peer(const ble_addr_t& address) {
    Peer peer;
    peer.type = address.type;
    memcpy(peer.address, address.val, sizeof peer.address);
    return peer;
  }
  static Peer peer(const NimBLEAddress& address) { return peer(*address.getBase()); }
  static LinkSecurity security(const NimBLEConnInfo& client) {
    return {client.isEncrypted(), client.isAuthenticated(), client.isBonded(),
            client.getSecKeySize()};
  }

 private:
  static ble_addr_t address(const Peer& peer) {
    ble_addr_t address;
    address.type = peer.type;
    memcpy(address.val, peer.address, sizeof address.val);
    return address;
  }
  static int collectOrphan(int type, union ble_store_value* value, void* orphans) {
    const ble_addr_t& address =
        type == BLE_STORE_OBJ_TYPE_CCCD ? value->cccd.peer_addr : value->csfc.peer_addr;
    if (!NimBLEDevice::isBonded(NimBLEAddress(address))) {
      static_cast<std::vector<ble_addr_t>*>(orphans)->push_back(address);
    }
    return 0;
  }
};
