// Counts its starts and stores values: 'p' and a digit stores one, 'b' many; 'c' clears, 's' shows
// them.
#include <Preferences.h>

static Preferences store;

static void show() {
  char text[64] = "";
  store.getString("text", text, sizeof text);
  Serial.printf("starts %u number %u text '%s'\n", store.getUInt("starts"),
                store.getUChar("number"), text);
}

void setup() {
  Serial.begin(115200);
  Serial.printf("begin %d\n", store.begin("settings"));
  store.putUInt("starts", store.getUInt("starts") + 1);
  show();
}

void loop() {
  while (Serial.available()) {
    int command = Serial.read();
    if (command == 'p') {
      delay(1);
      int digit = Serial.read();
      char text[64];
      snprintf(text, sizeof text, "the digit %c, and enough beside it for two entries", digit);
      unsigned long start = micros();
      size_t stored = store.putUChar("number", digit - '0') + store.putString("text", text);
      unsigned long end = micros();
      Serial.printf("put %u in %lu us\n", stored, end - start);
    }
    if (command == 'c') Serial.printf("cleared %d\n", store.clear());
    if (command == 's') show();
  }
  delay(10);
}
