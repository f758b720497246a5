// Makes one call of the NimBLE API in one situation. The console asks for it: a
// letter for the situation, the call's number, a full stop. In the situations
// with a client (C in a callback, I, D) the call follows when the client has
// written. After the result, the line "= NAME: RESULT", the board restarts.
#include "NimBLECalls.h"

static char situation;
static int number;
static volatile bool hasClientWritten;
static volatile bool isMade;
static volatile long result;

static void make() {
  result = calls[number].run();
  isMade = true;
}

static struct Callbacks : NimBLECharacteristicCallbacks {
  void onStatus(NimBLECharacteristic*, int code) override { Serial.printf("status %d\n", code); }
  void onWrite(NimBLECharacteristic*, NimBLEConnInfo& info) override {
    connection = info.getConnHandle();
    hasClientWritten = true;
    if (situation == 'C') make();
  }
} callbacks;

static struct ServerCallbacks : NimBLEServerCallbacks {
  void onDisconnect(NimBLEServer*, NimBLEConnInfo&, int reason) override {
    Serial.printf("left %d\n", reason);
  }
} serverCallbacks;

static void IRAM_ATTR makeInInterrupt() { make(); }

static void makeInTimer() {
  hw_timer_t* timer = timerBegin(1000000);
  timerAttachInterrupt(timer, makeInInterrupt);
  timerAlarm(timer, 1000, false, 0);
}

static void arrange() {
  if (situation != 'b') NimBLEDevice::init("Calls");
  strchr("nN", situation) ? setUpWithoutServer() : setUp(&serverCallbacks, &callbacks);
  switch (situation) {
    case 'R':
      server->start();
      NimBLEDevice::deinit();
      NimBLEDevice::init("Calls");
    case 'N':
      advertising->start();
      delay(1000);
      return make();
    case 'C':
    case 'I':
    case 'D':
      advertising->start();
      return;
    case 'i':
      server->start();
      return makeInTimer();
    case 'd':
    case 'r':
      server->start();
      NimBLEDevice::deinit();
      if (situation == 'r') NimBLEDevice::init("Calls");
      break;
  }
  make();
}

static void goOnWithClient() {
  delay(50);  // Until the client has its response.
  if (situation == 'I') makeInTimer();
  if (situation == 'D') {
    NimBLEDevice::deinit();
    make();
  }
}

void setup() {
  Serial.begin(115200);
  Serial.printf("%d calls\n", callCount);
}

void loop() {
  if (situation == 0 && Serial.available()) {
    const char letter = Serial.read();
    number = Serial.parseInt();
    if (number >= callCount) return;
    situation = letter;
    arrange();
  }
  if (hasClientWritten) {
    hasClientWritten = false;
    goOnWithClient();
  }
  if (isMade) {
    isMade = false;
    Serial.printf("= %s: ", calls[number].name);
    result == kDone ? Serial.println("done") : Serial.println(result);
    if (isUpperCase(situation)) delay(500);  // For what the client receives.
    Serial.flush();
    esp_restart();
  }
  delay(1);
}
