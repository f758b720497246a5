// The virtual time of the sketch's own code. The compiler calls this at each basic block of the
// sketch and its libraries (-fsanitize-coverage=trace-pc), which makes the time of a computation,
// and the places where other tasks may run, the same in every run.
//
// Up to kBlocks blocks without waiting are free: sketches rarely need more between two calls.
// Beyond that, each kBlocks blocks cost kBlocksNanoseconds: 25 ns a block, which is 6 instructions
// at 240 MHz.
#include <cstdint>

#include "Runtime.h"

namespace espbench {
namespace {

constexpr int32_t kBlocks = 4000;
constexpr uint64_t kBlocksNanoseconds = 100000;

int32_t blocksLeft = kBlocks;

}  // namespace

void refillComputing() { blocksLeft = kBlocks; }

}  // namespace espbench

extern "C" void __sanitizer_cov_trace_pc() {
  if (--espbench::blocksLeft > 0) return;
  espbench::blocksLeft = espbench::kBlocks;
  espbench::spend(espbench::kBlocksNanoseconds);
}
