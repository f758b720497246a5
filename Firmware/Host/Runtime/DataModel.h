// The chip's data model: sizes, alignments and signedness of the basic types, checked at compile
// time. A C header, so that the compilers for the chips can check the table, too.
//
// Sources: Xtensa ISA reference manual (call0 and windowed ABI, data types), RISC-V ELF psABI
// (ilp32), and newlib as ESP-IDF 5 configures it (time_t of 64 bits).
#ifndef ESPBENCH_DATA_MODEL_H
#define ESPBENCH_DATA_MODEL_H

#include <stddef.h>
#include <stdint.h>

#if defined(__riscv)
// ESP32-C3, -C6, -H2
#define CHIP_LONG_DOUBLE_SIZE 16
#define CHIP_LONG_DOUBLE_ALIGNMENT 16
#else
// ESP32, ESP32-S2, ESP32-S3
#define CHIP_LONG_DOUBLE_SIZE 8
#define CHIP_LONG_DOUBLE_ALIGNMENT 8
#endif

#ifdef __cplusplus
#define CHIP_ASSERT(condition) static_assert(condition, "differs from the chip: " #condition)
#define CHIP_ALIGNMENT(type) alignof(type)
#else
#define CHIP_ASSERT(condition) _Static_assert(condition, "differs from the chip: " #condition)
#define CHIP_ALIGNMENT(type) _Alignof(type)
#endif
#define CHIP_TYPE(type, size, alignment) \
  CHIP_ASSERT(sizeof(type) == (size));   \
  CHIP_ASSERT(CHIP_ALIGNMENT(type) == (alignment))
/// The alignment of a member behind a char: in structures, i386 differs without -malign-double.
#define CHIP_MEMBER(type, name, alignment) \
  struct espbench_member_##name {          \
    char before;                           \
    type member;                           \
  };                                       \
  CHIP_ASSERT(offsetof(struct espbench_member_##name, member) == (alignment))

CHIP_ASSERT((char)-1 > 0);

CHIP_TYPE(short, 2, 2);
CHIP_TYPE(int, 4, 4);
CHIP_TYPE(long, 4, 4);
CHIP_TYPE(long long, 8, 8);
CHIP_TYPE(float, 4, 4);
CHIP_TYPE(double, 8, 8);
CHIP_TYPE(long double, CHIP_LONG_DOUBLE_SIZE, CHIP_LONG_DOUBLE_ALIGNMENT);
CHIP_TYPE(void*, 4, 4);
CHIP_TYPE(size_t, 4, 4);
CHIP_TYPE(ptrdiff_t, 4, 4);
CHIP_TYPE(intptr_t, 4, 4);
CHIP_TYPE(intmax_t, 8, 8);
CHIP_TYPE(int_fast16_t, 4, 4);
CHIP_TYPE(int_fast32_t, 4, 4);
CHIP_TYPE(int_fast64_t, 8, 8);
#ifdef __cplusplus
CHIP_TYPE(bool, 1, 1);
#else
CHIP_TYPE(_Bool, 1, 1);
#endif

CHIP_MEMBER(long, long, 4);
CHIP_MEMBER(int64_t, int64, 8);
CHIP_MEMBER(double, double, 8);
CHIP_MEMBER(long double, longDouble, CHIP_LONG_DOUBLE_ALIGNMENT);
CHIP_MEMBER(void*, pointer, 4);

enum espbench_small { espbenchSmall };
CHIP_TYPE(enum espbench_small, 4, 4);

/// Bit fields are allocated from the lowest bit, in units of their type.
struct espbench_bits {
  uint8_t a : 3;
  uint8_t b : 6;
  uint32_t c : 20;
};
CHIP_ASSERT(sizeof(struct espbench_bits) == 8);
struct __attribute__((packed)) espbench_packed {
  uint8_t a;
  long b;
  double c;
};
CHIP_ASSERT(sizeof(struct espbench_packed) == 13);

#undef CHIP_MEMBER
#undef CHIP_TYPE
#undef CHIP_ALIGNMENT
#undef CHIP_ASSERT
#undef CHIP_LONG_DOUBLE_ALIGNMENT
#undef CHIP_LONG_DOUBLE_SIZE

#endif
