#include "Testing.h"

#include <cstdio>

namespace {

struct Test {
  const char* name;
  void (*body)();
};

std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

std::string programs;
int failures;

}  // namespace

const std::string& sketchPrograms() { return programs; }

void addTest(const char* name, void (*body)()) { tests().push_back({name, body}); }

void addFailure(const char* file, int line, const std::string& text) {
  failures++;
  printf("%s:%d: %s\n", file, line, text.c_str());
}

int main(int count, char** arguments) {
  if (count > 1) programs = arguments[1];
  int failed = 0;
  for (const Test& test : tests()) {
    failures = 0;
    test.body();
    printf("%s %s\n", failures == 0 ? "passed" : "FAILED", test.name);
    fflush(stdout);
    if (failures > 0) failed++;
  }
  printf("%zu passed, %d failed\n", tests().size() - static_cast<size_t>(failed), failed);
  return failed == 0 && !tests().empty() ? 0 : 1;
}
