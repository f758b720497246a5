// Data larger than the RTC's fast memory of 8,192 bytes.

RTC_FAST_ATTR uint8_t fast[8196];

void setup() {
  Serial.begin(115200);
  fast[0]++;
  Serial.println("started");
}

void loop() { delay(100); }
