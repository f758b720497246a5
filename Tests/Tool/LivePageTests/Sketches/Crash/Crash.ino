// Crashes, or takes memory, when it is told to; echoes everything else, in ESP-IDF's colours when
// asked.
static volatile int* nowhere = nullptr;

void writeNowhere() { *nowhere = 1; }

void setup() {
  Serial.begin(115200);
  pinMode(0, INPUT_PULLUP);
  pinMode(4, INPUT_PULLUP);
  pinMode(2, OUTPUT);
  Serial.println("ready");
}

void loop() {
  static bool wasPressed = false;
  static bool tellsHeap = false;
  if (tellsHeap) Serial.printf("free %u of %u\n", ESP.getFreeHeap(), ESP.getHeapSize());
  tellsHeap = false;
  bool isPressed = digitalRead(0) == LOW;
  if (isPressed != wasPressed) {
    wasPressed = isPressed;
    digitalWrite(2, isPressed ? HIGH : LOW);
    Serial.println(isPressed ? "pressed" : "released");
  }
  static bool wasLow = false;
  bool isLow = digitalRead(4) == LOW;
  if (isLow != wasLow) {
    wasLow = isLow;
    Serial.println(isLow ? "low 4" : "high 4");
  }
  if (Serial.available() > 0) {
    String line = Serial.readStringUntil('\n');
    if (line == "crash") writeNowhere();
    if (line == "heap") {
      static void* volatile kept = malloc(20000);
      tellsHeap = kept != nullptr;
    }
    if (line == "flood") {
      for (int number = 0; number < 20000; number++) Serial.printf("flood %d\n", number);
    }
    if (line == "colour") Serial.println("\033[0;31mE (42) main: red\033[0m plain");
    Serial.println("got " + line);
  }
  delay(5);
}
