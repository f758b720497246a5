// Converters, analog outputs, touch pins, clocks; a byte of the console's input chooses a case.
#include <driver/adc.h>
#include <esp_adc_cal.h>

volatile int frames, touches;

void IRAM_ATTR onFrame() { frames = frames + 1; }
void IRAM_ATTR onTouch() { touches = touches + 1; }

void readings() {
  const uint32_t start = micros();
  const int first = analogRead(34);
  const uint32_t duration = micros() - start;
  analogReadResolution(10);
  const int coarse = analogRead(34);
  analogReadResolution(13);
  const int fine = analogRead(34);
  analogReadResolution(12);
  analogSetPinAttenuation(35, ADC_0db);  // not read yet: no effect
  const int other = analogRead(35);
  analogSetPinAttenuation(35, ADC_2_5db);
  const uint32_t millivolts = analogReadMilliVolts(35);
  analogSetAttenuation(ADC_6db);
  analogRead(34);
  pinMode(25, OUTPUT);
  analogRead(25);
  digitalWrite(25, HIGH);  // no GPIO any more
  Serial.printf("analog %d %d %d %d %u none %d %u took %u\r\n", first, coarse, fine, other,
                millivolts, analogRead(5), analogReadMilliVolts(99), duration);
}

void frameMeans() {
  uint8_t numbers[] = {34, 36};
  uint8_t wrong[] = {34, 4};
  const bool isWrong = analogContinuous(wrong, 2, 10, 20000, onFrame);
  const bool isSlow = analogContinuous(numbers, 2, 10, 19999, onFrame);
  const bool isPrepared = analogContinuous(numbers, 2, 100, 20000, onFrame);
  adc_continuous_data_t* means = nullptr;
  analogContinuousStart();
  const uint32_t start = millis();
  const bool isLate = analogContinuousRead(&means, 5), isRead = analogContinuousRead(&means, 100);
  const uint32_t duration = millis() - start;
  delay(50);
  analogContinuousStop();
  Serial.printf("frames %d %d %d %d %d in %u, %d means %u %d %d\r\n", isWrong, isSlow, isPrepared,
                isLate, isRead, duration, frames, means[1].pin, means[1].avg_read_raw,
                means[1].avg_read_mvolts);
  pinMode(36, INPUT);  // ends it
  Serial.printf("ended %d\r\n", analogContinuousStart());
}

void outputs() {
  const bool isDone = dacWrite(25, 200), isRefused = dacWrite(27, 1);
  dacWrite(26, 7);
  const bool isOff = dacDisable(25), isOffAgain = dacDisable(25);
  pinMode(26, INPUT);
  Serial.printf("dac %d %d %d %d\r\n", isDone, isRefused, isOff, isOffAgain);
}

void touch() {
  const uint32_t start = millis();
  const int value = touchRead(T0);
  const uint32_t duration = millis() - start;
  touchAttachInterrupt(T0, onTouch, 40);
  delay(280);
  touchDetachInterrupt(T0);
  delay(100);
  touchAttachInterrupt(T0, onTouch, 40);
  pinMode(T0, INPUT);  // ends the measurements
  delay(100);
  Serial.printf("touch %d %d in %u touches %d\r\n", value, touchRead(5), duration, touches);
}

void legacy() {
  adc1_config_width(ADC_WIDTH_BIT_10);
  adc1_config_channel_atten(ADC1_CHANNEL_6, ADC_ATTEN_DB_11);
  int other = 0;
  const int error = adc2_get_raw(ADC2_CHANNEL_0, ADC_WIDTH_BIT_12, &other);
  Serial.printf("legacy %d %d %d %d\r\n", adc1_get_raw(ADC1_CHANNEL_6), error, other,
                adc1_get_raw(ADC1_CHANNEL_MAX));
  esp_adc_cal_characteristics_t line, curve;
  esp_adc_cal_characterize(ADC_UNIT_1, ADC_ATTEN_DB_0, ADC_WIDTH_BIT_12, 1100, &line);
  esp_adc_cal_characterize(ADC_UNIT_2, ADC_ATTEN_DB_11, ADC_WIDTH_BIT_12, 1000, &curve);
  Serial.printf("volts %u %u", esp_adc_cal_raw_to_voltage(0, &line),
                esp_adc_cal_raw_to_voltage(4095, &line));
  for (uint32_t raw : {1000, 2879, 2880, 2912, 2944, 3500, 4095}) {
    Serial.printf(" %u", esp_adc_cal_raw_to_voltage(raw, &curve));
  }
  Serial.println();
}

void clocks() {
  const bool isSet = setCpuFrequencyMhz(80), isRefused = setCpuFrequencyMhz(100);
  const uint32_t start = ESP.getCycleCount();
  delayMicroseconds(100);
  const uint32_t cycles = ESP.getCycleCount() - start, slow = getApbFrequency();
  setCpuFrequencyMhz(40);
  Serial.printf("clocks %d %d %u %u %u %u %u\r\n", isSet, isRefused, cycles, slow,
                getCpuFrequencyMhz(), getApbFrequency(), getXtalFrequencyMhz());
}

void setup() { Serial.begin(115200); }

void loop() {
  if (!Serial.available()) return delay(1);
  void (*const cases[])() = {readings, frameMeans, outputs, touch, legacy, clocks};
  cases[Serial.read() - '0']();
}
