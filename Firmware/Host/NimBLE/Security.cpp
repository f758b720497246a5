// Pairing and bonds.
#include <algorithm>

#include "../Runtime/Runtime.h"
#include "../Settings/BuildSettings.h"
#include "ChannelAddress.h"
#include "HostTask.h"
#include "NimBLEDevice.h"
#include "Passkey.h"

uint32_t NimBLEDevice::m_passkey = espbench::kDefaultPasskey;

namespace {

constexpr uint8_t kBothKeys = BLE_SM_PAIR_KEY_DIST_ENC | BLE_SM_PAIR_KEY_DIST_ID;
constexpr cfc_security kDefaults = {
    BLE_HS_IO_NO_INPUT_OUTPUT, 0, 0, 0, kBothKeys, kBothKeys, 0, 3, 8, 3, 1, 0, 12, 256};

cfc_security security = kDefaults;

void tellBoard() { espbench::send(CFC_SECURITY, &security, sizeof security); }

cfc_bonds readBonds() {
  espbench::lockHost();
  cfc_bonds bonds = {};
  if (!NimBLEDevice::isInitialized()) return bonds;
  if (espbench::call(CFC_BONDS, nullptr, 0, nullptr, 0, &bonds, sizeof bonds) != 0) return {};
  bonds.count = std::min<uint32_t>(bonds.count, CFC_MAXIMUM_BONDS);
  return bonds;
}

}  // namespace

int32_t espbench::answerPasskey(uint16_t connection, uint16_t action, uint32_t value) {
  lockHost();
  cfc_passkey_answer answer = {connection, action, value};
  return call(CFC_PASSKEY_ANSWER, &answer, sizeof answer);
}

// Settings

void NimBLEDevice::resetSecurity() {
  security = kDefaults;
  security.secure_connections_only = espbench::buildSettings.secureConnectionsOnly;
  security.block_count = espbench::buildSettings.blockCount;
  security.block_size = espbench::buildSettings.blockSize;
  security.maximum_bonds = espbench::buildSettings.maximumBonds;
  security.maximum_subscriptions = espbench::buildSettings.maximumSubscriptions;
  security.maximum_features = espbench::buildSettings.maximumFeatures;
  security.maximum_pairings = espbench::buildSettings.maximumPairings;
  tellBoard();
}

void NimBLEDevice::setSecurityAuth(bool bonding, bool mitm, bool sc) {
  security.bonding = bonding;
  security.mitm = mitm;
  security.secure_connections = sc;
  tellBoard();
}

void NimBLEDevice::setSecurityAuth(uint8_t auth) {
  setSecurityAuth((auth & BLE_SM_PAIR_AUTHREQ_BOND) != 0, (auth & BLE_SM_PAIR_AUTHREQ_MITM) != 0,
                  (auth & BLE_SM_PAIR_AUTHREQ_SC) != 0);
}

void NimBLEDevice::setSecurityIOCap(uint8_t iocap) {
  security.io_capability = iocap;
  tellBoard();
}

void NimBLEDevice::setSecurityInitKey(uint8_t initKey) {
  security.our_keys = initKey;
  tellBoard();
}

void NimBLEDevice::setSecurityRespKey(uint8_t respKey) {
  security.their_keys = respKey;
  tellBoard();
}

// Pairing

bool NimBLEDevice::startSecurity(uint16_t connHandle, int* rcPtr) {
  if (espbench::isHostEnabled) espbench::lockHost();
  cfc_number message = {connHandle};
  int32_t result = espbench::isHostEnabled
                       ? espbench::call(CFC_START_SECURITY, &message, sizeof message)
                       : BLE_HS_EDISABLED;
  if (rcPtr != nullptr) *rcPtr = result;
  return result == 0 || result == BLE_HS_EALREADY;
}

bool NimBLEDevice::injectPassKey(const NimBLEConnInfo& peerInfo, uint32_t pin) {
  return espbench::answerPasskey(peerInfo.getConnHandle(), CFC_PASSKEY_INPUT, pin) == 0;
}

bool NimBLEDevice::injectConfirmPasskey(const NimBLEConnInfo& peer, bool accept) {
  return espbench::answerPasskey(peer.getConnHandle(), CFC_PASSKEY_COMPARE, accept) == 0;
}

// Bonds

int NimBLEDevice::getNumBonds() { return static_cast<int>(readBonds().count); }

NimBLEAddress NimBLEDevice::getBondedAddress(int index) {
  cfc_bonds bonds = readBonds();
  if (index < 0 || index >= static_cast<int>(bonds.count)) return NimBLEAddress{};
  return espbench::makeAddress(bonds.peers[index]);
}

bool NimBLEDevice::isBonded(const NimBLEAddress& address) {
  cfc_bonds bonds = readBonds();
  return std::any_of(bonds.peers, bonds.peers + bonds.count, [&](const cfc_address& peer) {
    return espbench::makeAddress(peer) == address;
  });
}

bool NimBLEDevice::deleteBond(const NimBLEAddress& address) {
  if (!espbench::isHostEnabled || address.isNull()) return false;
  espbench::lockHost();
  cfc_address peer = espbench::makeAddress(address);
  return espbench::call(CFC_DELETE_BOND, &peer, sizeof peer) == 0;
}

bool NimBLEDevice::deleteAllBonds() {
  for (int i = getNumBonds() - 1; i >= 0; i--) {
    if (!deleteBond(getBondedAddress(i))) return false;
  }
  return true;
}
