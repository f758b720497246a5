// arduino-esp32 3.x String.
#pragma once

#include <ctype.h>
#include <stdlib.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "pgmspace.h"

class __FlashStringHelper;
#define FPSTR(str_pointer) (reinterpret_cast<const __FlashStringHelper*>(str_pointer))
#define F(string_literal) (FPSTR(PSTR(string_literal)))

class StringSumHelper;

/// Arduino's string. Unlike std::string it never fails: an index beyond the end reads 0, a range is
/// limited to the end.
class String {
 public:
  String(const char* cstr = "") : _text(cstr != nullptr ? cstr : ""), _valid(cstr != nullptr) {}
  String(const char* cstr, unsigned int length) : _text(cstr, length) {}
  String(const uint8_t* cstr, unsigned int length)
      : _text(reinterpret_cast<const char*>(cstr), length) {}
  String(const __FlashStringHelper* str) : String(reinterpret_cast<const char*>(str)) {}
  String(const String& str) = default;
  String(String&& str) = default;
  explicit String(char c) : _text(1, c) {}
  explicit String(unsigned char n, unsigned char base = 10);
  explicit String(int n, unsigned char base = 10);
  explicit String(unsigned int n, unsigned char base = 10);
  explicit String(long n, unsigned char base = 10);
  explicit String(unsigned long n, unsigned char base = 10);
  explicit String(long long n, unsigned char base = 10);
  explicit String(unsigned long long n, unsigned char base = 10);
  explicit String(float n, unsigned int decimalPlaces = 2);
  explicit String(double n, unsigned int decimalPlaces = 2);

  bool reserve(unsigned int size) {
    _text.reserve(size);
    _valid = true;
    return true;
  }
  unsigned int length() const { return static_cast<unsigned int>(_text.size()); }
  void clear() { _text.clear(); }
  bool isEmpty() const { return _text.empty(); }
  const char* c_str() const { return _text.c_str(); }
  char* begin() { return &_text[0]; }
  char* end() { return begin() + length(); }
  const char* begin() const { return c_str(); }
  const char* end() const { return c_str() + length(); }
  /// False for a String made from a null pointer.
  explicit operator bool() const { return _valid; }

  String& operator=(const String& rhs) = default;
  String& operator=(String&& rhs) = default;
  String& operator=(const char* cstr) { return *this = String(cstr); }
  String& operator=(const __FlashStringHelper* str) { return *this = String(str); }

  bool concat(const String& str);
  bool concat(const char* cstr);
  bool concat(const char* cstr, unsigned int length);
  bool concat(const uint8_t* bytes, unsigned int length) {
    return concat(reinterpret_cast<const char*>(bytes), length);
  }
  bool concat(const __FlashStringHelper* str) { return concat(reinterpret_cast<const char*>(str)); }
  bool concat(char c);
  template <typename Number>
  bool concat(Number n) {
    return concat(String(n));
  }
  template <typename T>
  String& operator+=(const T& rhs) {
    concat(rhs);
    return *this;
  }

  int compareTo(const String& s) const { return strcmp(c_str(), s.c_str()); }
  bool equals(const String& s) const { return _text == s._text; }
  bool equals(const char* cstr) const { return cstr == nullptr ? isEmpty() : _text == cstr; }
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
  char operator[](unsigned int index) const { return index < length() ? _text[index] : 0; }
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

 private:
  std::string _text;
  bool _valid = true;
};

/// The intermediate result of operator +.
class StringSumHelper : public String {
 public:
  using String::String;
  StringSumHelper(const String& s) : String(s) {}
};

template <typename T>
StringSumHelper operator+(const String& lhs, const T& rhs) {
  StringSumHelper sum(lhs);
  sum.concat(rhs);
  return sum;
}
inline StringSumHelper operator+(const char* lhs, const String& rhs) {
  StringSumHelper sum(lhs);
  sum.concat(rhs);
  return sum;
}
inline StringSumHelper operator+(const __FlashStringHelper* lhs, const String& rhs) {
  return reinterpret_cast<const char*>(lhs) + rhs;
}

extern const String emptyString;
