// The lock's sketch on a test board, which simulates its BLE host and its flash.
#ifndef SERVO_LOCK_BOARD_H
#define SERVO_LOCK_BOARD_H

#include <algorithm>
#include <cstring>
#include <map>

#include "Board.h"
#include "Testing.h"

namespace servolock {

using Lines = std::vector<std::string>;

constexpr uint16_t kCommand = 16, kState = 18, kBolt = 21, kStatus = 24;
constexpr uint8_t kTrusted = CFC_LINK_ENCRYPTED | CFC_LINK_AUTHENTICATED | CFC_LINK_BONDED;

/// The persistent part of the board: its flash, and the BLE host's bonds in it.
struct Flash {
  std::map<std::string, Bytes> values;
  std::vector<cfc_address> bonds;
  /// The peers whose supported features are stored.
  std::vector<cfc_address> features;

  static void remove(std::vector<cfc_address>& list, const cfc_address& peer) {
    list.erase(std::remove_if(list.begin(), list.end(),
                              [&](const cfc_address& other) {
                                return memcmp(&other, &peer, sizeof peer) == 0;
                              }),
               list.end());
  }
};

inline cfc_address address(uint8_t number) { return {1, {number, 0, 0, 0, 0, 0xc0}, 0}; }

/// The lock, after setup().
struct Lock : Board {
  Flash& flash;

  explicit Lock(Flash& flash) : Board("ServoLock"), flash(flash) {
    answer = [this](const Message& call, Bytes& more) { return answerCall(call, more); };
    run(kSecond / 10);
  }

  int32_t answerCall(const Message& call, Bytes& more) {
    switch (call.type) {
      case CFC_GATT_REGISTER: {
        // Command, then state and bolt, each followed by its descriptor, and status.
        const uint16_t handles[] = {14, kCommand, kState, kBolt, kStatus};
        more.assign(reinterpret_cast<const uint8_t*>(handles),
                    reinterpret_cast<const uint8_t*>(handles) + sizeof handles);
        return 0;
      }
      case CFC_NVS_OPEN:
        more = {1, 0, 0, 0};
        return 0;
      case CFC_NVS_SET:
        flash.values[call.as<cfc_nvs_item>().key] = call.after<cfc_nvs_item>();
        return 0;
      case CFC_NVS_GET: {
        const auto found = flash.values.find(call.as<cfc_nvs_item>().key);
        const bool isBlob = call.as<cfc_nvs_item>().type == CFC_NVS_BLOB;
        if (found == flash.values.end() || isBlob != (found->first == "bonds")) return 0x1102;
        more = {static_cast<uint8_t>(found->second.size()), 0, 0, 0};
        more.insert(more.end(), found->second.begin(), found->second.end());
        return 0;
      }
      case CFC_NVS_ERASE:
        return flash.values.erase(call.as<cfc_nvs_item>().key) ? 0 : 0x1102;
      case CFC_BONDS: {
        cfc_bonds bonds = {};
        bonds.count = static_cast<uint32_t>(flash.bonds.size());
        for (size_t i = 0; i < flash.bonds.size(); i++) bonds.peers[i] = flash.bonds[i];
        more.assign(reinterpret_cast<uint8_t*>(&bonds),
                    reinterpret_cast<uint8_t*>(&bonds) + sizeof bonds);
        return 0;
      }
      case CFC_DELETE_BOND: {
        const cfc_address peer = call.as<cfc_address>();
        if (isAdvertising()) return 15;  // BLE_HS_EBUSY: as the host with an identity key.
        const size_t before = flash.bonds.size();
        Flash::remove(flash.bonds, peer);
        if (flash.bonds.size() == before) return 5;
        Flash::remove(flash.features, peer);
        return 0;
      }
      case CFC_RECORD: {
        const auto query = call.as<cfc_record_query>();
        if (query.type != CFC_RECORD_FEATURES || query.index >= flash.features.size()) return 5;
        const cfc_record record = {flash.features[query.index], 0, 1, 0};
        more.assign(reinterpret_cast<const uint8_t*>(&record),
                    reinterpret_cast<const uint8_t*>(&record) + sizeof record);
        return 0;
      }
      case CFC_DELETE_RECORDS:
        Flash::remove(flash.features, call.as<cfc_address>());
        return 0;
      default:
        return defaultAnswer(call, more);
    }
  }

  bool isAdvertising() const {
    bool is = false;
    for (const Message& message : messages) {
      if (message.type == CFC_ADVERTISING_START) is = true;
      if (message.type == CFC_ADVERTISING_STOP) is = false;
    }
    return is && !isConnected;
  }

