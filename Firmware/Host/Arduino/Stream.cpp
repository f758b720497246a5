#include "Stream.h"

#include "Arduino.h"

/// Polls until there is input or the time-out has passed. Sleeps between polls, since time-outs are
/// long and the chip's other tasks run meanwhile.
int Stream::waitFor(int (Stream::*look)()) {
  unsigned long start = millis();
  for (;;) {
    int c = (this->*look)();
    if (c >= 0) return c;
    if (millis() - start >= _timeout) return -1;
    delay(1);
  }
}

int Stream::timedRead() { return waitFor(&Stream::read); }
int Stream::timedPeek() { return waitFor(&Stream::peek); }

size_t Stream::readBytes(char* buffer, size_t length) {
  size_t count = 0;
  while (count < length) {
    int c = timedRead();
    if (c < 0) break;
    buffer[count++] = static_cast<char>(c);
  }
  return count;
}

size_t Stream::readBytesUntil(char terminator, char* buffer, size_t length) {
  size_t count = 0;
  while (count < length) {
    int c = timedRead();
    if (c < 0 || c == static_cast<uint8_t>(terminator)) break;
    buffer[count++] = static_cast<char>(c);
  }
  return count;
}

String Stream::readString() {
  String text;
  for (int c = timedRead(); c >= 0; c = timedRead()) text += static_cast<char>(c);
  return text;
}

String Stream::readStringUntil(char terminator) {
  String text;
  for (int c = timedRead(); c >= 0 && c != static_cast<uint8_t>(terminator); c = timedRead()) {
    text += static_cast<char>(c);
  }
  return text;
}

bool Stream::findUntil(const char* target, size_t targetLength, const char* terminator,
                       size_t terminatorLength) {
  if (targetLength == 0) return true;
  std::string seen;
  size_t longest = std::max(targetLength, terminatorLength);
  auto endsWith = [&seen](const char* text, size_t length) {
    return length > 0 && seen.size() >= length &&
           seen.compare(seen.size() - length, length, text, length) == 0;
  };
  for (int c = timedRead(); c >= 0; c = timedRead()) {
    seen += static_cast<char>(c);
    if (endsWith(target, targetLength)) return true;
    if (endsWith(terminator, terminatorLength)) return false;
    if (seen.size() > longest) seen.erase(0, 1);
  }
  return false;
}

int Stream::peekNextDigit(LookaheadMode lookahead, bool detectDecimal) {
  for (;;) {
    int c = timedPeek();
    if (c < 0 || c == '-' || (c >= '0' && c <= '9') || (detectDecimal && c == '.')) return c;
    if (lookahead == SKIP_NONE) return -1;
    if (lookahead == SKIP_WHITESPACE && c != ' ' && c != '\t' && c != '\r' && c != '\n') return -1;
    read();
  }
}

long Stream::parseInt(LookaheadMode lookahead, char ignore) {
  int c = peekNextDigit(lookahead, false);
  if (c < 0) return 0;
  bool negative = false;
  long value = 0;
  do {
    if (c == '-') {
      negative = true;
    } else if (c >= '0' && c <= '9') {
      value = value * 10 + (c - '0');
    }
    read();
    c = timedPeek();
  } while ((c >= '0' && c <= '9') || (c >= 0 && c == ignore));
  return negative ? -value : value;
}

float Stream::parseFloat(LookaheadMode lookahead, char ignore) {
  int c = peekNextDigit(lookahead, true);
  if (c < 0) return 0;
  bool negative = false, fraction = false;
  double value = 0, scale = 1;
  do {
    if (c == '-') {
      negative = true;
    } else if (c == '.') {
      fraction = true;
    } else if (c >= '0' && c <= '9') {
      value = value * 10 + (c - '0');
      if (fraction) scale *= 0.1;
    }
    read();
    c = timedPeek();
  } while ((c >= '0' && c <= '9') || (c == '.' && !fraction) || (c >= 0 && c == ignore));
  value *= scale;
  return static_cast<float>(negative ? -value : value);
}
