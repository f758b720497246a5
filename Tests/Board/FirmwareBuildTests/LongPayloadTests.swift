import FirmwareBuild
import Foundation
import Testing

/// Warnings of values that have another size on the chip, in builds that are 64-bit.
@Suite struct LongPayloadTests {
    private let project: TrialProject

    init() throws {
        project = try TrialProject()
        try project.write(
            """
            #pragma once
            #include <stdint.h>
            #include <stddef.h>
            struct Value {
              template <typename T> void setValue(const T& value) { use(&value, sizeof value); }
              void setValue(const uint8_t* data, size_t length) { use(data, length); }
              template <typename T> bool notify(const T& value) { use(&value, sizeof value); return true; }
              static void use(const void* data, size_t length);
            };
            unsigned long millis();
            void setup();

            """, "Host/include/Arduino.h")
        try project.write(
            "#include <Arduino.h>\nvoid Value::use(const void*, size_t) {}\nunsigned long millis() { return 1; }\n",
            "Host/Value.cpp")
    }

    /// The warnings of a 64-bit build, without the folder.
    private func warnings(_ sketch: String) async throws -> [String] {
        try project.write(sketch, "Lamp/Lamp.ino")
        let built = try await project.build(compilers: [project.compilerWithoutChipModel()])
        return built.compiled.warnings.replacing(project.folder + "/", with: "")
            .split(separator: "\n").map(String.init).filter { !$0.hasPrefix("remark: ") }
    }

    private static func sent(_ line: Int, _ name: String, _ function: String) -> String {
        "Lamp/Lamp.ino:\(line): warning: '\(name)' is sent with \(function)() and has 8 bytes here, 4 on the chip: use a type like uint32_t"
    }

    private static func member(_ line: Int, _ name: String) -> String {
        "Lamp/Lamp.ino:\(line): warning: '\(name)' in a packed structure has 8 bytes here, 4 on the chip: use a type like uint32_t"
    }

    @Test func eachLongThatIsSentIsWarnedOf() async throws {
        let found = try await warnings(
            """
            Value value;
            Value* pointer = &value;
            void setup() {
              unsigned long start = millis();
              long int temperature = -4;
              uint64_t time = 5;
              uint32_t count = 1;
              value.setValue(start);
              pointer->notify(temperature);
              value.setValue(millis());
              value.setValue((long)count);
              value.setValue<unsigned long>(count);
              value.setValue(5UL);
              value.setValue(reinterpret_cast<uint8_t*>(&start), sizeof(start));
              value.setValue(time);
              value.setValue(count);
              value.setValue(5ULL);
              value.setValue(reinterpret_cast<uint8_t*>(&start), 4);
            }

            """)
        #expect(
            found == [
                Self.sent(8, "start", "setValue"), Self.sent(9, "temperature", "notify"),
                Self.sent(10, "millis()", "setValue"), Self.sent(11, "long", "setValue"),
                Self.sent(12, "long", "setValue"), Self.sent(13, "5UL", "setValue"),
                Self.sent(14, "start", "setValue"),
            ])
    }

    @Test func longMembersOfPackedStructuresAreWarnedOf() async throws {
        let found = try await warnings(
            """
            struct __attribute__((packed)) First { uint8_t kind; unsigned long time; };
            struct Second { uint8_t kind; long value; uint64_t wide; } __attribute__((packed));
            struct [[gnu::packed]] Third { size_t length; long long wide; };
            struct Plain { uint8_t kind; unsigned long time; };
            #pragma pack(push, 1)
            struct Fourth {
              uint8_t kind;
              long last;
            };
            #pragma pack(pop)
            typedef struct { long late; } Fifth;
            void setup() {}

            """)
        #expect(
            found == [
                Self.member(1, "time"), Self.member(2, "value"), Self.member(3, "length"), Self.member(8, "last"),
            ])
    }

    @Test func headersOfTheSketchAreLookedAtToo() async throws {
        try project.write("struct __attribute__((packed)) Packet { long value; };\n", "Lamp/Packet.h")
        try project.write("#include \"Packet.h\"\nvoid other() {}\n", "Lamp/Tab.cpp")
        #expect(
            try await warnings("#include \"Packet.h\"\nvoid setup() {}\n")
                == [
                    "Lamp/Packet.h:1: warning: 'value' in a packed structure has 8 bytes here, 4 on the chip: use a type like uint32_t"
                ])
    }

    @Test func whatIsIncompleteOrOddIsNoFault() {
        for text in [
            "struct {} x;", "struct", "setValue(", "v.setValue(", "v.setValue", "#pragma pack(1)\nstruct A {", "long",
            "struct __attribute__((", "struct __attribute__((packed))", "x.setValue(1, )", "v.notify()", "(v.notify)",
            "}", ")(", "struct __attribute__((packed)) { long", "v.setValue<long", "long setValue(long value);",
            "#pragma pack(1)\n#pragma pack(1)\n", "x.setValue(millis",
        ] {
            #expect(LongPayloads(Array(text.utf8), path: "a").warnings == [], "\(text)")
        }
    }
}
