// arduino-esp32 3.x hardware timers: four counters of 64 bits with an alarm each, whose handler
// runs as an interrupt of the core that attached it.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct timer_struct_t;
typedef struct timer_struct_t hw_timer_t;

/// Allocates a timer and starts it at 0. `frequency` of the counter in Hz: 1,221 Hz to 40 MHz, 80
/// MHz divided by an integer. Returns NULL for any other frequency, or when all four timers are in
/// use.
hw_timer_t* timerBegin(uint32_t frequency);
void timerEnd(hw_timer_t* timer);

void timerStart(hw_timer_t* timer);
void timerStop(hw_timer_t* timer);
/// Restarts the counter at 0.
void timerRestart(hw_timer_t* timer);
void timerWrite(hw_timer_t* timer, uint64_t val);

uint64_t timerRead(hw_timer_t* timer);
uint64_t timerReadMicros(hw_timer_t* timer);
uint64_t timerReadMillis(hw_timer_t* timer);
uint64_t timerReadMilis(hw_timer_t* timer);
double timerReadSeconds(hw_timer_t* timer);
/// The actual frequency.
uint32_t timerGetFrequency(hw_timer_t* timer);

void timerAttachInterrupt(hw_timer_t* timer, void (*userFunc)(void));
void timerAttachInterruptArg(hw_timer_t* timer, void (*userFunc)(void*), void* arg);
/// Also cancels the alarm.
void timerDetachInterrupt(hw_timer_t* timer);
/// The handler runs when the counter has reached `alarm_value`, at once if it has passed it. With
/// `autoreload`, the counter then restarts at `reload_count`; otherwise the alarm occurs only once.
void timerAlarm(hw_timer_t* timer, uint64_t alarm_value, bool autoreload, uint64_t reload_count);

#ifdef __cplusplus
}
#endif
