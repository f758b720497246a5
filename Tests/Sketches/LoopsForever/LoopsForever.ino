// Never gives the processor back.
static volatile unsigned turns;

void setup() {
  Serial.begin(115200);
  Serial.println("looping");
}

void loop() {
  for (;;) turns = turns + 1;
}
