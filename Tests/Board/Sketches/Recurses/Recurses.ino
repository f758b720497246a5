// Needs more stack than there is.
volatile int depth;

int recurse(int level) {
  volatile char room[512];
  room[level % sizeof room] = level;
  depth = level;
  return recurse(level + 1) + room[0];
}

void setup() {
  Serial.begin(115200);
  depth = recurse(0);
}

void loop() {}
