// Prints the pressed keys of a keypad of 4 x 3: + pressed, = held, - released.
#include <Keypad.h>

static char keys[4][3] = {{'1', '2', '3'}, {'4', '5', '6'}, {'7', '8', '9'}, {'*', '0', '#'}};
static byte rows[] = {13, 14, 26, 27}, columns[] = {32, 33, 25};
static Keypad keypad(makeKeymap(keys), rows, columns, 4, 3);

void setup() {
  Serial.begin(115200);
  Serial.println("ready");
}

void loop() {
  delay(1);
  if (!keypad.getKeys()) return;
  for (const Key& key : keypad.key) {
    if (!key.stateChanged) continue;
    switch (key.kstate) {
      case PRESSED:
        Serial.printf("+%c\n", key.kchar);
        break;
      case HOLD:
        Serial.printf("=%c\n", key.kchar);
        break;
      case RELEASED:
        Serial.printf("-%c\n", key.kchar);
        break;
      default:
        break;
    }
  }
}
