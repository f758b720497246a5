// Operations of the bench on the bonds of the library's host.
#ifndef ESPBENCH_LIBRARY_BONDS_H
#define ESPBENCH_LIBRARY_BONDS_H

#include <cstddef>
#include <cstdint>

namespace espbench {

/// CFC_FORGET_BONDS with this payload: deletes the records of one or all peers from the host's
/// memory and storage, and informs the board. The host's links remain, and the sketch is not
/// notified.
void forgetBonds(const uint8_t* payload, size_t length);

}  // namespace espbench

#endif
