#include "WString.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>

const String emptyString;

namespace {

std::string unsignedText(unsigned long long n, unsigned base) {
  if (base < 2 || base > 36) return "";
  std::string text;
  do {
    unsigned digit = static_cast<unsigned>(n % base);
    text.insert(text.begin(), static_cast<char>(digit < 10 ? '0' + digit : 'a' + digit - 10));
    n /= base;
  } while (n != 0);
  return text;
}

/// As ltoa() of arduino-esp32: a sign in every base.
std::string signedText(long long n, unsigned base) {
  if (n >= 0) return unsignedText(static_cast<unsigned long long>(n), base);
  return "-" + unsignedText(0 - static_cast<unsigned long long>(n), base);
}

/// As itoa() of newlib: a sign in base 10, else the bits.
std::string intText(int n, unsigned base) {
  return base == 10 ? signedText(n, 10) : unsignedText(static_cast<unsigned>(n), base);
}

/// As dtostrf() of arduino-esp32: rounds halves up and pads with leading spaces.
std::string decimalText(double n, unsigned width, unsigned places) {
  if (std::isnan(n)) return "nan";
  if (std::isinf(n)) return "inf";
  bool negative = n < 0;
  double rounding = 0.5;
  for (unsigned i = 0; i < places; i++) rounding /= 10.0;
  n = std::fabs(n) + rounding;
  double rest = std::modf(n, &n);
  char whole[320];
  snprintf(whole, sizeof whole, "%.0f", n);
  std::string text = negative ? "-" : "";
  text += whole;
  if (places > 0) text += '.';
  for (unsigned i = 0; i < places; i++) {
    double digit;
    rest = std::modf(rest * 10.0, &digit);
    text += static_cast<char>('0' + static_cast<int>(digit));
  }
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

int position(size_t found) { return found == std::string::npos ? -1 : static_cast<int>(found); }

}  // namespace

String::String(unsigned char n, unsigned char base) : _text(unsignedText(n, base)) {}
String::String(int n, unsigned char base) : _text(intText(n, base)) {}
String::String(unsigned int n, unsigned char base) : _text(unsignedText(n, base)) {}
String::String(long n, unsigned char base) : _text(signedText(n, base)) {}
String::String(unsigned long n, unsigned char base) : _text(unsignedText(n, base)) {}
String::String(long long n, unsigned char base) : _text(signedText(n, base)) {}
String::String(unsigned long long n, unsigned char base) : _text(unsignedText(n, base)) {}
String::String(float n, unsigned int decimalPlaces)
    : String(static_cast<double>(n), decimalPlaces) {}
String::String(double n, unsigned int decimalPlaces)
    : _text(decimalText(n, decimalPlaces + 2, decimalPlaces)) {}

bool String::concat(const String& str) {
  _text += std::string(str._text);
  return true;
}
bool String::concat(const char* cstr) { return cstr != nullptr && concat(String(cstr)); }
bool String::concat(const char* cstr, unsigned int length) {
  if (cstr == nullptr) return false;
  _text.append(cstr, length);
  return true;
}
bool String::concat(char c) {
  _text += c;
  return true;
}

bool String::equalsIgnoreCase(const String& s) const {
  return length() == s.length() && strcasecmp(c_str(), s.c_str()) == 0;
}
bool String::startsWith(const String& prefix, unsigned int offset) const {
  return offset <= length() && _text.compare(offset, prefix.length(), prefix._text) == 0;
}
bool String::endsWith(const String& suffix) const {
  return suffix.length() <= length() &&
         _text.compare(length() - suffix.length(), suffix.length(), suffix._text) == 0;
}

void String::setCharAt(unsigned int index, char c) {
  if (index < length()) _text[index] = c;
}
char& String::operator[](unsigned int index) {
  static char beyond;
  beyond = 0;
  return index < length() ? _text[index] : beyond;
}
void String::getBytes(unsigned char* buf, unsigned int bufsize, unsigned int index) const {
  if (bufsize == 0 || buf == nullptr) return;
  unsigned int count = index < length() ? std::min(bufsize - 1, length() - index) : 0;
  memcpy(buf, c_str() + std::min(index, length()), count);
  buf[count] = 0;
}

int String::indexOf(char ch, unsigned int fromIndex) const {
  return position(_text.find(ch, fromIndex));
}
int String::indexOf(const String& str, unsigned int fromIndex) const {
  return fromIndex >= length() ? -1 : position(_text.find(str._text, fromIndex));
}
int String::lastIndexOf(char ch, unsigned int fromIndex) const {
  return fromIndex >= length() ? -1 : position(_text.rfind(ch, fromIndex));
}
int String::lastIndexOf(const String& str) const {
  return lastIndexOf(str, length() - str.length());
}
int String::lastIndexOf(const String& str, unsigned int fromIndex) const {
  if (str.isEmpty() || isEmpty() || str.length() > length()) return -1;
  return position(_text.rfind(str._text, fromIndex));
}
String String::substring(unsigned int beginIndex, unsigned int endIndex) const {
  if (beginIndex > endIndex) std::swap(beginIndex, endIndex);
  if (beginIndex >= length()) return String();
  endIndex = std::min(endIndex, length());
  return String(c_str() + beginIndex, endIndex - beginIndex);
}

void String::replace(char find, char replace) {
  std::replace(_text.begin(), _text.end(), find, replace);
}
void String::replace(const String& find, const String& replace) {
  if (find.isEmpty()) return;
  std::string with = replace._text, what = find._text;
  for (size_t at = _text.find(what); at != std::string::npos;
       at = _text.find(what, at + with.size())) {
    _text.replace(at, what.size(), with);
  }
}
void String::remove(unsigned int index, unsigned int count) {
  if (index < length()) _text.erase(index, count);
}
void String::toLowerCase() {
  for (char& c : _text) c = static_cast<char>(tolower(static_cast<unsigned char>(c)));
}
void String::toUpperCase() {
  for (char& c : _text) c = static_cast<char>(toupper(static_cast<unsigned char>(c)));
}
void String::trim() {
  auto isSpace = [](char c) { return isspace(static_cast<unsigned char>(c)) != 0; };
  _text.erase(std::find_if_not(_text.rbegin(), _text.rend(), isSpace).base(), _text.end());
  _text.erase(_text.begin(), std::find_if_not(_text.begin(), _text.end(), isSpace));
}

long String::toInt() const { return atol(c_str()); }
double String::toDouble() const { return atof(c_str()); }