  void event(uint16_t type, uint16_t handle, uint8_t peer, uint8_t security = 0,
             uint32_t detail = 0) {
    cfc_connection_event event = {1, type == CFC_BLE_DISCONNECTED ? 0x213 : 0, {}, detail};
    event.connection.handle = handle;
    event.connection.mtu = 23;
    event.connection.security = security;
    event.connection.key_size = security != 0 ? 16 : 0;
    event.connection.peer_over_the_air = event.connection.peer_identity = address(peer);
    if (type == CFC_BLE_CONNECTED) isConnected = true;
    send(type, event);
    run(kSecond / 50);
    isConnected = false;
  }
  void connect(uint16_t handle, uint8_t peer) { event(CFC_BLE_CONNECTED, handle, peer); }
  /// A connection before onConnect().
  void connectEarly(uint16_t handle, uint8_t peer) {
    isConnected = true;
    event(CFC_BLE_LINK_STATE, handle, peer);
  }
  void disconnect(uint16_t handle, uint8_t peer) { event(CFC_BLE_DISCONNECTED, handle, peer); }
  /// The lock's answer to a passkey request.
  uint32_t askPasskey(uint16_t handle, uint8_t peer) {
    event(CFC_BLE_PASSKEY_ACTION, handle, peer, 0, CFC_PASSKEY_DISPLAY);
    return received(CFC_PASSKEY_ANSWER).back().as<cfc_passkey_answer>().value;
  }
  void encrypted(uint16_t handle, uint8_t peer, uint8_t security, bool isNew) {
    const bool isBonded = isNew && (security & CFC_LINK_BONDED) != 0;
    if (isBonded) flash.bonds.push_back(address(peer));
    event(CFC_BLE_ENCRYPTION, handle, peer, security);
    if (isBonded) flash.features.push_back(address(peer));
  }
  void pair(uint16_t handle, uint8_t peer) {
    connect(handle, peer);
    askPasskey(handle, peer);
    encrypted(handle, peer, kTrusted, true);
  }
  void subscribe(uint16_t handle, uint16_t attribute) {
    send(CFC_GATT_SUBSCRIBE, cfc_gatt_event{0, handle, attribute, 1, 0});
    run(kSecond / 50);
  }
  void write(uint16_t handle, const std::string& text) {
    send(CFC_GATT_WRITE, cfc_gatt_event{0, handle, kCommand, 0, 0},
         Bytes(text.begin(), text.end()));
    run(kSecond / 50);
  }
  /// The value that a client reads.
  std::string read(uint16_t handle, uint16_t attribute) {
    send(CFC_GATT_READ, cfc_gatt_event{0, handle, attribute, 0, 0});
    run(kSecond / 50);
    const Bytes value = received(CFC_GATT_VALUE).back().after<cfc_gatt_value>();
    return std::string(value.begin(), value.end());
  }
  /// The notifications, as "connection attribute value".
  Lines notified() const {
    Lines all;
    for (const Message& message : received(CFC_GATT_NOTIFY)) {
      const auto notify = message.as<cfc_gatt_notify>();
      const Bytes value = message.after<cfc_gatt_notify>();
      all.push_back(std::to_string(notify.connection) + " " + std::to_string(notify.attribute) +
                    " " + std::string(value.begin(), value.end()));
    }
    return all;
  }
  std::vector<uint16_t> disconnections() const {
    std::vector<uint16_t> all;
    for (const Message& message : received(CFC_DISCONNECT)) {
      all.push_back(message.as<cfc_disconnect>().connection);
    }
    return all;
  }
  void press(uint64_t duration) {
    send(CFC_PIN_INPUT, cfc_pin{0, CFC_PIN_LOW});
    run(duration);
    send(CFC_PIN_INPUT, cfc_pin{0, CFC_PIN_FLOATING});
    run(kSecond / 10);
  }
  Lines newLines() {
    Lines all = lines();
    Lines some(all.begin() + std::min(seen, all.size()), all.end());
    seen = all.size();
    return some;
  }

  bool isConnected = false;
  size_t seen = 0;
};

inline Bytes settings(const Lock& lock) { return lock.received(CFC_SECURITY).back().payload; }

const Bytes kPairable = {0, 1, 1, 1, 3, 3, 1, 6, 18, 6, 3, 0, 12, 0, 0, 1};
const Bytes kClosed = {3, 0, 1, 1, 3, 3, 1, 6, 18, 6, 3, 0, 12, 0, 0, 1};

}  // namespace servolock

#endif
