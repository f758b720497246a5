// Ends the firmware as a crash when AddressSanitizer or UndefinedBehaviorSanitizer finds an error,
// with their report as its message.
#ifdef __SANITIZE_ADDRESS__

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "Fault.h"
#include "Heap.h"
#include "firmware_channel.h"

namespace {

/// Copies a line of a report without the parts that differ from run to run or between machines: the
/// process ID, and the file of each frame. nullptr at the part about shadow memory.
char* addLine(const char* line, size_t length, char* to, const char* end) {
  if (length >= 12 && memcmp(line, "Shadow bytes", 12) == 0) return nullptr;
  if (length > 2 && line[0] == '=' && line[1] == '=') {
    const char* text = line + 2;
    while (text < line + length && *text != '=') text++;
    while (text < line + length && *text == '=') text++;
    length -= static_cast<size_t>(text - line);
    line = text;
    if (length == 0) return to;
  }
  const char* place = static_cast<const char*>(memmem(line, length, "  (/", 4));
  if (place == nullptr) place = static_cast<const char*>(memmem(line, length, " (/", 3));
  if (place != nullptr) length = static_cast<size_t>(place - line);
  for (size_t i = 0; i < length && to < end; i++) *to++ = line[i];
  if (to < end) *to++ = '\n';
  return to;
}

/// `caller` is the address to which the program's call of the sanitizer returns.
[[noreturn]] void end(const char* report, const void* caller) {
  espbench::HostScope own;
  static char message[CFC_FAULT_MESSAGE_SIZE];
  char* to = message;
  while (*report != '\0') {
    size_t length = strcspn(report, "\n");
    char* next = addLine(report, length, to, message + sizeof message - 1);
    if (next == nullptr) break;
    to = next;
    report += length;
    if (*report == '\n') report++;
  }
  while (to > message && to[-1] == '\n') to--;
  *to = '\0';
  espbench::endFirmware(CFC_FAULT_SANITIZER, message, caller);
}

void reported(const char* report) {
  const void* heap = espbench::heapCaller;
  end(report, heap != nullptr ? heap : __builtin_return_address(0));
}

}  // namespace

extern "C" {

void __asan_set_error_report_callback(void (*callback)(const char*));
void __sanitizer_set_report_fd(void* descriptor);

// Read before anything runs. The process must not look for leaks (it never exits), has the fault
// handlers of its own, and gets NULL where the chip has no room.
const char* __asan_default_options() {
  return "detect_leaks=0:halt_on_error=1:abort_on_error=0:handle_segv=0:handle_sigbus=0:"
         "handle_abort=0:handle_sigfpe=0:handle_sigill=0:allocator_may_return_null=1:"
         "detect_stack_use_after_return=0:alloc_dealloc_mismatch=1:use_sigaltstack=0:"
         "print_legend=0:print_full_thread_history=0:color=never:symbolize=0";
}

__attribute__((constructor(101))) static void watchReports() {
  __asan_set_error_report_callback(reported);
  // The report goes to the board only; standard output is /dev/null.
  __sanitizer_set_report_fd(reinterpret_cast<void*>(intptr_t{STDOUT_FILENO}));
}

const char* __ubsan_default_options() { return "halt_on_error=1:print_stacktrace=0:color=never"; }

// UBSan's function, where it is linked, too.
__attribute__((weak)) void __ubsan_get_current_report_data(const char** kind, const char** message,
                                                           const char** file, unsigned* line,
                                                           unsigned* column, char** address);

/// UBSan has found a fault: called after its data are ready.
void __ubsan_on_report() {
  const char *kind = "", *message = "", *file = "";
  unsigned line = 0, column = 0;
  char* address = nullptr;
  __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
  const char* slash = strrchr(file, '/');
  char report[CFC_FAULT_MESSAGE_SIZE];
  snprintf(report, sizeof report, "UndefinedBehaviorSanitizer: %s:%u:%u: %s (%s)",
           slash != nullptr ? slash + 1 : file, line, column, message, kind);
  end(report, __builtin_return_address(0));
}

}  // extern "C"

#endif
