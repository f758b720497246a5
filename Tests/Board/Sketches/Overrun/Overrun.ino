// Counts the input received while it waits in a call.
#include <Preferences.h>

void setup() {
  Serial.setRxBufferSize(100000);
  Serial.begin(115200);
  Preferences store;
  store.begin("overrun");
  for (int i = 0; i < 50; i++) store.putInt("key", i);
  delay(10);
  Serial.printf("received %d\n", Serial.available());
}

void loop() { delay(1000); }
