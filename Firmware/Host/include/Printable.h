#pragma once

#include <cstddef>

class Print;

/// An object that can be printed.
class Printable {
 public:
  virtual ~Printable() = default;
  virtual size_t printTo(Print& p) const = 0;
};
