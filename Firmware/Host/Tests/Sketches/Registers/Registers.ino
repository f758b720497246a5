// The registers of the pins, as public libraries use them; a byte of the input chooses a case.
#include <hal/gpio_ll.h>
#include <rom/gpio.h>
#include <soc/gpio_reg.h>
#include <soc/gpio_struct.h>

void levels() {
  pinMode(4, INPUT_PULLUP);
  pinMode(33, INPUT);
  GPIO.out_w1tc = 1u << 4;  // not driven yet
  GPIO.enable_w1ts = 1u << 4;
  const int low = GPIO.in >> 4 & 1;
  GPIO.out_w1ts = 1u << 4 | 1u << 24;  // there is no pin 24
  const int high = GPIO.in >> 4 & 1;
  GPIO.out |= 1u << 13;
  GPIO.enable |= 1u << 13;
  GPIO.out ^= 1u << 13 | 1u << 4;
  GPIO.enable_w1tc = 1u << 4;
  const int pulled = GPIO.in >> 4 & 1;
  GPIO.out1_w1ts.val = 1u << 1;
  GPIO.enable1_w1ts.data = 1u << 1;
  GPIO.out1_w1tc.val = 1u << 1;
  const uint32_t start = micros();
  for (int i = 0; i < 10; i++) GPIO.out1_w1ts.data = 1u << 1;
  const uint32_t duration = micros() - start;
  Serial.printf("levels %d %d %d out %x %x enable %x %x in1 %x took %u\r\n", low, high, pulled,
                static_cast<unsigned>(GPIO.out), static_cast<unsigned>(GPIO.out1.val),
                static_cast<unsigned>(GPIO.enable), static_cast<unsigned>(GPIO.enable1.val),
                static_cast<unsigned>(GPIO.in1.data), duration);
}

void macros() {
  pinMode(18, INPUT);
  pinMode(19, INPUT_PULLUP);
  REG_WRITE(GPIO_ENABLE_W1TS_REG, BIT(18));
  REG_SET_BIT(portOutputRegister(digitalPinToPort(18)), digitalPinToBitMask(18));
  const int high = gpio_ll_get_level(&GPIO, 18);
  gpio_ll_set_level(&GPIO, 18, 0);
  GPIO.pin[19].pad_driver = 1;
  gpio_output_set(BIT(19), 0, BIT(19), 0);
  const int released = digitalRead(19);
  WRITE_PERI_REG(GPIO_OUT_W1TC_REG, BIT(19));
  Serial.printf("macros %d %d type %u mode %d %d valid %d %d %d\r\n", high, released,
                static_cast<unsigned>(GPIO.pin[19].int_type),
                READ_PERI_REG(portModeRegister(0)) == (BIT(18) | BIT(19)),
                REG_GET_FIELD(GPIO_PIN0_REG + 4 * 19, GPIO_PIN0_PAD_DRIVER) == 1,
                digitalPinIsValid(24), digitalPinIsValid(-1), digitalPinCanOutput(34));
}

void setup() { Serial.begin(115200); }

void loop() {
  if (!Serial.available()) return delay(1);
  switch (Serial.read()) {
    case 'l':
      return levels();
    case 'm':
      return macros();
    case 'u':
      REG_WRITE(0x3ff480d4, 0);
      break;
    case 'p':
      *portOutputRegister(0) = 1;
      break;
    case 'a':
      *(volatile uint32_t*)&GPIO.in1 = 1;
      break;
  }
}
