// The links of the C host, from the board's events.
#ifndef ESPBENCH_LINKS_H
#define ESPBENCH_LINKS_H

#include <vector>

#include "firmware_channel.h"
#include "nimble/nimble/host/include/host/ble_gap.h"

namespace espbench {

struct Link {
  cfc_connection connection;
  bool isTerminating;
};

/// Links from Connection Complete to Disconnection Complete, the latest first.
extern std::vector<Link> links;

/// Finds a link; nullptr when it does not exist.
Link* findLink(uint16_t handle);
/// Updates a link's state; returns whether the link is new.
bool updateLink(const cfc_connection& connection);
void removeLink(uint16_t handle);

ble_gap_conn_desc makeDescriptor(const cfc_connection& connection);

}  // namespace espbench

#endif
