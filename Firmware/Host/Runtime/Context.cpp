// Switching of contexts: the registers that a function must keep, by the machine's calling
// convention.
#include "Context.h"

#include <cstring>

#if defined(__i386__)

asm(R"(
  .text
  .globl espbench_switch_context
  .type espbench_switch_context, @function
espbench_switch_context:
  movl 4(%esp), %eax
  movl 8(%esp), %edx
  pushl %ebp
  pushl %ebx
  pushl %esi
  pushl %edi
  movl %esp, (%eax)
  movl %edx, %esp
  popl %edi
  popl %esi
  popl %ebx
  popl %ebp
  ret
  .size espbench_switch_context, . - espbench_switch_context

  .globl espbench_call_on_stack
  .type espbench_call_on_stack, @function
espbench_call_on_stack:
  pushl %ebp
  movl %esp, %ebp
  movl 8(%ebp), %esp
  andl $-16, %esp
  subl $12, %esp
  pushl 16(%ebp)
  call *12(%ebp)
  movl %ebp, %esp
  popl %ebp
  ret
  .size espbench_call_on_stack, . - espbench_call_on_stack

  .globl espbench_count_for_ever
  .type espbench_count_for_ever, @function
espbench_count_for_ever:
  .cfi_startproc
  pushl %ebp
  .cfi_def_cfa_offset 8
  .cfi_offset %ebp, -8
  movl %esp, %ebp
  .cfi_def_cfa_register %ebp
  andl $-16, %esp
1:
  call __sanitizer_cov_trace_pc
  jmp 1b
  .cfi_endproc
  .size espbench_count_for_ever, . - espbench_count_for_ever
)");

namespace {
constexpr size_t kSavedRegisters = 4;
}

#elif defined(__x86_64__)

asm(R"(
  .text
  .globl espbench_switch_context
  .type espbench_switch_context, @function
espbench_switch_context:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size espbench_switch_context, . - espbench_switch_context

  .globl espbench_call_on_stack
  .type espbench_call_on_stack, @function
espbench_call_on_stack:
  pushq %rbp
  movq %rsp, %rbp
  movq %rdi, %rsp
  andq $-16, %rsp
  movq %rdx, %rdi
  call *%rsi
  movq %rbp, %rsp
  popq %rbp
  ret
  .size espbench_call_on_stack, . - espbench_call_on_stack

  .globl espbench_count_for_ever
  .type espbench_count_for_ever, @function
espbench_count_for_ever:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  andq $-16, %rsp
1:
  call __sanitizer_cov_trace_pc
  jmp 1b
  .cfi_endproc
  .size espbench_count_for_ever, . - espbench_count_for_ever
)");

namespace {
constexpr size_t kSavedRegisters = 6;
}

#elif defined(__aarch64__)

asm(R"(
  .text
  .globl espbench_switch_context
  .type espbench_switch_context, %function
espbench_switch_context:
  stp x29, x30, [sp, #-160]!
  stp x19, x20, [sp, #16]
  stp x21, x22, [sp, #32]
  stp x23, x24, [sp, #48]
  stp x25, x26, [sp, #64]
  stp x27, x28, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #16]
  ldp x21, x22, [sp, #32]
  ldp x23, x24, [sp, #48]
  ldp x25, x26, [sp, #64]
  ldp x27, x28, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  ldp x29, x30, [sp], #160
  ret
  .size espbench_switch_context, . - espbench_switch_context

  .globl espbench_call_on_stack
  .type espbench_call_on_stack, %function
espbench_call_on_stack:
  stp x29, x30, [sp, #-16]!
  mov x29, sp
  and x9, x0, #-16
  mov sp, x9
  mov x0, x2
  blr x1
  mov sp, x29
  ldp x29, x30, [sp], #16
  ret
  .size espbench_call_on_stack, . - espbench_call_on_stack
)");

#else
#error "The host core switches tasks on i386, x86-64 and AArch64."
#endif

void* espbench::makeContext(uint8_t* stackHigh, void (*entry)()) {
  auto* top = reinterpret_cast<uintptr_t*>(reinterpret_cast<uintptr_t>(stackHigh) & ~uintptr_t{15});
#if defined(__aarch64__)
  constexpr size_t kFrameWords = 20;
  top -= kFrameWords;
  memset(top, 0, kFrameWords * sizeof *top);
  top[1] = reinterpret_cast<uintptr_t>(entry);  // x30
  return top;
#else
  *--top = 0;  // The return address of `entry`, which ends the backtrace.
  *--top = reinterpret_cast<uintptr_t>(entry);
  for (size_t i = 0; i < kSavedRegisters; i++) *--top = 0;
  return top;
#endif
}

const espbench::FrameRecord* espbench::frameOf(const void* context) {
  auto* saved = static_cast<const uintptr_t*>(context);
#if !defined(__aarch64__)
  saved += kSavedRegisters - 1;
#endif
  return reinterpret_cast<const FrameRecord*>(saved);
}
