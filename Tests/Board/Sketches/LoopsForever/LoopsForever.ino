// Never yields; after the watchdog's reset it prints the reset reason.
static volatile unsigned turns;

void setup() {
  Serial.begin(115200);
  Serial.printf("reset reason %d\n", esp_reset_reason());
}

void loop() {
  if (esp_reset_reason() == ESP_RST_TASK_WDT) {
    delay(1000);
    return;
  }
  for (;;) turns = turns + 1;
}
