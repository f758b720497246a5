#error "esp_adc_cal.h is not in espbench's host core: use pinMode(), digitalRead(), digitalWrite() and ESP32Servo.h"
