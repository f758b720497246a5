// Reads a line, and terminates in the way that it selects.
#include <Arduino.h>
#include <assert.h>
#include <limits.h>
#include <nvs_flash.h>

#include <stdexcept>
#include <thread>

#include "Shared.h"

portMUX_TYPE mux = portMUX_INITIALIZER_UNLOCKED;
volatile int zero = 0;
int* volatile nowhere = reinterpret_cast<int*>(8);

__attribute__((noinline)) int recurse(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return zero == 0 ? recurse(depth + 1) + frame[0] : 0;
}

__attribute__((noinline)) void crash() { *nowhere = 1; }

__attribute__((noinline)) int look() { return *nowhere; }

__attribute__((noinline)) void spin() {
  while (zero == 0) {
  }
}

/// The compiler makes this loop a jump to itself, and does not count it.
void empty(void*) {
  for (;;) {
  }
}

__attribute__((noinline)) int smash(size_t size) {
  char buffer[8];
  char* volatile start = buffer;
  memset(start, 'x', size);
  return buffer[zero];
}

void setup() {
  Serial.begin(115200);
  Serial.printf("reset reason %d\r\n", esp_reset_reason());
}

void loop() {
  if (Serial.available() == 0) {
    delay(10);
    return;
  }
  String how = Serial.readStringUntil('\n');
  Serial.println(how);
  if (how == "crash") crash();
  if (how == "load") Serial.println(look());
  if (how == "register") *portOutputRegister(digitalPinToPort(33)) = digitalPinToBitMask(33);
  if (how == "fetch") reinterpret_cast<void (*)()>(nowhere)();
  if (how == "divide") Serial.println(100 / zero);
  if (how == "recurse") Serial.println(recurse(0));
  if (how == "abort") abort();
  if (how == "assert") assert(zero == 1);
  if (how == "throw") throw std::runtime_error("thrown on purpose");
  if (how == "exit") exit(3);
  if (how == "spin") spin();
  if (how == "restart") ESP.restart();
  if (how == "empty") xTaskCreatePinnedToCore(empty, "hands", 1024, nullptr, 2, nullptr, 0);
  if (how == "halt") empty(nullptr);
  if (how == "flash in a section") {
    portENTER_CRITICAL(&mux);
    nvs_flash_erase();
  }
  if (how == "flash in an interrupt") {
    hw_timer_t* timer = timerBegin(1000000);
    timerAttachInterrupt(timer, [] { nvs_flash_erase(); });
    timerAlarm(timer, 1000, false, 0);
  }
  if (how == "print in an interrupt") {
    hw_timer_t* timer = timerBegin(1000000);
    timerAttachInterrupt(timer, [] { printf("tick\n"); });
    timerAlarm(timer, 1000, false, 0);
  }
  if (how == "critical") {
    noInterrupts();
    empty(nullptr);
  }
  if (how == "smash") Serial.println(smash(200));
  if (how == "quotient") Serial.println(INT_MIN / (zero - 1));
  if (how == "remainder") Serial.println(INT_MIN % (zero - 1));
  if (how == "static") makeTwice();
  if (how == "mutex") lockTwice();
  if (how == "thread") std::thread([] {}).join();
  if (how == "memory") {
    for (;;) nowhere = new int[1 << 18];
  }
}
