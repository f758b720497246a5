// A lock over BLE: clients paired with its passkey write "0" (lock) or "1" (unlock).

#include <NimBLEDevice.h>

#include "Board.h"
#include "Bolt.h"
#include "ButtonGesture.h"
#include "Configuration.h"
#include "ConsoleCommand.h"
#include "Gatekeeper.h"
#include "Guard.h"
#include "LockService.h"
#include "ServoDriver.h"

static NvsStore store;
static SerialConsole console;
static NimBLERadio radio;
static Gatekeeper gatekeeper(store, console, radio, esp_random);
static Bolt bolt(store, console);
static LockService service(gatekeeper, bolt, radio);
static ServoDriver servo;
static ButtonGesture button;
static ConsoleCommand command;

class ServerCallbacks : public NimBLEServerCallbacks {
  void onConnect(NimBLEServer*, NimBLEConnInfo&) override {
    Guard guard;
    console.line("Client connected");
    gatekeeper.connected(millis());
  }
  void onDisconnect(NimBLEServer*, NimBLEConnInfo&, int) override {
    Guard guard;
    console.line("Client disconnected - start advertising");
    gatekeeper.disconnected(millis());
  }
  void onMTUChange(uint16_t mtu, NimBLEConnInfo& client) override {
    console.print("MTU updated: %u for connection ID: %u", mtu, client.getConnHandle());
  }
  // Called for every pairing, since setSecurityPasskey() is never called.
  uint32_t onPassKeyDisplay() override {
    Guard guard;
    return gatekeeper.passkeyRequested(millis());
  }
  // The lock has no key for a confirmation: no user has compared the numbers.
  void onConfirmPassKey(NimBLEConnInfo& client, uint32_t number) override {
    console.print("The passkey YES/NO number: %06u", static_cast<unsigned>(number));
    NimBLEDevice::injectConfirmPasskey(client, false);
  }
  void onAuthenticationComplete(NimBLEConnInfo& client) override {
    Guard guard;
    if (!gatekeeper.authenticated(client.getConnHandle(), radio.peer(client.getIdAddress()),
                                  radio.security(client), millis())) {
      radio.disconnect(client.getConnHandle());
    }
  }
};

static void readConsole(uint32_t now) {
  while (Serial.available() > 0) {
    const ConsoleCommand::Parsed parsed = command.feed(static_cast<char>(Serial.read()));
    if (parsed == ConsoleCommand::Parsed::nothing) continue;
    if (parsed == ConsoleCommand::Parsed::relock && bolt.setRelock(command.seconds(), now)) {
      console.print("Relock after %u s", static_cast<unsigned>(command.seconds()));
    } else {
      console.line("Type: relock SECONDS (0: never, at most 86400)");
    }
  }
}

// The only place that starts advertising: a client that connects and disconnects early causes no
// callback.
static void advertise() {
  NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
  if (gatekeeper.mayAdvertise() == advertising->isAdvertising()) return;
  gatekeeper.mayAdvertise() ? advertising->start() : advertising->stop();
}

void setup() {
  Serial.begin(115200);
  console.line("Starting NimBLE Server");
  pinMode(kButtonPin, INPUT_PULLUP);
  store.begin();
  bolt.begin(millis());

  NimBLEDevice::init("ESP_TEST_DEVICE");
  gatekeeper.begin(kFixedPasskey, millis());
  NimBLEServer* server = NimBLEDevice::createServer();
  server->setCallbacks(new ServerCallbacks());
  service.begin(server);

  // Flags, UUID and TX power take 24 of the advertisement's 31 bytes, the name 28 of the
  // response's.
  NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
  advertising->enableScanResponse(true);
  advertising->addServiceUUID(LockService::uuid);
  advertising->addTxPower();
  advertising->setName("ESP_TEST_DEVICE_LOCAL_NAME");
  advertising->start();
  console.line("Starting BLE work!");
}

void loop() {
  uint32_t pause;
  {
    Guard guard;
    const uint32_t now = millis();
    const ButtonGesture::Gesture gesture = button.tick(digitalRead(kButtonPin) == LOW, now);
    if (gesture == ButtonGesture::Gesture::shortPress) gatekeeper.openWindow(now);
    if (gesture == ButtonGesture::Gesture::longPress) gatekeeper.clearBonds(now);
    readConsole(now);
    gatekeeper.tick(now);
    bolt.tick(now);
    servo.follow(bolt.motion());
    if (bolt.consumeReport()) service.notify();
    advertise();
    pause = bolt.motion().isMoving() ? 10 : 20;
  }
  delay(pause);
}
