// Calls for pins that lack the requested function. A line on the console selects a pin of the
// flash; from 100 on, the TX pin of a UART.
#include <driver/gpio.h>

volatile int edges;

void setup() {
  Serial.begin(115200);
  pinMode(34, OUTPUT);
  digitalWrite(34, HIGH);
  pinMode(36, INPUT_PULLUP);
  Serial.printf("pulled %d\r\n", digitalRead(36));
  digitalWrite(36, HIGH);
  for (uint8_t pin : {99, 24, 40, -1}) {
    pinMode(pin, OUTPUT);
    digitalWrite(pin, HIGH);
    Serial.printf("read %d\r\n", digitalRead(pin));
  }
  // The latch is not set either.
  digitalWrite(13, HIGH);
  pinMode(13, OUTPUT);
  Serial.printf("early %d\r\n", digitalRead(13));
  digitalWrite(13, HIGH);
  pinMode(14, INPUT);
  digitalWrite(14, HIGH);
  Serial.printf("of an input %d\r\n", digitalRead(14));
  pinMode(14, OUTPUT);
  Serial.printf("once driven %d\r\n", digitalRead(14));
  attachInterrupt(
      24, [] { edges = edges + 1; }, CHANGE);

  Serial.printf("direction %d\r\n", gpio_set_direction(GPIO_NUM_35, GPIO_MODE_INPUT_OUTPUT));
  Serial.printf("direction %d\r\n", gpio_set_direction(GPIO_NUM_28, GPIO_MODE_INPUT));
  Serial.printf("level %d\r\n", gpio_set_level(GPIO_NUM_35, 1));
  Serial.printf("level %d\r\n", gpio_set_level(GPIO_NUM_29, 1));
  Serial.printf("pull %d\r\n", gpio_set_pull_mode(GPIO_NUM_35, GPIO_PULLUP_PULLDOWN));
  gpio_set_direction(GPIO_NUM_25, GPIO_MODE_OUTPUT);
  gpio_set_level(GPIO_NUM_25, 1);
  digitalWrite(25, LOW);
  Serial.printf("without input %d\r\n", gpio_get_level(GPIO_NUM_25));
  gpio_set_direction(GPIO_NUM_25, GPIO_MODE_INPUT_OUTPUT);
  Serial.printf("with input %d, not Arduino's %d\r\n", gpio_get_level(GPIO_NUM_25),
                digitalRead(25));
  Serial2.begin(9600, SERIAL_8N1, 16, 37);
  Serial.printf("transmits on an input %d\r\n", static_cast<bool>(Serial2));
}

void loop() {
  if (Serial.available() == 0) return delay(100);
  long pin = Serial.parseInt();
  if (pin >= 100) {
    Serial2.begin(9600, SERIAL_8N1, 16, static_cast<int8_t>(pin - 100));
  } else {
    pinMode(static_cast<uint8_t>(pin), INPUT);
  }
  Serial.println("still running");
}
