// Pin 26: high for 5 ms in each second. Pin 25: high, until it becomes an input after 5 s. Pin 27:
// 300 pulses of 1 µs at 'p'. 'r' restarts.
void setup() {
  Serial.begin(115200);
  pinMode(26, OUTPUT);
  pinMode(27, OUTPUT);
  pinMode(25, OUTPUT);
  digitalWrite(25, HIGH);
  digitalWrite(13, HIGH);  // has no effect
  Serial.println("ready");
}

void loop() {
  if (millis() > 5000) pinMode(25, INPUT);
  for (int command; (command = Serial.read()) != -1;) {
    if (command == 'r') ESP.restart();
    for (int i = 0; command == 'p' && i < 300; i++) {
      digitalWrite(27, HIGH);
      delayMicroseconds(1);
      digitalWrite(27, LOW);
    }
  }
  digitalWrite(26, HIGH);
  delay(5);
  digitalWrite(26, LOW);
  delay(995);
}
