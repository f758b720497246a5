// Pulses by the RMT peripheral: an LED, transmissions that wait or do not, a loop, and misuse.
#include <Arduino.h>

void misuse() {
  rmt_data_t data = {};
  Serial.printf("not begun %d %d", rmtWrite(4, &data, 1, 10), rmtDeinit(4));
  Serial.printf(" %d %d\r\n", rmtSetEOT(4, 1), rmtTransmitCompleted(4));
  Serial.printf("input-only %d", rmtInit(34, RMT_TX_MODE, RMT_MEM_NUM_BLOCKS_1, 1000000));
  Serial.printf(" too fast %d", rmtInit(4, RMT_TX_MODE, RMT_MEM_NUM_BLOCKS_1, 80000001));
  Serial.printf(" memory %d", rmtInit(4, RMT_TX_MODE, RMT_MEM_NUM_BLOCKS_7, 1000000));
  Serial.printf(" %d", rmtInit(5, RMT_TX_MODE, RMT_MEM_NUM_BLOCKS_2, 1000000));
  Serial.printf(" %d\r\n", rmtDeinit(4));
}

void transmissions() {
  rmtInit(16, RMT_TX_MODE, RMT_MEM_NUM_BLOCKS_1, 1000000);
  Serial.printf("nothing %d\r\n", rmtWrite(16, nullptr, 0, 10));
  rmt_data_t data[3] = {};
  data[0] = {{1000, 1, 500, 0}};
  data[1] = {{2000, 1, 0, 1}};
  data[2] = {{3000, 1, 1, 0}};
  unsigned long start = micros();
  bool isDone = rmtWrite(16, data, 3, RMT_WAIT_FOR_EVER);
  Serial.printf("waited %d %lu\r\n", isDone, (micros() - start) / 100);
  rmtSetEOT(16, 1);
  isDone = rmtWrite(16, data, 1, 1);
  Serial.printf("time-out %d, complete %d", isDone, rmtTransmitCompleted(16));
  Serial.printf(", another %d", rmtWriteAsync(16, data, 1));
  delay(2);
  Serial.printf(", complete %d\r\n", rmtTransmitCompleted(16));
  Serial.printf("async %d", rmtWriteAsync(16, data, 1));
  Serial.printf(" %d\r\n", rmtTransmitCompleted(16));
  delay(5);

  static rmt_data_t loop[64];
  loop[0] = {{100, 1, 200, 0}};
  Serial.printf("loop %d", rmtWriteLooping(16, loop, 64));
  Serial.printf(" %d", rmtWriteLooping(16, loop, 1));
  delay(2);
  Serial.printf(" %d\r\n", rmtWriteLooping(16, nullptr, 0));
  delay(5);
  // More pulses than one message has, each of 3 us.
  static rmt_data_t many[8200];
  for (auto& symbol : many) symbol = {{2, 1, 1, 0}};
  start = micros();
  rmtWrite(16, many, 8200, RMT_WAIT_FOR_EVER);
  Serial.printf("many %lu\r\n", (micros() - start) / 100);
  Serial.printf("pin %d", rmtDeinit(16));
  pinMode(16, OUTPUT);
  Serial.printf(" %d\r\n", rmtDeinit(16));
}

void setup() {
  Serial.begin(115200);
  misuse();
  rgbLedWrite(2, 0x81, 0x42, 0x24);
  rgbLedWriteOrdered(2, LED_COLOR_ORDER_BRG, 0x81, 0x42, 0x24);
  transmissions();
  Serial.println("done");
}

void loop() { delay(1000); }
