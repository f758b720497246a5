// Arduino's binary constants, B0 to B11111111. On the chip they are macros.
#pragma once

// The constants with one digit more than `name`, whose value is `value`, and so on.
#define ESPBENCH_B1(name, value) name##0 = 2 * (value), name##1 = 2 * (value) + 1
#define ESPBENCH_B2(name, value) \
  ESPBENCH_B1(name, value), ESPBENCH_B1(name##0, 2 * (value)), ESPBENCH_B1(name##1, 2 * (value) + 1)
#define ESPBENCH_B3(name, value) \
  ESPBENCH_B1(name, value), ESPBENCH_B2(name##0, 2 * (value)), ESPBENCH_B2(name##1, 2 * (value) + 1)
#define ESPBENCH_B4(name, value) \
  ESPBENCH_B1(name, value), ESPBENCH_B3(name##0, 2 * (value)), ESPBENCH_B3(name##1, 2 * (value) + 1)
#define ESPBENCH_B5(name, value) \
  ESPBENCH_B1(name, value), ESPBENCH_B4(name##0, 2 * (value)), ESPBENCH_B4(name##1, 2 * (value) + 1)
#define ESPBENCH_B6(name, value) \
  ESPBENCH_B1(name, value), ESPBENCH_B5(name##0, 2 * (value)), ESPBENCH_B5(name##1, 2 * (value) + 1)
#define ESPBENCH_B7(name, value) \
  ESPBENCH_B1(name, value), ESPBENCH_B6(name##0, 2 * (value)), ESPBENCH_B6(name##1, 2 * (value) + 1)
#define ESPBENCH_B8(name, value) \
  ESPBENCH_B1(name, value), ESPBENCH_B7(name##0, 2 * (value)), ESPBENCH_B7(name##1, 2 * (value) + 1)

enum { ESPBENCH_B8(B, 0) };

#undef ESPBENCH_B1
#undef ESPBENCH_B2
#undef ESPBENCH_B3
#undef ESPBENCH_B4
#undef ESPBENCH_B5
#undef ESPBENCH_B6
#undef ESPBENCH_B7
#undef ESPBENCH_B8
