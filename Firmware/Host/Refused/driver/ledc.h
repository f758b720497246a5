#error "driver/ledc.h is not in espbench's host core: ledcAttach() and ledcWrite() send PWM signals, servos are of ESP32Servo.h"
