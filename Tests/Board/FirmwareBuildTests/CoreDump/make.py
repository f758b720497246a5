"""Makes a core dump of two tasks with esp-coredump's own classes, and prints it as ESP-IDF does: lines in Base64.

Usage: make.py xtensa|riscv crc|sha. esp-coredump's loader reads it back first: what it refuses is not printed."""
import base64
import binascii
import hashlib
import os
import struct
import sys
import tempfile

from esp_coredump.corefile.elf import ElfFile, ElfSegment, ESPCoreDumpElfFile, EspTaskStatus
from esp_coredump.corefile.loader import ESPCoreDumpFileLoader, EspCoreDumpLoader
from esp_coredump.corefile.riscv import Esp32C3Methods
from esp_coredump.corefile.xtensa import Esp32Methods

is_xtensa, has_sha = sys.argv[1] == "xtensa", sys.argv[2] == "sha"
machine = ESPCoreDumpElfFile.EM_XTENSA if is_xtensa else ESPCoreDumpElfFile.EM_RISCV
methods = Esp32Methods if is_xtensa else Esp32C3Methods
core = ESPCoreDumpElfFile(e_machine=machine)
note = EspCoreDumpLoader._build_note_section
tasks = [(0x3FFB8000, b"idle"), (0x3FFB9000, b"loopTask")]
notes = statuses = b""
for index, (tcb, name) in enumerate(tasks):
    stack = tcb + 0x100
    # Of a windowed call the caller's a0 and a1 are 16 and 12 bytes below the stack pointer.
    frame = struct.pack("<4I", 0x800D2000 + index * 0x10, stack + 0x40, 0, 0) if is_xtensa else bytes(16)
    outer = struct.pack("<4I", 0, stack + 0x80, 0, 0)
    memory = frame + bytes(0x30) + outer + bytes(0x40)
    core.add_segment(stack - 16, memory, ElfFile.PT_LOAD, ElfSegment.PF_R | ElfSegment.PF_W)
    if is_xtensa:
        registers = [0] * 128
        registers[0], registers[64], registers[65] = 0x400D1000 + index * 0x10, 0x800D1800 + index * 0x10, stack
    else:
        registers = [0x42000010 + index * 0x10, 0x42000050, stack] + [0] * 29
    notes += note("CORE", 1, methods.build_prstatus_data(tcb, registers))
    statuses += note(
        "TASK_INFO", ESPCoreDumpElfFile.PT_ESP_TASK_INFO,
        EspTaskStatus.build(dict(
            task_index=index, task_flags=0, task_tcb_addr=tcb, task_stack_start=stack, task_stack_len=0x80,
            task_name=name.ljust(16, b"\0"))))
core.add_segment(0, notes, ElfFile.PT_NOTE, 0)
core.add_segment(0, statuses, ElfFile.PT_NOTE, 0)
extra = note("EXTRA_INFO", ESPCoreDumpElfFile.PT_ESP_EXTRA_INFO, struct.pack("<I", tasks[1][0]))
extra += note("ESP_PANIC_DETAILS", ESPCoreDumpElfFile.PT_ESP_PANIC_DETAILS, b"assert failed: it\0\0\0")
core.add_segment(0, extra, ElfFile.PT_NOTE, 0)
version = EspCoreDumpLoader.ELF_SHA256_V2_1 if has_sha else EspCoreDumpLoader.ELF_CRC32_V2_1
version |= (EspCoreDumpLoader.ESP32 if is_xtensa else EspCoreDumpLoader.ESP32C3) << 16
with tempfile.NamedTemporaryFile() as file:
    core.dump(file.name)
    elf = open(file.name, "rb").read()
total = 24 + len(elf) + (32 if has_sha else 4)
content = struct.pack("<6I", total, version, len(tasks), 0x100, 0, 301) + elf
content += hashlib.sha256(content).digest() if has_sha else struct.pack("<I", binascii.crc32(content))
lines = [base64.b64encode(content[start:start + 48]).decode() for start in range(0, len(content), 48)]
with tempfile.NamedTemporaryFile("w") as file:
    file.write("\n".join(lines) + "\n")
    file.flush()
    judge = ESPCoreDumpFileLoader(file.name, is_b64=True)
    assert judge._load_core_src() == ("esp32" if is_xtensa else "esp32c3")
    judge.create_corefile(e_machine=machine)
    found = [n for s in ESPCoreDumpElfFile(judge.core_elf_file).note_segments for n in s.note_secs]
    assert sum(n.name == b"CORE" for n in found) == 2, found
    for name in judge.temp_files:
        os.unlink(name)
print("================= CORE DUMP START =================", *lines, sep="\n")
print("================= CORE DUMP END =================")
