#include "WString.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "esp32-hal-log.h"
#include "stdlib_noniso.h"

const String emptyString;

namespace {

/// As in arduino-esp32 3.x without external memory.
constexpr unsigned kGreatestSize = 65535;
/// Blocks of the heap grow by this many bytes.
constexpr unsigned kStep = 16;
/// Digits, sign and NUL of 64 bits in base 2.
constexpr size_t kLongestNumber = 2 + 64;
/// The longest result of dtostrf() with two places: up to 309 digits before the point.
constexpr size_t kLongestDecimal = 320;

/// Sets `text` to `number` with `places` decimal places; allocates a block of `places` + `room`
/// bytes.
void setDecimal(String& text, double number, unsigned places, unsigned room) {
  char* buffer = static_cast<char*>(malloc(places + room));
  if (buffer == nullptr) {
    text = "nan";
    log_e("No enough memory for the operation.");
    return;
  }
  text = dtostrf(number, static_cast<int>(places + 2), places, buffer);
  free(buffer);
}

}  // namespace

String::String(const char* cstr) {
  if (cstr != nullptr) copy(cstr, static_cast<unsigned>(strlen(cstr)));
}
String::String(const char* cstr, unsigned int length) {
  if (cstr != nullptr) copy(cstr, length);
}
String::String(unsigned char n, unsigned char base) : String(static_cast<unsigned>(n), base) {}
String::String(int n, unsigned char base) {
  char text[kLongestNumber] = "";
  *this = itoa(n, text, base);
}
String::String(unsigned int n, unsigned char base) {
  char text[kLongestNumber] = "";
  *this = utoa(n, text, base);
}
String::String(long n, unsigned char base) {
  char text[kLongestNumber];
  *this = ltoa(n, text, base);
}
String::String(unsigned long n, unsigned char base) {
  char text[kLongestNumber];
  *this = ultoa(n, text, base);
}
String::String(long long n, unsigned char base) {
  char text[kLongestNumber];
  *this = lltoa(n, text, base);
}
String::String(unsigned long long n, unsigned char base) {
  char text[kLongestNumber];
  *this = ulltoa(n, text, base);
}
String::String(float n, unsigned int decimalPlaces) {
  setDecimal(*this, static_cast<double>(n), decimalPlaces, 42);
}
String::String(double n, unsigned int decimalPlaces) { setDecimal(*this, n, decimalPlaces, 312); }

void String::invalidate() {
  if (!isInside()) free(_outside.text);
  _inside.isInside = 0;
  _outside = {};
}

void String::setLength(unsigned int length) {
  if (isInside()) {
    _inside.length = length & 0x7F;
  } else {
    _outside.length = length;
  }
  if (begin() != nullptr) begin()[length] = 0;
}

bool String::reserve(unsigned int size) {
  return (c_str() != nullptr && capacity() >= size) || resize(size);
}

/// Allocates a block for more characters than the present block can contain.
bool String::resize(unsigned int capacity) {
  if (c_str() == nullptr && capacity < kInsideSize - 1) {
    _inside = {};
    _inside.isInside = 1;
    return true;
  }
  const size_t size = (size_t{capacity} + kStep) & ~size_t{kStep - 1};
  if (size > kGreatestSize) return false;
  const unsigned length = this->length();
  char* text = static_cast<char*>(realloc(isInside() ? nullptr : _outside.text, size));
  if (text == nullptr) return false;
  if (isInside()) memcpy(text, _inside.text, sizeof _inside.text);
  _inside.isInside = 0;
  _outside = {text, static_cast<uint32_t>(size - 1), length};
  text[length] = 0;
  return true;
}

void String::copy(const char* text, unsigned int length) {
  if (!reserve(length)) return invalidate();
  memmove(begin(), text, length);
  setLength(length);
}

/// Takes the text of `rhs`, and also the memory of `rhs` if this string's own memory is too short.
/// Leaves `rhs` invalid.
void String::move(String& rhs) {
  if (c_str() != nullptr && capacity() >= rhs.length() && rhs.c_str() != nullptr) {
    copy(rhs.c_str(), rhs.length());
    return rhs.invalidate();
  }
  invalidate();
  _inside = rhs._inside;
  rhs._inside = {};
}

String& String::operator=(const String& rhs) {
  if (this == &rhs) return *this;
  if (rhs.c_str() != nullptr) {
    copy(rhs.c_str(), rhs.length());
  } else {
    invalidate();
  }
  return *this;
}
String& String::operator=(const char* cstr) {
  if (cstr != nullptr) {
    copy(cstr, static_cast<unsigned>(strlen(cstr)));
  } else {
    invalidate();
  }
  return *this;
}

bool String::concat(const char* cstr, unsigned int length) {
  if (cstr == nullptr) return false;
  if (length == 0) return true;
  const unsigned before = this->length();
  // If `cstr` is a part of this string, reserve() may move its text.
  const bool isOwn = c_str() != nullptr && cstr >= c_str() && cstr <= c_str() + before;
  const size_t offset = isOwn ? static_cast<size_t>(cstr - c_str()) : 0;
  if (!reserve(before + length)) return false;
  memmove(begin() + before, isOwn ? c_str() + offset : cstr, length);
  setLength(before + length);
  return true;
}
bool String::concat(const char* cstr) {
  return cstr != nullptr && concat(cstr, static_cast<unsigned>(strlen(cstr)));
}
bool String::concat(int n) {
  char text[kLongestNumber];
  return concat(itoa(n, text, 10));
}
bool String::concat(unsigned int n) {
  char text[kLongestNumber];
  return concat(utoa(n, text, 10));
}
bool String::concat(long n) {
  char text[kLongestNumber];
  return concat(ltoa(n, text, 10));
}
bool String::concat(unsigned long n) {
  char text[kLongestNumber];
  return concat(ultoa(n, text, 10));
}
bool String::concat(long long n) {
  char text[kLongestNumber];
  return concat(lltoa(n, text, 10));
}
bool String::concat(unsigned long long n) {
  char text[kLongestNumber];
  return concat(ulltoa(n, text, 10));
}
bool String::concat(double n) {
  char text[kLongestDecimal];
  return concat(dtostrf(n, 4, 2, text));
}

