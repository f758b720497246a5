/* Crashes of many kinds, chosen with -DCRASH=n. */

volatile int* volatile sink;
void (*volatile callback)(int);
volatile int depth = 3;

static inline __attribute__((always_inline)) void store(int value) {
  volatile int* target = sink;
  *target = value;
}

__attribute__((noinline)) int leaf(int value) {
  store(value * 3);
  return value;
}

/* Keeps many values over a call, so that registers are saved. */
__attribute__((noinline)) int busy(int a, int b, int c, int d) {
  int e = a * b + c, f = b * c + d, g = c * d + a, h = d * a + b;
  int result = leaf(e);
  return result + e * f + g * h + a + b + c + d;
}

__attribute__((noinline)) int recursive(int level) {
  volatile int local[4] = {level, level + 1, level + 2, level + 3};
  if (level == 0) return busy(local[0], local[1], local[2], local[3]) + local[1];
  return recursive(level - 1) + local[2];
}

/* Its frame's size is known at run time only: the frame pointer is needed. */
__attribute__((noinline)) int variable(int size) {
  volatile char buffer[size];
  for (int i = 0; i < size; i++) buffer[i] = (char)i;
  return recursive(depth) + buffer[size - 1];
}

/* More than the panic handler prints of the stack. */
__attribute__((noinline)) int large(int value) {
  volatile char buffer[1500];
  buffer[value] = 1;
  return leaf(value) + buffer[value];
}

__attribute__((noinline)) int called_back(int value) {
  callback(value);
  return value + 1;
}

__attribute__((noinline, noreturn)) void give_up(int value) {
  (void)value;
  __builtin_trap();
}

__attribute__((noinline)) int check(int value) {
  if (value > 1) give_up(value);
  return value + depth;
}

extern int handwritten(void);

__attribute__((noinline)) void app_main(void) {
#if CRASH == 0
  depth = variable(depth * 4) + 1;
#elif CRASH == 1
  depth = called_back(depth) + 1;
#elif CRASH == 2
  depth = check(depth) + 1;
#elif CRASH == 3
  depth = large(depth) + 1;
#elif CRASH == 4
  depth = handwritten() + 1;
#endif
}
