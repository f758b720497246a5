// The random numbers of the C and C++ libraries, from the chip's generator: the machine's generator
// returns different numbers in each run.
#include <random>

#include "esp_random.h"

extern "C" {

int getentropy(void* buffer, size_t length) {
  esp_fill_random(buffer, length);
  return 0;
}

uint32_t arc4random() noexcept { return esp_random(); }

}  // extern "C"

#ifdef __GLIBCXX__
// GCC's library would use the processor's generator. All of the class's functions, so that none is
// taken from an archive, together with second definitions of the others.
void std::random_device::_M_init(const std::string&) {}
void std::random_device::_M_init(const char*, std::size_t) {}
void std::random_device::_M_fini() {}
std::random_device::result_type std::random_device::_M_getval() { return esp_random(); }
double std::random_device::_M_getentropy() const noexcept { return 32; }
#endif
