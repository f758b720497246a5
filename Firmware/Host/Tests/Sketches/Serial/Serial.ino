// Prints values of every type, then answers its input.
#include <Arduino.h>

// As on the chip, Arduino.h suffices.
static_assert(sizeof(std::function<void()>) != 0);

struct Point : public Printable {
  size_t printTo(Print& p) const override { return p.print("(3, 4)"); }
};

void printNumbers() {
  Serial.println(42);
  Serial.println(-42);
  Serial.println(-1, HEX);
  Serial.println(255, BIN);
  Serial.println(8, OCT);
  Serial.println(35u, 36);
  Serial.println(static_cast<uint8_t>(200));
  Serial.println(static_cast<uint8_t>(200), HEX);
  Serial.println(-1L, HEX);
  Serial.println(4294967295ul);
  Serial.println(-9223372036854775807ll);
  Serial.println(18446744073709551615ull, HEX);
  Serial.println(int64_t(1) << 36, HEX);
  Serial.println(7, 1);
  Serial.print(65, 0);
  Serial.println();
  Serial.println('c');
  Serial.println(true);
  Serial.println(1.999);
  Serial.println(-3.14159, 4);
  Serial.println(2.5, 0);
  Serial.println(1.5f);
  Serial.println(NAN);
  Serial.println(INFINITY);
  Serial.println(5e9);
}

void printTexts() {
  Serial.println("text");
  Serial.println(F("flash"));
  Serial.println(String("string"));
  Serial.println(Point());
  Serial.printf("%02x %5.1f %s|%c\r\n", 7, 2.25, "formatted", 'x');
  Serial.printf("%lu %ld %08lx %lld %llu%%lu\r\n", uint32_t(4294967295u), int32_t(-2), -1L,
                int64_t(-5000000000), uint64_t(1) << 40);
  Serial.printf("%0200d\n", 1);
  Serial.write("written ");
  Serial.write(reinterpret_cast<const uint8_t*>("bytes\0\xff"), 7);
  Serial.println();
  Serial.println(static_cast<const char*>(nullptr));
  Serial.println(Serial.print("count "));
}

void setup() {
  Serial.println("not begun: nobody hears this");
  Serial.println(Serial ? "on" : "off");
  Serial.begin(115200);
  Serial.println(Serial ? "on" : "off");
  printNumbers();
  printTexts();
  printf("from the C library\n");
  Serial.println("ready");
}

void loop() {
  if (Serial.available() == 0) {
    delay(5);
    return;
  }
  int first = Serial.peek();
  String command = Serial.readStringUntil('\n');
  Serial.printf("<%c> %s\r\n", first, command.c_str());
  if (command == "int") Serial.println(Serial.parseInt());
  if (command == "float") Serial.println(Serial.parseFloat(), 3);
  if (command == "bytes") {
    char buffer[4] = {};
    size_t count = Serial.readBytes(buffer, 3);
    Serial.printf("%u %s\r\n", static_cast<unsigned>(count), buffer);
  }
  if (command == "find") Serial.println(Serial.find("needle") ? "found" : "not found");
  if (command == "count") {
    delay(100);
    Serial.println(Serial.available());
  }
}
