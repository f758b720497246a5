// Levels of pins, by the microsecond; a byte of the console's input chooses a case.
#include <Arduino.h>
#include <driver/gpio.h>

struct Edge {
  uint32_t time;
  int level;
};

volatile int edges;
Edge seen[64];

void IRAM_ATTR onEdge() {
  if (edges == 64) return;
  seen[edges].time = micros();
  seen[edges].level = digitalRead(5);
  edges = edges + 1;
}

void printEdges() {
  for (int i = 0; i < edges; i++) Serial.printf(" %u:%d", seen[i].time, seen[i].level);
  Serial.println();
  edges = 0;
}

/// Polls a pin until it has a level.
uint32_t await(uint8_t pin, int level) {
  while (digitalRead(pin) != level) {
  }
  return micros();
}

portMUX_TYPE lock = portMUX_INITIALIZER_UNLOCKED;

/// A bus with one wire: pulls it down, releases it, and reads the answer of a part.
void askOneWire(const char* name) {
  pinMode(13, OUTPUT_OPEN_DRAIN);
  digitalWrite(13, HIGH);
  delayMicroseconds(10);
  digitalWrite(13, LOW);
  digitalWrite(13, LOW);
  delayMicroseconds(480);
  portENTER_CRITICAL(&lock);
  const uint32_t start = micros();
  digitalWrite(13, HIGH);
  const uint32_t low = await(13, LOW) - start, high = await(13, HIGH) - start;
  portEXIT_CRITICAL(&lock);
  Serial.printf("%s %u %u\r\n", name, low, high);
}

hw_timer_t* timer;
volatile bool isAsked;

void IRAM_ATTR answerInInterrupt() {
  digitalWrite(13, LOW);
  const uint32_t start = micros();
  digitalWrite(13, HIGH);
  seen[0].time = await(13, LOW) - start;
  seen[1].time = await(13, HIGH) - start;
  isAsked = true;
}

void askOnTheOtherCore(void*) {
  askOneWire("core 0");
  vTaskDelete(nullptr);
}

volatile int held, limit;

void IRAM_ATTR onHeld() {
  held = held + 1;
  if (held == limit) gpio_intr_disable(GPIO_NUM_18);
}

void IRAM_ATTR onOwnEdge(void*) { held = held + 1; }

int loops;

bool isLooping() {
  if (loops == 0) return false;
  if (--loops > 0) return true;
  Serial.print("looped");
  printEdges();
  return false;
}

void startLevels() {
  Serial.begin(115200);
  pinMode(4, INPUT);
  pinMode(13, OUTPUT_OPEN_DRAIN);
  pinMode(5, INPUT);
  attachInterrupt(5, onEdge, CHANGE);
  Serial.println("ready");
}

