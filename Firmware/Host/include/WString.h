// arduino-esp32 3.x String.
#pragma once

#include <ctype.h>
#include <stdlib.h>

#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "pgmspace.h"

class __FlashStringHelper;
#define FPSTR(str_pointer) (reinterpret_cast<const __FlashStringHelper*>(str_pointer))
#define F(string_literal) (FPSTR(PSTR(string_literal)))

class StringSumHelper;

/// Arduino's string. Unlike std::string it never fails: an index beyond the end reads 0, a range is
/// limited to the end, and if the text does not fit in the heap, or would have more than 65,519
/// characters, the string is unchanged (reserve(), concat(), +=, replace()) or becomes invalid (=,
/// +, a constructor). Up to 13 characters use no heap.
class String {
 public:
  String(const char* cstr = "");
  String(const char* cstr, unsigned int length);
  String(const uint8_t* cstr, unsigned int length)
      : String(reinterpret_cast<const char*>(cstr), length) {}
  String(const __FlashStringHelper* str) : String(reinterpret_cast<const char*>(str)) {}
  String(const String& str) : String() { *this = str; }
  String(String&& str) { move(str); }
  ~String() { invalidate(); }
  explicit String(char c) : String(&c, 1) {}
  explicit String(unsigned char n, unsigned char base = 10);
  explicit String(int n, unsigned char base = 10);
  explicit String(unsigned int n, unsigned char base = 10);
  explicit String(long n, unsigned char base = 10);
  explicit String(unsigned long n, unsigned char base = 10);
  explicit String(long long n, unsigned char base = 10);
  explicit String(unsigned long long n, unsigned char base = 10);
  explicit String(float n, unsigned int decimalPlaces = 2);
  explicit String(double n, unsigned int decimalPlaces = 2);

  /// Returns false, and leaves the string unchanged, when the heap has no room.
  bool reserve(unsigned int size);
  unsigned int length() const { return isInside() ? _inside.length : _outside.length; }
  void clear() { setLength(0); }
  bool isEmpty() const { return length() == 0; }
  /// nullptr for an invalid String.
  const char* c_str() const { return isInside() ? _inside.text : _outside.text; }
  char* begin() { return isInside() ? _inside.text : _outside.text; }
  char* end() { return begin() + length(); }
  const char* begin() const { return c_str(); }
  const char* end() const { return c_str() + length(); }
  /// False for an invalid String: made from a null pointer, or without room in the heap.
  explicit operator bool() const { return c_str() != nullptr; }

  String& operator=(const String& rhs);
  String& operator=(String&& rhs) {
    if (this != &rhs) move(rhs);
    return *this;
  }
  String& operator=(const char* cstr);
  String& operator=(const __FlashStringHelper* str) {
    return *this = reinterpret_cast<const char*>(str);
  }

  // Return false when the heap has no room, or for a null pointer or an invalid String.

  bool concat(const String& str) { return concat(str.c_str(), str.length()); }
  bool concat(const char* cstr);
  bool concat(const char* cstr, unsigned int length);
  bool concat(const uint8_t* bytes, unsigned int length) {
    return concat(reinterpret_cast<const char*>(bytes), length);
  }
  bool concat(const __FlashStringHelper* str) { return concat(reinterpret_cast<const char*>(str)); }
  bool concat(char c) { return concat(&c, 1); }
  bool concat(unsigned char n) { return concat(static_cast<unsigned int>(n)); }
  bool concat(int n);
  bool concat(unsigned int n);
  bool concat(long n);
  bool concat(unsigned long n);
  bool concat(long long n);
  bool concat(unsigned long long n);
  bool concat(float n) { return concat(static_cast<double>(n)); }
  bool concat(double n);
  template <typename T>
  String& operator+=(const T& rhs) {
    concat(rhs);
    return *this;
  }

  int compareTo(const String& s) const;
  bool equals(const String& s) const { return length() == s.length() && compareTo(s) == 0; }
  bool equals(const char* cstr) const;
  bool operator==(const String& rhs) const { return equals(rhs); }
  bool operator==(const char* cstr) const { return equals(cstr); }
  bool operator!=(const String& rhs) const { return !equals(rhs); }
  bool operator!=(const char* cstr) const { return !equals(cstr); }
  bool operator<(const String& rhs) const { return compareTo(rhs) < 0; }
  bool operator>(const String& rhs) const { return compareTo(rhs) > 0; }
  bool operator<=(const String& rhs) const { return compareTo(rhs) <= 0; }
  bool operator>=(const String& rhs) const { return compareTo(rhs) >= 0; }
  bool equalsIgnoreCase(const String& s) const;
  bool startsWith(const String& prefix) const { return startsWith(prefix, 0); }
  bool startsWith(const String& prefix, unsigned int offset) const;
  bool endsWith(const String& suffix) const;

