// Numbers as text, character classification, logs, power levels, and NimBLEUtils.
#include <NimBLEDevice.h>
#include <limits.h>

void printNumbers() {
  char text[40];
  Serial.printf("itoa %s", itoa(-255, text, 10));
  Serial.printf(" %s", itoa(-1, text, 16));
  Serial.printf(" %s", itoa(INT_MIN, text, 10));
  Serial.printf(" %d\r\n", itoa(1, text, 37) == nullptr && text[0] == 0);
  Serial.printf("ltoa %s", ltoa(-255, text, 16));
  Serial.printf(" %s", utoa(35, text, 36));
  Serial.printf(" %s", ultoa(static_cast<unsigned long>(-1), text, 10));
  Serial.printf(" %s", lltoa(LLONG_MIN, text, 10));
  Serial.printf(" [%s]\r\n", ulltoa(ULLONG_MAX, text, 17));
  Serial.printf("dtostrf [%s]", dtostrf(3.14159, 8, 2, text));
  Serial.printf(" [%s]", dtostrf(-0.5, 0, 0, text));
  Serial.printf(" [%s]", dtostrf(1.999, 4, 2, text));
  Serial.printf(" [%s]", dtostrf(-12345.678, 12, 1, text));
  Serial.printf(" [%s]\r\n", dtostrf(NAN, 8, 2, text));
}

void printCharacters() {
  Serial.printf("is %d%d%d%d%d%d %c%c\r\n", isDigit('7'), isAlpha('7'), isHexadecimalDigit('f'),
                isSpace('\v'), isWhitespace('\v'), isAscii(0x80), toUpperCase('a'),
                toLowerCase('Z'));
  Serial.printf("interrupts %d %d\r\n", digitalPinToInterrupt(4), digitalPinToInterrupt(40));
}

void printPower() {
  Serial.printf("power %d %d", NimBLEDevice::getPower(), NimBLEDevice::getPowerLevel());
  bool isSet = NimBLEDevice::setPowerLevel(ESP_PWR_LVL_P9);
  // Advertising uses the default power until its own is set.
  Serial.printf(" %d %d %d", isSet, NimBLEDevice::getPower(),
                NimBLEDevice::getPower(NimBLETxPowerType::Advertise));
  isSet = NimBLEDevice::setPowerLevel(ESP_PWR_LVL_N12, ESP_BLE_PWR_TYPE_ADV);
  Serial.printf(" %d %d", isSet, NimBLEDevice::getPower(NimBLETxPowerType::Advertise));
  // A level is not in dBm: this requests 7 dBm, and gets 6.
  isSet = NimBLEDevice::setPower(ESP_PWR_LVL_P9);
  Serial.printf(" %d %d", isSet, NimBLEDevice::getPower());
  Serial.printf(" %d\r\n", NimBLEDevice::setPowerLevel(static_cast<esp_power_level_t>(8)));
}

const uint16_t table[] PROGMEM = {0x1234, 0xABCD};
const char text[] PROGMEM = "flash";

void printFlash() {
  char copy[8];
  strcpy_P(copy, text);
  const byte row[] = {B10101, B00001010, B1};
  Serial.printf("%d %d %d ", row[0], row[1], row[2]);
  Serial.printf("%s %x %x %d\r\n", copy, pgm_read_word(table + 1), pgm_read_byte_near(table),
                strncmp_P(copy, PSTR("flag"), 3));
}

void setup() {
  Serial.begin(115200);
  printNumbers();
  printCharacters();
  printPower();
  printFlash();
  ESP_LOGE("tag", "%d", 1);  // Nothing, as log_e: CORE_DEBUG_LEVEL is 0.
  log_e("%d", 2);
  const uint8_t bytes[] = {0x0f, 0xa0};
  Serial.printf("utils [%s][%s][%s] %s", NimBLEUtils::returnCodeToString(BLE_HS_EDONE),
                NimBLEUtils::gapEventToString(0), NimBLEUtils::advTypeToString(0),
                NimBLEUtils::dataToHexString(bytes, sizeof bytes).c_str());
  NimBLEDevice::init("helpers");
  Serial.printf(" %d %d\r\n", NimBLEUtils::generateAddr(false).isStatic(),
                NimBLEUtils::generateAddr(true).isNrpa());
}

void loop() { delay(1000); }
