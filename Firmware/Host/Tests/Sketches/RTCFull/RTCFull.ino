// Data that fill all of the RTC's memory.

RTC_DATA_ATTR uint8_t data[4000];
RTC_SLOW_ATTR uint8_t slow[2000];
RTC_NOINIT_ATTR uint8_t noinit[2168];
RTC_FAST_ATTR uint8_t fast[8192];

void setup() {
  Serial.begin(115200);
  data[0]++;
  slow[0]++;
  noinit[0]++;
  fast[0]++;
  Serial.println("started");
}

void loop() { delay(100); }