  char charAt(unsigned int index) const { return (*this)[index]; }
  void setCharAt(unsigned int index, char c);
  char operator[](unsigned int index) const { return index < length() ? c_str()[index] : 0; }
  char& operator[](unsigned int index);
  void getBytes(unsigned char* buf, unsigned int bufsize, unsigned int index = 0) const;
  void toCharArray(char* buf, unsigned int bufsize, unsigned int index = 0) const {
    getBytes(reinterpret_cast<unsigned char*>(buf), bufsize, index);
  }

  int indexOf(char ch, unsigned int fromIndex = 0) const;
  int indexOf(const String& str, unsigned int fromIndex = 0) const;
  int lastIndexOf(char ch) const { return lastIndexOf(ch, length() - 1); }
  int lastIndexOf(char ch, unsigned int fromIndex) const;
  int lastIndexOf(const String& str) const;
  int lastIndexOf(const String& str, unsigned int fromIndex) const;
  String substring(unsigned int beginIndex) const { return substring(beginIndex, length()); }
  String substring(unsigned int beginIndex, unsigned int endIndex) const;

  void replace(char find, char replace);
  void replace(const String& find, const String& replace);
  void remove(unsigned int index) { remove(index, UINT32_MAX); }
  void remove(unsigned int index, unsigned int count);
  void toLowerCase();
  void toUpperCase();
  void trim();

  long toInt() const;
  float toFloat() const { return static_cast<float>(toDouble()); }
  double toDouble() const;

 protected:
  /// Makes the string invalid, and frees its memory.
  void invalidate();

 private:
  struct Outside {
    char* text;
    uint32_t capacity;  ///< characters, without the NUL
    uint32_t length;
  };
  static constexpr unsigned kInsideSize = sizeof(Outside) + 3;
  struct Inside {
    char text[kInsideSize];
    unsigned char length : 7;
    unsigned char isInside : 1;
  };

  bool isInside() const { return _inside.isInside; }
  unsigned int capacity() const { return isInside() ? kInsideSize - 1 : _outside.capacity; }
  void setLength(unsigned int length);
  bool resize(unsigned int capacity);
  void copy(const char* text, unsigned int length);
  void move(String& rhs);

  // The flag is behind the fields of the other member.
  union {
    Outside _outside;
    Inside _inside = {};
  };
};
static_assert(sizeof(void*) != 4 || sizeof(String) == 16, "as on the chip");

/// The intermediate result of operator +. Numbers and characters convert to it, so that they may be
/// on the left: `12 + String(":30")`.
class StringSumHelper : public String {
 public:
  using String::invalidate;
  StringSumHelper(const String& s) : String(s) {}
  StringSumHelper(const char* text) : String(text) {}
  StringSumHelper(const __FlashStringHelper* text) : String(text) {}
  StringSumHelper(char c) : String(c) {}
  StringSumHelper(unsigned char n) : String(n) {}
  StringSumHelper(int n) : String(n) {}
  StringSumHelper(unsigned int n) : String(n) {}
  StringSumHelper(long n) : String(n) {}
  StringSumHelper(unsigned long n) : String(n) {}
  StringSumHelper(long long n) : String(n) {}
  StringSumHelper(unsigned long long n) : String(n) {}
  StringSumHelper(float n) : String(n) {}
  StringSumHelper(double n) : String(n) {}
};

// A sum is invalid if the heap has no room, or if an operand is invalid.

/// Only for a sum itself: numbers that convert to one are added as numbers.
template <std::same_as<StringSumHelper> Sum, typename T>
StringSumHelper operator+(Sum&& lhs, const T& rhs) {
  if (!lhs.concat(rhs)) lhs.invalidate();
  return std::move(lhs);
}
template <std::derived_from<String> Text, typename T>
StringSumHelper operator+(const Text& lhs, const T& rhs) {
  return StringSumHelper(static_cast<const String&>(lhs)) + rhs;
}
inline StringSumHelper operator+(const StringSumHelper& lhs, const String& rhs) {
  return StringSumHelper(static_cast<const String&>(lhs)) + rhs;
}
inline StringSumHelper operator+(const char* lhs, const String& rhs) {
  return StringSumHelper(lhs) + rhs;
}
inline StringSumHelper operator+(const __FlashStringHelper* lhs, const String& rhs) {
  return StringSumHelper(lhs) + rhs;
}

extern const String emptyString;
