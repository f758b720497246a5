#include "Testing.h"

#include <cstdio>
#include <cstring>

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
std::string skipReason;

}  // namespace

const std::string& sketchPrograms() { return programs; }

void addTest(const char* name, void (*body)()) { tests().push_back({name, body}); }

void addFailure(const char* file, int line, const std::string& text) {
  failures++;
  printf("%s:%d: %s\n", file, line, text.c_str());
}

void skip(const std::string& reason) { skipReason = reason; }

// Arguments: the folder of the test sketches, then results of tests that ran elsewhere, such as
// "passed name".
int main(int count, char** arguments) {
  if (count > 1) programs = arguments[1];
  int passed = 0, failed = 0, skipped = 0;
  auto tell = [&](bool isPassed, const std::string& line) {
    printf("%s\n", line.c_str());
    fflush(stdout);
    (isPassed ? passed : failed)++;
  };
  for (int i = 2; i < count; i++) tell(strncmp(arguments[i], "passed", 6) == 0, arguments[i]);
  for (const Test& test : tests()) {
    failures = 0;
    skipReason.clear();
    test.body();
    if (failures == 0 && !skipReason.empty()) {
      skipped++;
      printf("skipped: %s: %s\n", test.name, skipReason.c_str());
      continue;
    }
    tell(failures == 0, std::string(failures == 0 ? "passed " : "FAILED ") + test.name);
  }
  printf("%d passed, %d failed", passed, failed);
  if (skipped > 0) printf(", %d skipped", skipped);
  printf("\n");
  return failed == 0 && passed > 0 ? 0 : 1;
}
