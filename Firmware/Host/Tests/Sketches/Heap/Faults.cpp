#include "Faults.h"

#include <Arduino.h>
#include <esp_heap_caps.h>

#include <new>

void overrun() {
  auto* volatile block = static_cast<volatile uint8_t*>(malloc(ten));
  block[ten] = 0x55;
  tell("intact", heap_caps_check_integrity_all(true));
  free(const_cast<uint8_t*>(block));
}

void underrun() {
  auto* volatile block = static_cast<volatile uint8_t*>(malloc(ten));
  block[-5] = 0x55;
  free(const_cast<uint8_t*>(block));
}

void grow() {
  auto* block = static_cast<uint8_t*>(malloc(ten));
  block[ten + 3] = 0x55;
  block = static_cast<uint8_t*>(realloc(block, 100));
}

void freeTwice() {
  void* volatile keep[3] = {malloc(ten), malloc(ten), malloc(ten)};
  void* volatile block = keep[1];
  free(block);
  free(block);
}

void freeMerged() {
  void* volatile keep[3] = {malloc(ten), malloc(ten), malloc(ten)};
  void* volatile block = keep[1];
  free(keep[0]);
  free(block);
  free(block);
}

void freePadded() {
  void* volatile keep[3] = {malloc(198 * ten), malloc(198 * ten), malloc(198 * ten)};
  free(keep[1]);
  // In the same place, 8 bytes longer than necessary: a rest too short for a block remains part of
  // the block.
  void* volatile block = malloc(198 * ten - 8);
  tell("same", block == keep[1]);
  free(keep[0]);
  free(block);
  free(block);
}

void freeForeign() {
  static int number;
  int* volatile block = &number;
  free(block);
}

void objects() {
  try {
    char* array = new char[ten * 30000];
    Serial.println(array);
  } catch (const std::bad_alloc& error) {
    Serial.println(error.what());
  }
  tell("nothrow", new (std::nothrow) char[ten * 30000] != nullptr);
  char* array = new char[ten * 30000];
  Serial.println(array);
}

__attribute__((noinline)) void smash() {
  volatile char buffer[16];
  for (size_t i = 0; i < 2 * ten; i++) buffer[i] = 'x';
  tell("smashed", buffer[0]);
}
