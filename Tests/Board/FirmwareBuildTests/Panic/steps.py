"""Runs in gdb: performs a program of this folder instruction by instruction, from app_main() on until it crashes, and prints
before each one a line with MEPC and x1 to x31, one with the words of 1 KiB of stack, and gdb's backtrace.

Usage: gdb-multiarch --batch -n -ex 'target remote SOCKET' -x steps.py PROGRAM
"""
import os
import struct

import gdb


def backtrace():
    frame, texts = gdb.newest_frame(), []
    while frame is not None:
        place = frame.find_sal()
        file = os.path.basename(place.symtab.filename) if place.symtab else "??"
        texts.append(f"{frame.name()} at {file}:{place.line}")
        frame = frame.older()
    return texts


gdb.execute("set pagination off")
gdb.execute("break *app_main", to_string=True)
gdb.execute("continue", to_string=True)
gdb.execute("delete", to_string=True)
for _ in range(4000):
    innermost = gdb.newest_frame()
    registers = [int(innermost.read_register(name)) & 0xFFFFFFFF for name in ["pc"] + [f"x{n}" for n in range(1, 32)]]
    stack = gdb.selected_inferior().read_memory(registers[2], 1024)
    print("registers", *registers)
    print("stack", *struct.unpack("<256I", bytes(stack)))
    print("backtrace", *backtrace(), sep="\t", flush=True)
    gdb.execute("stepi", to_string=True)
    if not gdb.selected_inferior().threads():
        break
