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

bool is(const String& text, const char* expected) {
  return text && strcmp(text.c_str(), expected) == 0;
}

/// Strings for which there is no room.
void strings() {
  long before = static_cast<long>(ESP.getFreeHeap());
  {
    String inside = "thirteen char", longer = "a text of twenty-one";
    tell("taken", before - static_cast<long>(ESP.getFreeHeap()));
    tell("longest", inside.reserve(65519));
    tell("longer", inside.reserve(65520));
    tell("kept", is(inside, "thirteen char"));
    inside = inside + " and more" + 1 + '.' + F(" end");
    tell("sum", is(inside, "thirteen char and more1. end"));
    inside += inside;
    inside.replace("and", "or");
    tell("twice", is(inside, "thirteen char or more1. endthirteen char or more1. end"));
    inside.replace("or", "instead of");
    tell("grown", is(inside,
                     "thirteen char instead of minstead ofe1. endthirteen char instead of minstead "
                     "ofe1. end"));
  }
  tell("left", before - static_cast<long>(ESP.getFreeHeap()));
  String kept = "a text that was there before", moved = "another", number;
  kept.reserve(40);
  std::vector<void*> blocks;
  blocks.reserve(400);
  for (size_t size : {1000, 100, 12}) {
    while (void* block = malloc(size)) blocks.push_back(block);
  }
  tell("reserve", kept.reserve(200));
  tell("concat", kept.concat(" and grows beyond its room"));
  kept += " and grows beyond its room";
  kept.replace("a", "thirteen char");
  tell("kept", is(kept, "a text that was there before"));
  String copy(kept), sum = kept + " and grows beyond its room", made(100u, 2);
  tell("copy", copy ? 1 : 0);
  tell("null", copy.c_str() == nullptr && copy.length() == 0 && copy == "");
  tell("sum", sum ? 1 : 0);
  tell("inside", is(made, "1100100"));
  moved = kept.substring(0, 20);
  tell("moved", moved ? 1 : 0);
  number = String(3.25);
  tell("nan", is(number, "nan"));
  Serial.println(copy);
  for (void* block : blocks) free(block);
  tell("again", (copy = kept) ? 1 : 0);
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
