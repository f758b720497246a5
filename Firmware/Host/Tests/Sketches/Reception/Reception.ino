// Receptions by the RMT peripheral on pin 4; a byte of the console's input chooses a case.
static rmt_data_t data[100];

void print(size_t count) {
  for (size_t i = 0; i < count; i++) {
    Serial.printf(" %u:%u %u:%u", data[i].level0, data[i].duration0, data[i].level1,
                  data[i].duration1);
  }
  Serial.print("\r\n");
}

void begin(uint32_t frequency, uint16_t idle) {
  rmtInit(4, RMT_RX_MODE, RMT_MEM_NUM_BLOCKS_1, frequency);
  rmtSetRxMaxThreshold(4, idle);
}

/// Waits for the end, and says when it came after the last edge.
void wait() {
  begin(1000000, 500);
  size_t count = 100;
  const bool isRead = rmtRead(4, data, &count, 1000);
  Serial.printf("read %d at %lu %u:", isRead, micros() % 10000, count);
  print(count);
}

/// Goes on meanwhile, and at 400 kHz, of which a tick is no whole number of ns times 16.
void poll() {
  begin(400000, 1000);
  size_t count = 100;
  Serial.printf("async %d", rmtReadAsync(4, data, &count));
  Serial.printf(" %d", rmtReceiveCompleted(4));
  while (!rmtReceiveCompleted(4)) delay(1);
  Serial.printf(" %u:", count);
  print(count);
}

void filter() {
  begin(1000000, 500);
  rmtSetRxMinThreshold(4, 3);
  size_t count = 100;
  rmtRead(4, data, &count, 1000);
  Serial.printf("filtered %u:", count);
  print(count);
}

/// Less room than pulses, in the sketch's memory and in the channel's.
void limits() {
  begin(1000000, 500);
  size_t count = 2;
  data[2].val = 0x5555;
  rmtRead(4, data, &count, 1000);
  Serial.printf("small %u %x:", count, data[2].val);
  print(count);
  count = 100;
  rmtRead(4, data, &count, 1000);
  Serial.printf("large %u %u\r\n", count, data[63].duration1);
}

void errors() {
  size_t count = 100;
  Serial.printf("none %d %d", rmtRead(4, data, &count, 1), rmtReceiveCompleted(4));
  Serial.printf(" pins %d", rmtInit(24, RMT_RX_MODE, RMT_MEM_NUM_BLOCKS_1, 1000000));
  Serial.printf(" %d\r\n", rmtInit(35, RMT_RX_MODE, RMT_MEM_NUM_BLOCKS_1, 1000000));
  rmtInit(16, RMT_TX_MODE, RMT_MEM_NUM_BLOCKS_1, 1000000);
  begin(1000000, 500);
  Serial.printf("directions %d %d", rmtRead(16, data, &count, 1), rmtWrite(4, data, 1, 1));
  Serial.printf(" carrier %d", rmtSetCarrier(4, true, false, 38000, 0.5));
  Serial.printf(" null %d", rmtRead(4, nullptr, &count, 1));
  Serial.printf(" done %d\r\n", rmtReceiveCompleted(4));
  rmtSetRxMinThreshold(4, 4);
  Serial.printf("long filter %d\r\n", rmtRead(4, data, &count, 5));
  rmtSetRxMinThreshold(4, 0);
  Serial.printf("time-out %d\r\n", rmtRead(4, data, &count, 5));
  Serial.printf("again %d\r\n", rmtRead(4, data, &count, 5));
  Serial.printf("deinit %d", rmtDeinit(4));
  Serial.printf(" %d\r\n", rmtReadAsync(4, data, &count));
}

void setup() { Serial.begin(115200); }

void loop() {
  if (!Serial.available()) return delay(1);
  switch (Serial.read()) {
    case 'w':
      return wait();
    case 'p':
      return poll();
    case 'f':
      return filter();
    case 'l':
      return limits();
    case 'e':
      return errors();
  }
}
