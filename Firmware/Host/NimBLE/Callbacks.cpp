#include "../Runtime/Runtime.h"
namespace espbench {
uint32_t runCallback(uint16_t, const uint8_t*, size_t) { return 0; }
}  // namespace espbench
