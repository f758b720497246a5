// Data larger than the RTC's slow memory of 8,168 bytes.

RTC_DATA_ATTR uint8_t data[6000];
RTC_NOINIT_ATTR uint8_t noinit[2172];

void setup() {
  Serial.begin(115200);
  data[0]++;
  noinit[0]++;
  Serial.println("started");
}

void loop() { delay(100); }
