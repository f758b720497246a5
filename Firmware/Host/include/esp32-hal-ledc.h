// arduino-esp32 3.x: PWM by the LEDC peripheral of the ESP32, with 16 channels in two groups of 4
// timers. Servos (ESP32Servo.h) use its channels, too.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum {
  NOTE_C,
  NOTE_Cs,
  NOTE_D,
  NOTE_Eb,
  NOTE_E,
  NOTE_F,
  NOTE_Fs,
  NOTE_G,
  NOTE_Gs,
  NOTE_A,
  NOTE_Bb,
  NOTE_B,
  NOTE_MAX
} note_t;

#ifdef __cplusplus
extern "C" {
#endif

/// Attaches a pin to the first free channel. Channels of a group with the same frequency and
/// resolution (1 to 20 bits) share a timer; `freq` << `resolution` is at most 80 MHz.
bool ledcAttach(uint8_t pin, uint32_t freq, uint8_t resolution);
/// A channel in use keeps its frequency and resolution.
bool ledcAttachChannel(uint8_t pin, uint32_t freq, uint8_t resolution, uint8_t channel);
bool ledcDetach(uint8_t pin);
/// The highest duty, with all bits set, is always on.
bool ledcWrite(uint8_t pin, uint32_t duty);
bool ledcWriteChannel(uint8_t channel, uint32_t duty);
uint32_t ledcRead(uint8_t pin);
/// 0 while the duty is 0.
uint32_t ledcReadFreq(uint8_t pin);
/// A square wave; these change the resolution to 10 bits. `freq` 0: silence.
uint32_t ledcWriteTone(uint8_t pin, uint32_t freq);
uint32_t ledcWriteNote(uint8_t pin, note_t note, uint8_t octave);
uint32_t ledcChangeFrequency(uint8_t pin, uint32_t freq, uint8_t resolution);
bool ledcOutputInvert(uint8_t pin, bool out_invert);
/// Changes the duty in the background; the board gets at most 100 steps a second. The callback runs
/// in an interrupt at the end.
bool ledcFade(uint8_t pin, uint32_t start_duty, uint32_t target_duty, int max_fade_time_ms);
bool ledcFadeWithInterrupt(uint8_t pin, uint32_t start_duty, uint32_t target_duty,
                           int max_fade_time_ms, void (*userFunc)(void));
bool ledcFadeWithInterruptArg(uint8_t pin, uint32_t start_duty, uint32_t target_duty,
                              int max_fade_time_ms, void (*userFunc)(void*), void* arg);

/// 8 bits and 1 kHz unless changed.
void analogWrite(uint8_t pin, int value);
void analogWriteFrequency(uint8_t pin, uint32_t freq);
void analogWriteResolution(uint8_t pin, uint8_t resolution);

#ifdef __cplusplus
}
#endif
