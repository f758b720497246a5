// Copies a pin to another, counts edges, and prints the chip.
#include <Arduino.h>

volatile int rising, changes;

void IRAM_ATTR onRising() { rising = rising + 1; }
void IRAM_ATTR onChange(void* count) { ++*static_cast<volatile int*>(count); }

void setup() {
  Serial.begin(9600);
  pinMode(2, OUTPUT);
  pinMode(4, INPUT_PULLUP);
  pinMode(15, INPUT_PULLUP);
  pinMode(16, INPUT_PULLDOWN);
  attachInterrupt(4, onRising, RISING);
  attachInterruptArg(5, onChange, const_cast<int*>(&changes), CHANGE);
  digitalWrite(2, HIGH);
  Serial.printf("output %d\r\n", digitalRead(2));
  digitalWrite(2, LOW);
  Serial.printf("%s rev %u, %u cores, %u MHz, %u bytes\r\n", ESP.getChipModel(),
                ESP.getChipRevision(), ESP.getChipCores(), ESP.getCpuFreqMHz(),
                ESP.getFlashChipSize());
  Serial.printf("mac %012llx\r\n", static_cast<unsigned long long>(ESP.getEfuseMac()));
  Serial.printf("random %u %u\r\n", esp_random(), esp_random());
}

void loop() {
  delay(100);
  Serial.printf("pulled %d %d\r\n", digitalRead(15), digitalRead(16));
  Serial.printf("input %d rising %d changes %d\r\n", digitalRead(4), rising, changes);
}
