// A DS3231. A line is the time to set, in ISO 8601, or 'a' and a time: the
// first alarm, at pin 27.
#include <RTClib.h>

static RTC_DS3231 rtc;

void setup() {
  Serial.begin(115200);
  pinMode(27, INPUT_PULLUP);
  bool begins = rtc.begin();
  Serial.printf("begin %d lost %d\n", begins, rtc.lostPower());
  rtc.writeSqwPinMode(DS3231_OFF);
}

void loop() {
  if (Serial.available()) {
    String line = Serial.readStringUntil('\n');
    line.trim();
    if (line[0] == 'a') {
      rtc.clearAlarm(1);
      bool isSet = rtc.setAlarm1(DateTime(line.c_str() + 1), DS3231_A1_Date);
      Serial.printf("alarm %d\n", isSet);
    } else {
      rtc.adjust(DateTime(line.c_str()));
    }
  }
  DateTime now = rtc.now();
  Serial.printf("%s day %d T %.2f fired %d pin %d\n", now.timestamp().c_str(), now.dayOfTheWeek(),
                rtc.getTemperature(), rtc.alarmFired(1), digitalRead(27));
  delay(250);
}
