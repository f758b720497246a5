// arduino-esp32 3.x esp32-hal-rgb-led.h: one LED with a WS2812, through the RMT peripheral.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef RGB_BRIGHTNESS
#define RGB_BRIGHTNESS 64
#endif
#ifndef RGB_BUILTIN_LED_COLOR_ORDER
#define RGB_BUILTIN_LED_COLOR_ORDER LED_COLOR_ORDER_GRB
#endif

typedef enum {
  LED_COLOR_ORDER_RGB,
  LED_COLOR_ORDER_BGR,
  LED_COLOR_ORDER_BRG,
  LED_COLOR_ORDER_RBG,
  LED_COLOR_ORDER_GBR,
  LED_COLOR_ORDER_GRB
} rgb_led_color_order_t;

void rgbLedWriteOrdered(uint8_t pin, rgb_led_color_order_t order, uint8_t red_val,
                        uint8_t green_val, uint8_t blue_val);
/// In the order RGB_BUILTIN_LED_COLOR_ORDER.
void rgbLedWrite(uint8_t pin, uint8_t red_val, uint8_t green_val, uint8_t blue_val);
/// The former name of rgbLedWrite().
void neopixelWrite(uint8_t p, uint8_t r, uint8_t g, uint8_t b);

#ifdef __cplusplus
}
#endif
