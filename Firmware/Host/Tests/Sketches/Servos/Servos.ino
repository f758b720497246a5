// Moves a servo as ESP32Servo's users do, and fills all channels.
#include <ESP32Servo.h>

static Servo servo, others[16];

void setup() {
  Serial.begin(115200);
  ESP32PWM::allocateTimer(1);
  servo.setPeriodHertz(50);
  servo.write(90);  // Not attached: nothing happens.
  Serial.printf("write %d\r\n", servo.attached());
  int refused = servo.attach(34);
  int channel = servo.attach(13, 500, 2400);
  Serial.printf("attach %d %d %d\r\n", refused, channel, servo.attached());
  for (int value : {0, 90, 180, 1000, -5, 400, 3000}) {
    servo.write(value);
    Serial.printf("%d %d %d\r\n", value, servo.read(), servo.readMicroseconds());
  }
  servo.release();
  servo.writeMicroseconds(1500);
  servo.detach();
  Serial.printf("detached %d %d\r\n", servo.attached(), servo.readMicroseconds());
  servo.attach(13);
  servo.detach();
  // One timer has four channels; the other channels are allocated by their timers.
  for (int timer : {0, 2, 3}) ESP32PWM::allocateTimer(timer);
  Serial.print("channels");
  for (Servo& other : others) Serial.printf(" %d", other.attach(4));
  Serial.printf(" left %d\r\n", ESP32PWM::channelsRemaining());
}

void loop() { delay(1000); }
