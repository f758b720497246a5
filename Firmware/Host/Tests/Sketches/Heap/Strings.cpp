// Strings that do not fit in the heap.
#include <Arduino.h>

#include <vector>

#include "Faults.h"

static bool is(const String& text, const char* expected) {
  return text && strcmp(text.c_str(), expected) == 0;
}

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
