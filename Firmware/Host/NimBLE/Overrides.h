// Determines whether an object overrides a virtual member function: the board skips the turn for
// callbacks that are not overridden.
#ifndef ESPBENCH_OVERRIDES_H
#define ESPBENCH_OVERRIDES_H

#include <cstdint>
#include <cstring>

namespace espbench {

/// Compares the virtual tables in the layout of the Itanium C++ ABI (2.3, 2.5). For a class with
/// several bases this may report an override that does not exist, which only costs a turn.
template <typename Base, typename Method>
bool overrides(const Base* object, const Base* plain, Method method) {
  struct {
    intptr_t pointer;
    intptr_t adjustment;
  } parts;
  static_assert(sizeof parts == sizeof method, "a pointer to member function of the Itanium ABI");
  memcpy(&parts, &method, sizeof parts);
#if defined(__aarch64__) || defined(__arm__)
  intptr_t offset = parts.pointer;
#else
  intptr_t offset = parts.pointer - 1;
#endif
  auto entry = [offset](const Base* of) {
    const char* table;
    memcpy(&table, static_cast<const void*>(of), sizeof table);
    const void* function;
    memcpy(&function, table + offset, sizeof function);
    return function;
  };
  return entry(object) != entry(plain);
}

}  // namespace espbench

#endif
