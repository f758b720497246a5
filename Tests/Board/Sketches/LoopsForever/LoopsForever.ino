// Does not return from loop(), which it has the task watchdog watch; after the reset it prints the
// reason.
static volatile unsigned turns;

void setup() {
  Serial.begin(115200);
  Serial.printf("reset reason %d\n", esp_reset_reason());
  enableLoopWDT();
}

void loop() {
  if (esp_reset_reason() == ESP_RST_TASK_WDT) {
    delay(1000);
    return;
  }
  for (;;) turns = turns + 1;
}
