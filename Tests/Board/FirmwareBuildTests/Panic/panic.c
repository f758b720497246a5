/* A program for qemu-riscv32 that panics as an ESP32-C3 does: on a signal it prints its registers
 * and 1 KiB of its stack in the form of ESP-IDF's panic handler, and ends. app_main() runs on a
 * stack of its own, as a task does. */

typedef unsigned int word;

extern void app_main(void);

static char stack[8192] __attribute__((aligned(16)));
static char signal_stack[8192] __attribute__((aligned(16)));

/* The compiler calls it. */
void* memcpy(void* to, const void* from, word count) {
  for (word i = 0; i < count; i++) ((volatile char*)to)[i] = ((const char*)from)[i];
  return to;
}

static long call(long number, long a, long b, long c, long d) {
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a3 __asm__("a3") = d;
  register long a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a7) : "memory");
  return a0;
}

static void print(const char* text) {
  int length = 0;
  while (text[length]) length++;
  call(64, 1, (long)text, length, 0); /* write */
}

static void print_hex(word value) {
  char text[9];
  for (int i = 0; i < 8; i++) text[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
  text[8] = 0;
  print(text);
}

/* The first word is the program counter, then x1 to x31 follow, as in Linux's ucontext_t of RISC-V.
 */
static void print_registers(const word* registers) {
  static const char* const names[] = {
      "MEPC    ", "RA      ", "SP      ", "GP      ", "TP      ", "T0      ", "T1      ",
      "T2      ", "S0/FP   ", "S1      ", "A0      ", "A1      ", "A2      ", "A3      ",
      "A4      ", "A5      ", "A6      ", "A7      ", "S2      ", "S3      ", "S4      ",
      "S5      ", "S6      ", "S7      ", "S8      ", "S9      ", "S10     ", "S11     ",
      "T3      ", "T4      ", "T5      ", "T6      "};
  print("Core  0 register dump:");
  for (int i = 0; i < 32; i++) {
    print(i % 4 ? "" : "\r\n");
    print(names[i]);
    print(": 0x");
    print_hex(registers[i]);
    print("  ");
  }
  print(
      "\r\nMSTATUS : 0x00001881  MTVEC   : 0x40380001  MCAUSE  : 0x00000007  MTVAL   : 0x00000000  "
      "\r\nMHARTID : 0x00000000  \r\n");
}

static void print_stack(word sp) {
  print("\r\nStack memory:\r\n");
  for (word offset = 0; offset < 1024; offset += 32) {
    print_hex(sp + offset);
    print(": ");
    for (int i = 0; i < 8; i++) {
      print("0x");
      print_hex(((const word*)(sp + offset))[i]);
      print(i == 7 ? "\r\n" : " ");
    }
  }
}

static void panic(int signal, void* info, const word* context) {
  (void)signal, (void)info;
  /* ucontext_t: flags, link, stack of 3 words, 128 bytes of mask, and at a multiple of 16 the
   * registers. */
  const word* registers = context + 40;
  print(
      "Guru Meditation Error: Core  0 panic'ed (Store access fault). Exception was "
      "unhandled.\r\n\r\n");
  print_registers(registers);
  print_stack(registers[2]);
  print("\r\n\r\n\r\nELF file SHA256: 0000000000\r\n\r\nRebooting...\r\n");
  call(93, 0, 0, 0, 0); /* exit */
}

/* The outermost function of a task, as FreeRTOS's port has it: nothing called it. */
__attribute__((noreturn, noinline, used)) static void task(void) {
  __asm__ volatile(".cfi_undefined ra");
  app_main();
  for (;;) call(93, 1, 0, 0, 0);
}

__attribute__((noreturn, used)) static void start(void) {
  struct {
    void* base;
    int flags;
    word size;
  } alternate = {signal_stack, 0, sizeof signal_stack};
  /* SA_SIGINFO | SA_ONSTACK */
  struct {
    void (*handler)(int, void*, const word*);
    word flags;
    word mask[2];
  } action = {panic, 0x08000004, {0, 0}};
  call(132, (long)&alternate, 0, 0, 0);
  static const int signals[] = {4, 5, 7, 11};
  for (int i = 0; i < 4; i++) call(134, signals[i], (long)&action, 0, 8);
  for (unsigned i = 0; i < sizeof stack / 4; i++) ((volatile word*)stack)[i] = 0xa5a5a5a5;
  /* 2 KiB above belong to no frame. */
  __asm__ volatile("mv sp, %0\n li ra, 0\n li s0, 0\n j task" : : "r"(stack + sizeof stack - 2048));
  __builtin_unreachable();
}

__attribute__((naked, noreturn)) void _start(void) {
  __asm__ volatile(
      ".option push\n.option norelax\n la gp, __global_pointer$\n.option pop\n j start");
}
