// Measures the echo of an HC-SR04 by the RMT peripheral: trigger on pin 5, echo on pin 18.
static rmt_data_t echo[4];

void setup() {
  Serial.begin(115200);
  pinMode(5, OUTPUT);
  rmtInit(18, RMT_RX_MODE, RMT_MEM_NUM_BLOCKS_1, 1000000);
  rmtSetRxMaxThreshold(18, 30000);
}

void loop() {
  size_t count = 4;
  rmtReadAsync(18, echo, &count);
  digitalWrite(5, HIGH);
  delayMicroseconds(10);
  digitalWrite(5, LOW);
  delay(100);
  if (rmtReceiveCompleted(18)) {
    Serial.printf("%u symbol, level %u for %u us\n", count, echo[0].level0, echo[0].duration0);
  } else {
    Serial.println("no echo");
  }
}