int String::compareTo(const String& s) const {
  return strcmp(c_str() != nullptr ? c_str() : "", s.c_str() != nullptr ? s.c_str() : "");
}
bool String::equals(const char* cstr) const {
  return strcmp(c_str() != nullptr ? c_str() : "", cstr != nullptr ? cstr : "") == 0;
}
bool String::equalsIgnoreCase(const String& s) const {
  return length() == s.length() && (isEmpty() || strcasecmp(c_str(), s.c_str()) == 0);
}
bool String::startsWith(const String& prefix, unsigned int offset) const {
  return c_str() != nullptr && prefix.c_str() != nullptr && offset <= length() &&
         strncmp(c_str() + offset, prefix.c_str(), prefix.length()) == 0;
}
bool String::endsWith(const String& suffix) const {
  return c_str() != nullptr && suffix.c_str() != nullptr && suffix.length() <= length() &&
         strcmp(end() - suffix.length(), suffix.c_str()) == 0;
}

void String::setCharAt(unsigned int index, char c) {
  if (index < length()) begin()[index] = c;
}
char& String::operator[](unsigned int index) {
  static char beyond;
  beyond = 0;
  return index < length() ? begin()[index] : beyond;
}
void String::getBytes(unsigned char* buf, unsigned int bufsize, unsigned int index) const {
  if (bufsize == 0 || buf == nullptr) return;
  unsigned int count = index < length() ? std::min(bufsize - 1, length() - index) : 0;
  if (count > 0) memcpy(buf, c_str() + index, count);
  buf[count] = 0;
}

int String::indexOf(char ch, unsigned int fromIndex) const {
  if (fromIndex >= length()) return -1;
  const char* found = strchr(c_str() + fromIndex, ch);
  return found == nullptr ? -1 : static_cast<int>(found - c_str());
}
int String::indexOf(const String& str, unsigned int fromIndex) const {
  if (fromIndex >= length() || str.c_str() == nullptr) return -1;
  const char* found = strstr(c_str() + fromIndex, str.c_str());
  return found == nullptr ? -1 : static_cast<int>(found - c_str());
}
int String::lastIndexOf(char ch, unsigned int fromIndex) const {
  if (fromIndex >= length()) return -1;
  int index = static_cast<int>(fromIndex);
  while (index >= 0 && c_str()[index] != ch) index--;
  return index;
}
int String::lastIndexOf(const String& str) const {
  return lastIndexOf(str, length() - str.length());
}
int String::lastIndexOf(const String& str, unsigned int fromIndex) const {
  if (str.isEmpty() || str.length() > length()) return -1;
  int index = static_cast<int>(std::min(fromIndex, length() - str.length()));
  while (index >= 0 && memcmp(c_str() + index, str.c_str(), str.length()) != 0) index--;
  return index;
}
String String::substring(unsigned int beginIndex, unsigned int endIndex) const {
  if (beginIndex > endIndex) std::swap(beginIndex, endIndex);
  if (beginIndex >= length()) return String();
  endIndex = std::min(endIndex, length());
  return String(c_str() + beginIndex, endIndex - beginIndex);
}

void String::replace(char find, char replace) { std::replace(begin(), end(), find, replace); }
void String::replace(const String& find, const String& replace) {
  if (isEmpty() || find.isEmpty()) return;
  if (this == &find || this == &replace) return this->replace(String(find), String(replace));
  unsigned before = length(), count = 0;
  for (int at = indexOf(find); at >= 0;
       at = indexOf(find, static_cast<unsigned>(at) + find.length()))
    count++;
  const unsigned after = before - count * find.length() + count * replace.length();
  if (count == 0 || (after > capacity() && !resize(after))) return;
  // The unread text is placed so that it need not move if the result is longer.
  const char* read = begin();
  if (after > before) read = static_cast<char*>(memmove(begin() + (after - before), read, before));
  char* write = begin();
  for (; count > 0; count--) {
    while (memcmp(read, find.c_str(), find.length()) != 0) *write++ = *read++;
    if (!replace.isEmpty()) memcpy(write, replace.c_str(), replace.length());
    write += replace.length();
    read += find.length();
  }
  memmove(write, read, static_cast<size_t>(begin() + after - write));
  setLength(after);
}
void String::remove(unsigned int index, unsigned int count) {
  if (index >= length()) return;
  count = std::min(count, length() - index);
  memmove(begin() + index, c_str() + index + count, length() - index - count);
  setLength(length() - count);
}
void String::toLowerCase() {
  for (char& c : *this) c = static_cast<char>(tolower(static_cast<unsigned char>(c)));
}
void String::toUpperCase() {
  for (char& c : *this) c = static_cast<char>(toupper(static_cast<unsigned char>(c)));
}
void String::trim() {
  auto isSpace = [](char c) { return isspace(static_cast<unsigned char>(c)) != 0; };
  while (!isEmpty() && isSpace(c_str()[length() - 1])) setLength(length() - 1);
  unsigned blanks = 0;
  while (blanks < length() && isSpace(c_str()[blanks])) blanks++;
  remove(0, blanks);
}

long String::toInt() const { return isEmpty() ? 0 : atol(c_str()); }
double String::toDouble() const { return isEmpty() ? 0 : atof(c_str()); }
