import FirmwareBuild
import Testing

/// Static data against the chip's `dram0_0_seg`: 124,580 bytes, of which arduino-esp32 and ESP-IDF have 22,000, with NimBLE
/// 33,300.
@Suite struct StaticDataTests {
    @Test func moreThanTheChipHasRoomForDoesNotLink() async throws {
        let project = try TrialProject()
        try project.write(
            """
            #include <stdint.h>
            static volatile uint8_t buf[200 * 1024];
            int started = 7;
            const char text[150000] = {1};
            thread_local char own[100000];
            void setup() { buf[started] = text[started] + own[started]; }
            """, "Lamp/Lamp.ino")
        let error = try #require(try await project.failure())
        #expect(error.code == .staticDataTooLarge)
        #expect(error.detail == "Lamp does not link: its static data do not fit in the chip's memory")
        // 204,804 + 22,000 - 124,580.
        #expect(
            error.compilerOutput == """
                ld: Lamp.ino.elf section `.dram0.bss' will not fit in region `dram0_0_seg'
                ld: DRAM segment data does not fit.
                ld: region `dram0_0_seg' overflowed by 102224 bytes
                Static data: 204804 bytes of the sketch and its libraries, about 22000 of arduino-esp32 and ESP-IDF; the ESP32 has room for 124580.
                Lamp.ino: buf has 204800 bytes
                Lamp.ino: started has 4 bytes

                """)

        // A library's count, too; initial values have a section of their own.
        try project.write("#pragma once\nextern char table[];\n", "libraries/Table/Table.h")
        try project.write("char table[120000] = {1};\n", "libraries/Table/Table.cpp")
        try project.write(
            """
            #include <Table.h>
            namespace { struct Lamp { static volatile char second[8]; }; volatile char Lamp::second[8]; }
            void setup() {
              static volatile char own[16];
              table[1] = own[2] = Lamp::second[1] = 2;
            }
            """, "Lamp/Lamp.ino")
        let second = try #require(try await project.failure())
        #expect(second.compilerOutput.hasPrefix("ld: Lamp.ino.elf section `.dram0.data' will not fit"))
        #expect(second.compilerOutput.contains("overflowed by 17444 bytes\n"), "\(second)")
        #expect(second.compilerOutput.contains("Table.cpp: table has 120000 bytes\n"))
        #expect(second.compilerOutput.contains("Lamp.ino: setup()::own has 16 bytes\n"))
        #expect(second.compilerOutput.contains("Lamp.ino: (anonymous namespace)::Lamp::second has 8 bytes\n"))
    }

    /// As on the chip the linker leaves it out, and the heap gets its room.
    @Test func whatNothingRefersToDoesNotCount() async throws {
        let project = try TrialProject()
        let regions = """
            extern const char espbench_static_end[];
            extern "C" const char espbench_static_start[1] = {};
            int staticSize() { return espbench_static_end - espbench_static_start; }
            """
        try project.write(regions, "Host/Runtime/HeapRegions.cpp")
        try project.write(
            "int staticSize();\nvoid setup();\nint main() { setup(); return staticSize(); }\n", "Host/Main.cpp")
        let sketch = """
            char unused[200 * 1024];
            void fill() { unused[0] = 1; }
            static volatile char used[100];
            void setup() { used[1] = 1; }
            """
        try project.write(sketch, "Lamp/Lamp.ino")
        #expect(try TrialProject.result(await project.build()) == 100)
        try project.write(sketch.replacing("used[1] = 1;", with: "fill();"), "Lamp/Lamp.ino")
        #expect(try await project.failure()?.compilerOutput.contains("Lamp.ino: unused has 204800 bytes\n") == true)
    }

    /// The last byte that fits, and NimBLE's share; a variable that two files define is one.
    @Test(arguments: [(102_580, false, true), (102_581, false, false), (91_280, true, true), (91_281, true, false)])
    func theRegionIsFilledToItsEnd(bytes: Int, usesNimBLE: Bool, fits: Bool) async throws {
        let project = try TrialProject()
        let share = "#pragma once\ninline char shared[1000];\n"
        try project.write(share, "Lamp/Share.h")
        try project.write("#include \"Share.h\"\nchar* second() { return shared; }\n", "Lamp/Second.cpp")
        try project.write(
            "#pragma once\nstruct NimBLEDevice { static void init(); };\n", "Host/NimBLE/include/NimBLEDevice.h")
        try project.write("#include <NimBLEDevice.h>\nvoid NimBLEDevice::init() {}\n", "Host/NimBLE/Device.cpp")
        try project.write(
            """
            #include <NimBLEDevice.h>
            #include "Share.h"
            char* second();
            static volatile char buffer[\(bytes - 1000)];
            void setup() {
              buffer[1] = *second() + shared[1];
              \(usesNimBLE ? "NimBLEDevice::init();" : "")
            }
            """, "Lamp/Lamp.ino")
        let error = try await project.failure()
        #expect((error == nil) == fits, "\(error.map(\.description) ?? "")")
        if !fits { #expect(error?.compilerOutput.contains("overflowed by 1 bytes") == true) }
    }
}