void runCase(int name) {
  switch (name) {
    case '<':
      // The pull-up that comes on after attachInterrupt() is an edge.
      attachInterrupt(5, onEdge, CHANGE);
      pinMode(5, INPUT_PULLUP);
      delay(50);
      Serial.printf("early %d\r\n", edges);
      edges = 0;
      break;
    case 'b':  // busy
      delayMicroseconds(30000);
      Serial.print("busy");
      printEdges();
      break;
    case 'u': {  // polling, microsecond by microsecond
      const uint32_t end = micros() + 30000;
      while (micros() < end) {
      }
      Serial.print("polled");
      printEdges();
      break;
    }
    case 'n':  // in a loop() that does not wait, which takes a millisecond
      loops = 30;
      break;
    case 's':  // asleep
      delay(30);
      Serial.print("asleep");
      printEdges();
      break;
    case 'c': {  // in a critical section
      portENTER_CRITICAL(&lock);
      const uint32_t high = await(4, HIGH), low = await(4, LOW);
      portEXIT_CRITICAL(&lock);
      Serial.printf("critical %u %u\r\n", high, low);
      break;
    }
    case 'p': {  // pulses
      const unsigned long first = pulseIn(4, HIGH, 50000), second = pulseInLong(4, LOW, 5000);
      const uint32_t start = micros();
      const unsigned long none = pulseIn(4, HIGH, 2000);
      Serial.printf("pulses %lu %lu %lu after %lu\r\n", first, second, none, micros() - start);
      break;
    }
    case 'a':  // answered
      askOneWire("answer");
      break;
    case 'i':  // answered in an interrupt
      isAsked = false;
      timer = timerBegin(1000000);
      timerAttachInterrupt(timer, answerInInterrupt);
      timerAlarm(timer, 100, false, 0);
      while (!isAsked) delay(1);
      timerEnd(timer);
      Serial.printf("interrupt %u %u\r\n", seen[0].time, seen[1].time);
      break;
    case 'o':  // answered on the other core, while this one is busy
      xTaskCreatePinnedToCore(askOnTheOtherCore, "other", 4096, nullptr, 1, nullptr, 0);
      for (int i = 0; i < 2000; i++) digitalRead(4);
      delay(5);
      break;
    case 'h': {  // a level that is held until the handler switches it off
      limit = 3;
      held = 0;
      pinMode(18, INPUT_PULLUP);
      attachInterrupt(18, onHeld, ONHIGH);
      Serial.printf("held %d\r\n", held);
      detachInterrupt(18);
      break;
    }
    case 'l':  // a level that ends by itself
      limit = -1;
      held = 0;
      pinMode(18, INPUT_PULLUP);
      attachInterrupt(18, onHeld, ONLOW);
      delay(50);
      Serial.printf("lasted %d\r\n", held);
      detachInterrupt(18);
      break;
    case 'w':  // a level that ends light sleep, and whose handler then runs
      limit = 1;
      held = 0;
      pinMode(18, INPUT_PULLUP);
      attachInterrupt(18, onHeld, ONLOW_WE);
      esp_sleep_enable_gpio_wakeup();
      esp_light_sleep_start();
      Serial.printf("woken %d held %d\r\n", esp_sleep_get_wakeup_cause(), held);
      detachInterrupt(18);
      break;
    case 'g': {  // ESP-IDF's functions, and edges that the chip itself drives
      gpio_config_t config = {};
      config.pin_bit_mask = 1ull << 19 | 1ull << 21;
      config.mode = GPIO_MODE_INPUT_OUTPUT_OD;
      config.pull_up_en = GPIO_PULLUP_ENABLE;
      config.intr_type = GPIO_INTR_NEGEDGE;
      held = 0;
      const esp_err_t done = gpio_config(&config), again = gpio_install_isr_service(0);
      gpio_isr_handler_add(GPIO_NUM_19, onOwnEdge, nullptr);
      for (int level : {1, 0, 1, 0}) gpio_set_level(GPIO_NUM_19, static_cast<uint32_t>(level));
      gpio_set_level(GPIO_NUM_21, 1);
      const int own = gpio_get_level(GPIO_NUM_19), pulled = gpio_get_level(GPIO_NUM_21);
      gpio_pullup_dis(GPIO_NUM_21);
      gpio_isr_handler_remove(GPIO_NUM_19);
      gpio_set_level(GPIO_NUM_19, 1);
      gpio_set_level(GPIO_NUM_19, 0);
      Serial.printf("gpio %d %d edges %d levels %d %d %d\r\n", done, again, held, own, pulled,
                    gpio_get_level(GPIO_NUM_21));
      config.pin_bit_mask = 1ull << 34;
      const esp_err_t input = gpio_config(&config);
      config.pin_bit_mask = 1ull << 24;
      const esp_err_t missing = gpio_config(&config);
      Serial.printf("errors %d %d %d %d\r\n", input, missing, gpio_pullup_en(GPIO_NUM_36),
                    gpio_set_intr_type(GPIO_NUM_4, GPIO_INTR_MAX));
      break;
    }
  }
}
