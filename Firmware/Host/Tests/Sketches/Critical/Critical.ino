// Counts an interrupt's calls inside and outside of critical sections.
#include <Arduino.h>

static portMUX_TYPE mux = portMUX_INITIALIZER_UNLOCKED;
static volatile int interrupted;

void IRAM_ATTR onEdge() {
  portENTER_CRITICAL_ISR(&mux);
  interrupted = interrupted + 1;
  portEXIT_CRITICAL_ISR(&mux);
}

static void look(unsigned long milliseconds) {
  const unsigned long start = millis();
  while (millis() - start < milliseconds) {
  }
}

void setup() {
  Serial.begin(115200);
  attachInterrupt(digitalPinToInterrupt(4), onEdge, RISING);
  portENTER_CRITICAL(&mux);
  taskENTER_CRITICAL(&mux);
  look(20);
  taskEXIT_CRITICAL(&mux);
  look(20);
  const int inside = interrupted;
  portEXIT_CRITICAL(&mux);
  const int outside = interrupted;
  Serial.printf("section %d %d\r\n", inside, outside);
  noInterrupts();
  look(40);
  const int without = interrupted;
  interrupts();
  Serial.printf("disabled %d %d\r\n", without, interrupted);
  portEXIT_CRITICAL(&mux);
  Serial.println("never");
}

void loop() {}
