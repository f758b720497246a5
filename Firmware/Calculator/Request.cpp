#include "Request.h"

static const size_t kRequestLength = 3;

Request::Parsed Request::parse(const uint8_t* bytes, size_t length) {
  if (length != kRequestLength) return Parsed::malformed;
  a = bytes[0];
  b = bytes[1];
  operation = bytes[2];
  return operation <= multiply ? Parsed::ok : Parsed::unknownOperation;
}

const char* Request::verb() const {
  switch (operation) {
    case add:
      return "Adding";
    case subtract:
      return "Subtracting";
    default:
      return "Multiplying";
  }
}

uint8_t Request::result() const {
  switch (operation) {
    case add:
      return static_cast<uint8_t>(a + b);
    case subtract:
      return static_cast<uint8_t>(a - b);
    default:
      return static_cast<uint8_t>(a * b);
  }
}
