// The part of a stream that is kept: bytes not sent yet, and sent bytes that may have to be sent
// again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// Bytes have numbers, modulo 2^32, in the order in which they came:
/// first (the oldest kept) <= next (to be sent) <= end (to come).
template <uint32_t size>
class StreamBuffer {
  static_assert(size > 0 && (size & (size - 1)) == 0, "the size has to divide 2^32");

 public:
  explicit StreamBuffer(uint32_t first) : _first(first), _next(first), _sent(first), _end(first) {}

  uint32_t first() const { return _first; }
  size_t room() const { return size - (_end - _first); }
  size_t unsent() const { return _end - _next; }

  /// Appends the bytes that there is room for; returns how many.
  size_t append(const uint8_t* bytes, size_t length) {
    length = std::min(length, room());
    for (size_t i = 0; i < length; i++) _bytes[(_end + i) % size] = bytes[i];
    _end += length;
    return length;
  }

  /// Copies the next bytes to be sent, at most `length`; returns how many.
  size_t peek(uint8_t* bytes, size_t length) const {
    length = std::min(length, unsent());
    for (size_t i = 0; i < length; i++) bytes[i] = _bytes[(_next + i) % size];
    return length;
  }

  /// Counts the next bytes as sent; they are kept.
  void advance(size_t count) {
    _next += std::min(count, unsent());
    if (_next - _first > _sent - _first) _sent = _next;
  }

  /// Removes what was sent.
  void removeSent() { _first = _next; }

  /// Sends all kept bytes again.
  void rewind() { _next = _first; }

  /// Removes all bytes before number `received`, including those that are to be sent again; false,
  /// if `received` is before the oldest kept byte, or beyond the end of all bytes ever sent.
  bool acknowledge(uint32_t received) {
    const uint32_t count = received - _first;
    if (count > _sent - _first) return false;
    if (count > _next - _first) _next = received;
    _first = received;
    return true;
  }

 private:
  uint8_t _bytes[size];
  uint32_t _first, _next;
  uint32_t _sent;  ///< The end of what was ever sent, also before rewind().
  uint32_t _end;
};
