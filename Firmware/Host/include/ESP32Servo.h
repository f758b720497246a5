// ESP32Servo 3.x for the virtual board: a servo's pulses are sent to the board, which reports them
// to the bench.
//
// As in the library, pulses are multiples of 1/1024 of the period (19.5 us at 50 Hz), so read()
// returns an angle up to 2 degrees below the one written.
#pragma once

#include "ESP32PWM.h"

#define DEFAULT_uS_LOW 544
#define DEFAULT_uS_HIGH 2400
#define MINIMUM_TIMER_WIDTH 10
#define MAXIMUM_TIMER_WIDTH 20
#define DEFAULT_TIMER_WIDTH 10
#define MIN_PULSE_WIDTH 500
#define MAX_PULSE_WIDTH 2500
#define DEFAULT_PULSE_WIDTH 1500
#define REFRESH_USEC 20000
#define MAX_SERVOS 20

class Servo {
 public:
  Servo() = default;
  ~Servo();
  Servo(const Servo&) = delete;
  Servo& operator=(const Servo&) = delete;

  /// Allocates a free channel and returns its number; 0 for a pin that cannot be used. Pulses begin
  /// with the first write; a channel used before continues its last pulse, as on the chip. Without
  /// a free channel the library blocks forever.
  int attach(int pin) { return attach(pin, DEFAULT_uS_LOW, DEFAULT_uS_HIGH); }
  /// `min`, `max`: the pulses of 0 and 180 degrees in microseconds, within 500 to 2500.
  int attach(int pin, int min, int max);
  void detach();
  /// `value` below 500: an angle in degrees (0 to 180); otherwise a pulse in microseconds.
  void write(int value);
  void writeMicroseconds(int value);
  void writeTicks(int value);
  /// Stops the pulses until the next write.
  void release();
  int read();
  /// 0 when not attached.
  int readMicroseconds();
  int readTicks() { return ticks; }
  bool attached() { return channel >= 0; }
  void setTimerWidth(int value);
  int readTimerWidth() { return timerWidth; }
  void setPeriodHertz(int hertz);

 private:
  int usToTicks(int usec) const;
  int ticksToUs(int ticks) const;
  void setDuty(int duty);
  void tellBoard();

  int min = DEFAULT_uS_LOW;
  int max = DEFAULT_uS_HIGH;
  int pinNumber = -1;
  int channel = -1;
  int timer = -1;
  int timerWidth = DEFAULT_TIMER_WIDTH;
  int ticks = 4825;  // The library's own value before the first write.
  int frequency = 50;
};
