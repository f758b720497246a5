// A .cpp file of a sketch: NimBLEDevice.h does not include Arduino.h. As in NotThere.cpp, each line
// with "refused:" must be an error, and no other line may be one.
#include <NimBLEDevice.h>

// These are enumerators in NimBLE, which the preprocessor does not know.
#ifdef BLE_ERR_REM_USER_CONN_TERM
#error "BLE_ERR_REM_USER_CONN_TERM is a macro"
#endif

int printed(Stream& stream) {
  stream.println(String("text"));
  vTaskDelay(pdMS_TO_TICKS(10));
  static_assert(static_cast<char>(0xff) == 255, "a char is unsigned");
  ble_error_codes code = BLE_ERR_CONN_SPVN_TMO;
  return BLE_HS_HCI_ERR(code) + static_cast<int>(esp_timer_get_time());
}

void withoutArduino(NimBLEServer* server) {
  Serial.println("text");              // refused: Serial
  uint32_t now = millis();             // refused: millis
  delay(10);                           // refused: delay
  digitalWrite(2, HIGH);               // refused: digitalWrite
  server->handleEvent(5, nullptr, 0);  // refused: handleEvent
}
