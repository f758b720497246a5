// A sensor at 0x28 on the pins 21 and 22, with four registers: a write selects one, and sets it and
// those behind it; the next read gives them from there on. A word on the console spoils, ends,
// restarts or puts to sleep.
#include <Wire.h>
#include <esp_sleep.h>

static uint8_t registers[4] = {0x11, 0x22, 0x33, 0x44};
static volatile bool isSpoiled;

static void onReceive(int count) {
  uint8_t at = Wire.read() & 3;
  Serial.printf("register %u, %d bytes\n", at, count);
  for (uint8_t i = at; Wire.available(); i++) registers[i & 3] = Wire.read();
  uint8_t answer[4];
  for (int i = 0; i < 4; i++) answer[i] = registers[(at + i) & 3];
  if (isSpoiled) answer[1]++;
  Wire.slaveWrite(answer, 4);
}

void setup() {
  Serial.begin(115200);
  Wire.onReceive(onReceive);
  Wire.begin((uint8_t)0x28);
  Serial.println("ready");
}

void loop() {
  if (!Serial.available()) return delay(10);
  String word = Serial.readStringUntil('\n');
  if (word == "spoil") isSpoiled = true;
  if (word == "end") Wire.end();
  if (word == "crash") *(volatile int*)8 = 1;
  if (word == "second") Wire1.begin(0x28, 16, 17, 0);
  if (word == "doze") {
    esp_sleep_enable_timer_wakeup(500000);
    esp_light_sleep_start();
  }
  Serial.println("done");
}
