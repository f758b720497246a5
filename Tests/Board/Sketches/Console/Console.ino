// Echoes its input, restarts on 'r', prints the time on 't'.
void setup() {
  Serial.begin(115200);
  Serial.printf("reset reason %d\n", esp_reset_reason());
}

void loop() {
  while (Serial.available()) {
    int c = Serial.read();
    if (c == 'r') ESP.restart();
    if (c == 't') {
      Serial.printf("%lu ms\n", millis());
    } else {
      Serial.printf("heard %c\n", c);
    }
  }
  delay(10);
}
