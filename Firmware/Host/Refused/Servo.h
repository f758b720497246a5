#error "Servo.h is not in espbench's host core: use ESP32Servo.h"
