// Never gives the processor back; tells of it when the watchdog has started it again.
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
