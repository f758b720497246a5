#include <algorithm>

#include "../Runtime/Runtime.h"
#include "ChannelAddress.h"
#include "HostTask.h"
#include "NimBLEDevice.h"

std::vector<NimBLEAddress> NimBLEDevice::m_whiteList;

namespace {

/// ble_gap_wl_set: sets the controller's list.
bool setAcceptList(const std::vector<NimBLEAddress>& addresses) {
  espbench::lockHost();
  std::vector<cfc_address> list;
  for (const NimBLEAddress& address : addresses) list.push_back(espbench::makeAddress(address));
  return espbench::call(CFC_ACCEPT_LIST, nullptr, 0, list.data(),
                        list.size() * sizeof(cfc_address)) == 0;
}

}  // namespace

bool NimBLEDevice::onWhiteList(const NimBLEAddress& address) {
  return std::find(m_whiteList.begin(), m_whiteList.end(), address) != m_whiteList.end();
}

bool NimBLEDevice::whiteListAdd(const NimBLEAddress& address) {
  if (onWhiteList(address)) return true;
  m_whiteList.push_back(address);
  if (espbench::isHostEnabled && setAcceptList(m_whiteList)) return true;
  m_whiteList.pop_back();
  return false;
}

bool NimBLEDevice::whiteListRemove(const NimBLEAddress& address) {
  auto found = std::find(m_whiteList.begin(), m_whiteList.end(), address);
  if (found == m_whiteList.end()) return true;
  m_whiteList.erase(found);
  if (espbench::isHostEnabled && setAcceptList(m_whiteList)) return true;
  // As in NimBLE-Arduino 2.5.1, the address is put back at the end.
  m_whiteList.push_back(address);
  return false;
}

NimBLEAddress NimBLEDevice::getWhiteListAddress(size_t index) {
  return index < m_whiteList.size() ? m_whiteList[index] : NimBLEAddress{};
}
