// Pins that cannot do what is asked of them; "f" on the console asks for one of the flash.
void setup() {
  Serial.begin(115200);
  pinMode(2, OUTPUT);
  digitalWrite(2, HIGH);
  pinMode(34, OUTPUT);
  digitalWrite(34, HIGH);
  digitalWrite(13, HIGH);
  pinMode(15, INPUT_PULLUP);
  pinMode(36, INPUT_PULLUP);
  Serial.println("ready");
}

void loop() {
  if (Serial.read() == 'f') pinMode(6, OUTPUT);
  delay(10);
}
