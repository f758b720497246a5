# Functions with unusual call frame information, each called by the former: handwritten(), …, and at the end leaf(). GCC
# writes no such entries for RISC-V; assembly code, e.g. of libgcc and of ESP-IDF, has some of them.

    .text
    # The assembler's debug information does not know what the linker removes.
    .option norelax
    .cfi_sections FRAME_SECTIONS

    .globl handwritten
    .type handwritten, @function
# The frame address and the place of RA by expressions.
handwritten:
    .cfi_startproc
    addi sp, sp, -32
    sw ra, 28(sp)
    .cfi_escape 0x0f, 2, 0x72, 32           # def_cfa_expression: breg2 32
    .cfi_escape 0x10, 1, 2, 0x34, 0x1c      # expression for x1: lit4, minus
    call ra_in_register
    lw ra, 28(sp)
    addi sp, sp, 32
    ret
    .cfi_endproc
    .size handwritten, . - handwritten

# RA in another register, after an earlier exit and far from the function's begin.
    .type ra_in_register, @function
ra_in_register:
    .cfi_startproc
    addi sp, sp, -16
    .cfi_def_cfa_offset 16
    sw s1, 12(sp)
    .cfi_offset s1, -4
    mv s1, ra
    .cfi_register ra, s1
    .cfi_remember_state
    bnez sp, 1f
    mv ra, s1
    .cfi_restore ra
    lw s1, 12(sp)
    .cfi_restore s1
    addi sp, sp, 16
    .cfi_def_cfa_offset 0
    ret
    .skip 300
1:
    .cfi_restore_state
    j 2f
    .skip 70000
2:
    addi sp, sp, -32
    .cfi_adjust_cfa_offset 32
    nop
    call by_frame_pointer
    addi sp, sp, 32
    .cfi_adjust_cfa_offset -32
    mv ra, s1
    lw s1, 12(sp)
    addi sp, sp, 16
    ret
    .cfi_endproc
    .size ra_in_register, . - ra_in_register

# The former stack pointer from a register, and RA by the value of an expression: a word of the stack.
    .type by_frame_pointer, @function
by_frame_pointer:
    .cfi_startproc
    addi sp, sp, -32
    .cfi_def_cfa_offset 32
    sw s0, 24(sp)
    sw ra, 20(sp)
    .cfi_offset s0, -8
    .cfi_escape 0x16, 1, 4, 0x3c, 0x1c, 0x06, 0x96  # val_expression for x1: lit12, minus, deref, nop
    addi s0, sp, 32
    .cfi_def_cfa s0, 0
    addi sp, sp, -64
    call interrupted
    addi sp, s0, -32
    lw s0, 24(sp)
    lw ra, 20(sp)
    addi sp, sp, 32
    ret
    .cfi_endproc
    .size by_frame_pointer, . - by_frame_pointer

# As a handler of interrupts: its caller is at the saved address itself, which follows no call.
    .type interrupted, @function
interrupted:
    .cfi_startproc
    addi sp, sp, -16
    .cfi_def_cfa_offset 16
    sw ra, 12(sp)
    .cfi_offset ra, -4
    la t1, 3f
    jr t1
    nop
    nop
3:
    call handler
    lw ra, 12(sp)
    addi sp, sp, 16
    ret
    .cfi_endproc
    .size interrupted, . - interrupted

    .type handler, @function
handler:
    .cfi_startproc
    .cfi_signal_frame
    addi sp, sp, -48
    .cfi_def_cfa_offset 48
    la t0, 3b
    sw t0, 40(sp)
    sw ra, 44(sp)
    .cfi_offset ra, -8
    li a0, 5
    # On one line: gdb takes the line of the address that a handler of interrupts goes on at.
    call leaf; nop
    lw ra, 44(sp)
    addi sp, sp, 48
    ret
    .cfi_endproc
    .size handler, . - handler
