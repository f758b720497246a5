// Tests in C++ without a framework: TEST(name) { EXPECT_EQUAL(actual, expected); }
#ifndef ESPBENCH_TESTS_TESTING_H
#define ESPBENCH_TESTS_TESTING_H

#include <cstdint>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

/// The folder of the compiled test sketches: the program's first argument.
const std::string& sketchPrograms();

void addTest(const char* name, void (*body)());
void addFailure(const char* file, int line, const std::string& text);
/// The current test cannot run here, and prints the reason; this does not count as a success.
void skip(const std::string& reason);

template <typename T>
std::string shown(const T& value) {
  std::ostringstream text;
  if constexpr (std::is_convertible_v<T, std::string>) {
    text << '"' << value << '"';
  } else if constexpr (std::is_integral_v<T>) {
    text << +value;
  } else {
    text << '[';
    for (const auto& element : value) text << ' ' << shown(element);
    text << " ]";
  }
  return text.str();
}

template <typename A, typename B>
void expectEqual(const char* file, int line, const char* what, const A& actual, const B& expected) {
  if (actual == static_cast<A>(expected)) return;
  addFailure(
      file, line,
      std::string(what) + " is " + shown(actual) + ", expected " + shown(static_cast<A>(expected)));
}

#define TEST(name)                                              \
  static void name();                                           \
  static const bool name##Added = (addTest(#name, name), true); \
  static void name()

#define EXPECT_EQUAL(actual, ...) expectEqual(__FILE__, __LINE__, #actual, actual, __VA_ARGS__)
#define EXPECT(condition) \
  ((condition) ? (void)0 : addFailure(__FILE__, __LINE__, "not true: " #condition))

#endif
