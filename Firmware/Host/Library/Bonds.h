// Operations of the bench on the bonds of the library's host.
#ifndef ESPBENCH_LIBRARY_BONDS_H
#define ESPBENCH_LIBRARY_BONDS_H

#include <cstddef>
#include <cstdint>

namespace espbench {

/// CFC_FORGET_BONDS with this payload: deletes the records of one peer or of all from the host's
/// memory and storage, and tells the board. The host's links go on, and the sketch is not told.
void forgetBonds(const uint8_t* payload, size_t length);

}  // namespace espbench

#endif
