// arduino-esp32 3.x Stream: everything a sketch can read from.
#pragma once
// As in Print.h.
#pragma GCC system_header

#include "Print.h"

/// The characters that parseInt() and parseFloat() skip before the number.
enum LookaheadMode { SKIP_ALL, SKIP_NONE, SKIP_WHITESPACE };

#define NO_IGNORE_CHAR '\x01'

class Stream : public Print {
 public:
  virtual int available() = 0;
  virtual int read() = 0;
  virtual int peek() = 0;

  /// The time-out of the functions below for the next character, in milliseconds.
  void setTimeout(unsigned long timeout) { _timeout = timeout; }
  unsigned long getTimeout() { return _timeout; }

  bool find(const char* target) { return find(target, strlen(target)); }
  bool find(const char* target, size_t length) { return findUntil(target, length, nullptr, 0); }
  bool find(char target) { return find(&target, 1); }
  bool findUntil(const char* target, const char* terminator) {
    return findUntil(target, strlen(target), terminator, strlen(terminator));
  }
  bool findUntil(const char* target, size_t targetLength, const char* terminator,
                 size_t terminatorLength);

  long parseInt(LookaheadMode lookahead = SKIP_ALL, char ignore = NO_IGNORE_CHAR);
  float parseFloat(LookaheadMode lookahead = SKIP_ALL, char ignore = NO_IGNORE_CHAR);

  virtual size_t readBytes(char* buffer, size_t length);
  virtual size_t readBytes(uint8_t* buffer, size_t length) {
    return readBytes(reinterpret_cast<char*>(buffer), length);
  }
  size_t readBytesUntil(char terminator, char* buffer, size_t length);
  size_t readBytesUntil(char terminator, uint8_t* buffer, size_t length) {
    return readBytesUntil(terminator, reinterpret_cast<char*>(buffer), length);
  }
  virtual String readString();
  String readStringUntil(char terminator);

 protected:
  int timedRead();
  int timedPeek();

  unsigned long _timeout = 1000;

 private:
  int waitFor(int (Stream::*look)());
  int peekNextDigit(LookaheadMode lookahead, bool detectDecimal);
};
