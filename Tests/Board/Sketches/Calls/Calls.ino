// Makes one call of the NimBLE API in one situation. The console asks for it: a letter for the
// situation, the call's number, a full stop. After the result, the line "= NAME: RESULT", the board
// restarts.
#include "NimBLECalls.h"

static int number;
static volatile bool isMade;
static volatile long result;

static struct Callbacks : NimBLECharacteristicCallbacks {
  void onStatus(NimBLECharacteristic*, int code) override { Serial.printf("status %d\n", code); }
} callbacks;

static void make() {
  result = calls[number].run();
  isMade = true;
}

static void IRAM_ATTR makeInInterrupt() { make(); }

static void setUp() {
  server = NimBLEDevice::createServer();
  service = server->createService("A000");
  value = service->createCharacteristic("A001", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE |
                                                    NIMBLE_PROPERTY::NOTIFY |
                                                    NIMBLE_PROPERTY::INDICATE);
  value->setCallbacks(&callbacks);
  descriptor = value->createDescriptor("A002");
  advertising = NimBLEDevice::getAdvertising();
}

static void setUpWithoutServer() {
  service = new NimBLEService("A000");
  value = new NimBLECharacteristic("A001", NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::NOTIFY);
  descriptor = new NimBLEDescriptor("A002", NIMBLE_PROPERTY::READ, 10);
  advertising = NimBLEDevice::getAdvertising();
}

static void makeInTimer() {
  hw_timer_t* timer = timerBegin(1000000);
  timerAttachInterrupt(timer, makeInInterrupt);
  timerAlarm(timer, 1000, false, 0);
}

static void arrange(char situation) {
  if (situation != 'b') NimBLEDevice::init("Calls");
  situation == 'n' ? setUpWithoutServer() : setUp();
  switch (situation) {
    case 'i':
      server->start();
      return makeInTimer();
    case 'd':
      server->start();
      NimBLEDevice::deinit();
      break;
  }
  make();
}

void setup() {
  Serial.begin(115200);
  Serial.printf("%d calls\n", callCount);
}

void loop() {
  static char situation;
  if (situation == 0 && Serial.available()) {
    const char letter = Serial.read();
    number = Serial.parseInt();
    if (number >= callCount) return;
    situation = letter;
    arrange(situation);
  }
  if (isMade) {
    isMade = false;
    Serial.printf("= %s: ", calls[number].name);
    result == kDone ? Serial.println("done") : Serial.println(result);
    Serial.flush();
    esp_restart();
  }
  delay(1);
}
