#error "driver/ledc.h is not in espbench's host core: there is no PWM but that of ESP32Servo.h"
