// Uses the heap as the console asks for.
#include <esp_heap_caps.h>

#include <vector>

#include "Faults.h"

volatile size_t ten = 10;

void tell(const char* what, long value) { Serial.printf("%s %ld\r\n", what, value); }

void showState() {
  tell("size", ESP.getHeapSize());
  tell("free", ESP.getFreeHeap());
  tell("minimum", ESP.getMinFreeHeap());
  tell("longest", ESP.getMaxAllocHeap());
  tell("psram", ESP.getPsramSize());
}

void tryLimits() {
  tell("66 MB", malloc(ten * 6600000) != nullptr);
  tell("free", ESP.getFreeHeap());
  size_t longest = ESP.getMaxAllocHeap();
  void* block = malloc(longest);
  tell("longest", block != nullptr);
  free(block);
  tell("more", malloc(longest * 11 / ten) != nullptr);
  tell("overflow", calloc(SIZE_MAX / 4, ten) != nullptr);
  tell("nothing", malloc(ten - 10) != nullptr);
}

void callback(size_t size, uint32_t caps, const char* function) {
  Serial.printf("%s %u %#x\r\n", function, static_cast<unsigned>(size),
                static_cast<unsigned>(caps));
}

void fragment() {
  heap_caps_register_failed_alloc_callback(callback);
  std::vector<void*> blocks;
  blocks.reserve(300);
  while (void* block = malloc(1000)) blocks.push_back(block);
  for (size_t i = 0; i < blocks.size(); i += 2) free(blocks[i]);
  tell("half", ESP.getFreeHeap() > 80000);
  tell("2000 bytes", malloc(200 * ten) != nullptr);
  for (size_t i = 1; i < blocks.size(); i += 2) free(blocks[i]);
  tell("2000 bytes", malloc(200 * ten) != nullptr);
}

void comeBack() {
  long before = static_cast<long>(ESP.getFreeHeap());
  char* block = static_cast<char*>(malloc(100));
  tell("block", before - static_cast<long>(ESP.getFreeHeap()));
  block = static_cast<char*>(realloc(block, 120));
  tell("grown", before - static_cast<long>(ESP.getFreeHeap()));
  free(block);
  {
    String text = "a text that does not fit into the object itself";
    std::vector<int> numbers(100);
    void* volatile array = new int[50];
    delete static_cast<int*>(array);  // of the wrong kind, which the chip does not notice
  }
  tell("left", before - static_cast<long>(ESP.getFreeHeap()));
}

struct {
  const char* name;
  void (*run)();
} const commands[] = {{"state", showState},   {"limits", tryLimits},    {"fragment", fragment},
                      {"back", comeBack},     {"overrun", overrun},     {"underrun", underrun},
                      {"grow", grow},         {"twice", freeTwice},     {"merged", freeMerged},
                      {"padded", freePadded}, {"foreign", freeForeign}, {"objects", objects},
                      {"smash", smash},       {"strings", strings}};

void setup() {
  uint32_t atStart = ESP.getFreeHeap();
  Serial.begin(115200);
  tell("start", atStart);
}

void loop() {
  String line = Serial.readStringUntil('\n');
  for (const auto& command : commands) {
    if (line == command.name) command.run();
  }
  delay(1);
}
