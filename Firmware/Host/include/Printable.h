#pragma once

#include <cstddef>

class Print;

/// A thing that prints itself.
class Printable {
 public:
  virtual ~Printable() = default;
  virtual size_t printTo(Print& p) const = 0;
};
