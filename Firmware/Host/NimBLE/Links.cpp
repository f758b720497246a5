#include "Links.h"

#include <algorithm>
#include <cstring>

#include "../Runtime/Runtime.h"
#include "ChannelAddress.h"
#include "HostTask.h"
#include "NimBLEDevice.h"

std::vector<espbench::Link> espbench::links;

espbench::Link* espbench::findLink(uint16_t handle) {
  auto found = std::find_if(links.begin(), links.end(), [handle](const Link& link) {
    return link.connection.handle == handle;
  });
  return found != links.end() ? &*found : nullptr;
}

bool espbench::updateLink(const cfc_connection& connection) {
  if (Link* link = findLink(connection.handle)) {
    link->connection = connection;
    return false;
  }
  links.insert(links.begin(), {connection, false});
  return true;
}

void espbench::removeLink(uint16_t handle) {
  links.erase(
      std::remove_if(links.begin(), links.end(),
                     [handle](const Link& link) { return link.connection.handle == handle; }),
      links.end());
}

ble_gap_conn_desc espbench::makeDescriptor(const cfc_connection& connection) {
  ble_gap_conn_desc desc = {};
  desc.sec_state.encrypted = (connection.security & CFC_LINK_ENCRYPTED) != 0;
  desc.sec_state.authenticated = (connection.security & CFC_LINK_AUTHENTICATED) != 0;
  desc.sec_state.bonded = (connection.security & CFC_LINK_BONDED) != 0;
  desc.sec_state.key_size = connection.key_size & 0x1f;
  desc.our_id_addr = desc.our_ota_addr = *NimBLEDevice::getAddress().getBase();
  desc.peer_id_addr = *makeAddress(connection.peer_identity).getBase();
  desc.peer_ota_addr = *makeAddress(connection.peer_over_the_air).getBase();
  desc.conn_handle = connection.handle;
  desc.conn_itvl = connection.interval;
  desc.conn_latency = connection.latency;
  desc.supervision_timeout = connection.timeout;
  desc.role = BLE_GAP_ROLE_SLAVE;
  return desc;
}

// NimBLE's C interface

int ble_gap_conn_find(uint16_t handle, ble_gap_conn_desc* out_desc) {
  espbench::lockHost();
  const espbench::Link* link = espbench::findLink(handle);
  if (link == nullptr) return BLE_HS_ENOTCONN;
  if (out_desc != nullptr) *out_desc = espbench::makeDescriptor(link->connection);
  return 0;
}

int ble_gap_conn_find_by_addr(const ble_addr_t* addr, ble_gap_conn_desc* out_desc) {
  if (!espbench::isHostEnabled) return BLE_HS_EDISABLED;
  espbench::lockHost();
  if (addr == nullptr) return BLE_HS_ENOTCONN;
  NimBLEAddress wanted(*addr);
  for (const espbench::Link& link : espbench::links) {
    if (espbench::makeAddress(link.connection.peer_over_the_air) != wanted &&
        espbench::makeAddress(link.connection.peer_identity) != wanted) {
      continue;
    }
    if (out_desc != nullptr) *out_desc = espbench::makeDescriptor(link.connection);
    return 0;
  }
  return BLE_HS_ENOTCONN;
}

void ble_gap_conn_foreach_handle(ble_gap_conn_foreach_handle_fn* cb, void* arg) {
  espbench::lockHost();
  // A copy, since `cb` may call functions that process events.
  std::vector<espbench::Link> links = espbench::links;
  for (const espbench::Link& link : links) {
    if (cb(link.connection.handle, arg) != 0) return;
  }
}

int ble_gap_terminate(uint16_t conn_handle, uint8_t hci_reason) {
  if (!espbench::isHostEnabled) return BLE_HS_EDISABLED;
  espbench::lockHost();
  espbench::Link* link = espbench::findLink(conn_handle);
  if (link == nullptr) return BLE_HS_ENOTCONN;
  if (link->isTerminating) return BLE_HS_EALREADY;
  link->isTerminating = true;
  cfc_disconnect message = {conn_handle, hci_reason, 0};
  espbench::send(CFC_DISCONNECT, &message, sizeof message);
  return 0;
}
