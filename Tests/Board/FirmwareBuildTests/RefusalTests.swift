import FirmwareBuild
import Foundation
import Synchronization
import Testing

/// Errors of sketches that use something that the host core lacks.
@Suite("A build with something that is missing")
struct RefusalTests {
    private let project: TrialProject

    init() throws {
        project = try TrialProject()
        for header in ["WiFi.h", "Wire.h"] {
            try project.write(
                "#error \"\(header) is not in espbench's host core: there is none\"\n", "Host/Refused/\(header)")
        }
        try project.write(
            "# A comment\nthere is no PWM:\n  ledcSetup getFlash\n  note_t\nthere is no ROM:\n  rom/ esp_rom_*\n",
            "Host/Refused/names.txt")
    }

    @Test func refusedHeadersAreReportedOnceWithTheFilesThatIncludeThem() async throws {
        try project.write("#include <Arduino.h>\n#include \"net.h\"\nvoid setup() { WiFi.begin(); }\n", "Lamp/Lamp.ino")
        try project.write("#pragma once\n#include <WiFi.h>\n#include <Wire.h>\n", "Lamp/net.h")
        let error = try #require(try await project.failure())
        #expect(error.code == .compilationFailed)
        #expect(error.detail == "net.h includes WiFi.h, Wire.h, which are not in espbench's host core")
        #expect(
            error.compilerOutput.split(separator: "\n").filter { $0.contains("error: ") }
                == [
                    "Host/Refused/WiFi.h:1:2: error: #error \"WiFi.h is not in espbench's host core: there is none\"",
                    "Host/Refused/Wire.h:1:2: error: #error \"Wire.h is not in espbench's host core: there is none\"",
                ])
    }

    /// With that header first, the sketch begins with a precompiled header of another name.
    @Test func aHeaderBehindNimBLEsIsRefusedByItsName() async throws {
        try project.write("#include <NimBLEDevice.h>\n#include <WiFi.h>\nvoid setup() {}\n", "Lamp/Lamp.ino")
        let error = try #require(try await project.failure())
        #expect(error.detail == "Lamp.ino includes WiFi.h, which is not in espbench's host core", "\(error)")
        #expect(error.compilerOutput.contains("Lamp/Lamp.ino:2:"))
    }

    @Test func aLibraryIsNotCompiledFurtherAfterARefusedHeader() async throws {
        for number in 0..<40 { try project.write("int f\(number);\n", "libraries/Big/src/a\(number).cpp") }
        try project.write("", "libraries/Big/src/Big.h")
        try project.write("#ifdef ESP32\n#include <Wire.h>\n#endif\nint z = Wire.read();\n", "libraries/Big/src/z.cpp")
        try project.write("#include <Big.h>\nvoid setup() {}\n", "Lamp/Lamp.ino")
        let most = Mutex(0)
        let error = await #expect(throws: FirmwareBuildError.self) {
            try await project.build { progress in
                if case .library = progress.subject { most.withLock { $0 = max($0, progress.completed) } }
            }
        }
        #expect(error?.detail == "library Big (z.cpp) includes Wire.h, which is not in espbench's host core")
        #expect(error?.compilerOutput.contains("'Wire' was not") == false)
        // The file with the header comes first; only as many as were compiled meanwhile, beside it, of 41.
        #expect(most.withLock { $0 } < 30)
    }

    @Test func aMissingNameOfTheCoreIsRefusedByItsReason() async throws {
        try project.write(
            "#include <Arduino.h>\nstruct Chip {} chip;\nvoid setup() {\n  ledcSetup(0);\n  ledcSetup(1);\n  chip.getFlash();\n"
                + "  note_t note;\n  setLocale();\n}\n", "Lamp/Lamp.ino")
        let error = try #require(try await project.failure())
        let errors = error.compilerOutput.split(separator: "\n").filter { $0.contains("error: ") }
        #expect(errors.count == 4, "\(error)")
        for (place, name) in [("4:3", "ledcSetup"), ("6:8", "getFlash"), ("7:3", "note_t")] {
            let text = "Lamp/Lamp.ino:\(place): error: \(name) is not in espbench's host core: there is no PWM"
            #expect(errors.contains { $0 == text }, "\(error)")
        }
        #expect(errors.last?.contains("setLocale") == true)
    }

    @Test func aMissingHeaderOfTheCoreIsRefusedByItsReasonAndNoMockIsOffered() async throws {
        try project.write("", "Lamp/test/mocks/rom/crc.h")
        try project.write("", "Lamp/test/mocks/Sensor.h")
        try project.write("#include <Arduino.h>\n#include <rom/crc.h>\nvoid setup() {}\n", "Lamp/Lamp.ino")
        let error = try #require(try await project.failure())
        #expect(error.detail == "Lamp.ino includes rom/crc.h, which is not in espbench's host core")
        #expect(
            error.compilerOutput
                == "Lamp/Lamp.ino:2:10: error: rom/crc.h is not in espbench's host core: there is no ROM\n")
        try project.write("void setup() {}\n", "Lamp/Lamp.ino")
        try project.write("#include <Sensor.h>\n", "Lamp/src/tab.cpp")
        let other = try #require(try await project.failure())
        #expect(other.detail == "src/tab.cpp includes Sensor.h, which is not there")
        #expect(!other.compilerOutput.contains("mocks"), "\(other)")
        try project.write("", "Lamp/parts/Sensor.h")
        #expect(try await project.failure()?.compilerOutput.contains("there is Lamp/parts/Sensor.h") == true)
    }

    @Test func aPlatformIOProjectIsBuiltForAnESP32AndSaysWhichEnvironment() async throws {
        let environments = """
            [env:nano]
            platform = atmelavr
            framework = arduino
            [env:lamp]
            platform = espressif32
            board = nodemcu-32s
            framework = arduino
            extra_scripts = x.py
            [env:idf]
            platform = espressif32
            framework = espidf

            """
        try project.write("[platformio]\ndefault_envs = nano, lamp\n" + environments, "Node/platformio.ini")
        try project.write(
            "#include <Arduino.h>\nstatic_assert(LED_BUILTIN == 2);\nvoid setup() {}\n", "Node/src/main.cpp")
        let taken = "platformio.ini: environment lamp is built: the first of default_envs is not for an ESP32\n"
        #expect(try await project.build("Node").compiled.warnings.contains(taken))
        try project.write(environments, "Node/platformio.ini")
        try project.write("#include <Arduino.h>\nvoid setup() {}\n", "Node/src/main.cpp")
        #expect(
            try await project.build("Node").compiled.warnings.contains(
                "platformio.ini: environment lamp is built: default_envs names none\n"))
        // Remarks are shown when the build fails, too.
        try project.write("void setup() { lamp(); }\n", "Node/src/main.cpp")
        let output = try await project.failure("Node")?.compilerOutput ?? ""
        #expect(output.hasSuffix("Node/platformio.ini:8: warning: extra_scripts is not used on the virtual board\n"))

        try project.write("[platformio]\ndefault_envs = idf\n" + environments, "Node/platformio.ini")
        #expect(
            try await project.failure("Node")?.detail
                == "Node/platformio.ini:13: framework = espidf is not supported on the virtual board: expected arduino")
    }

    @Test(
        arguments: [
            ("[env:uno]\nplatform=atmelavr\n", 2, "uno (atmelavr)"),
            (
                "[platformio]\ndefault_envs = uno\n[env:d1]\nplatform = espressif8266 @ 4.2.1\n[env:uno]\n"
                    + "platform = atmelavr\nframework = arduino\n", 4, "d1 (espressif8266 @ 4.2.1), uno (atmelavr)"
            ),
            (
                "[env:native]\nplatform = native\n[env:pico]\nplatform = raspberrypi\nframework = arduino\n", 2,
                "native (native), pico (raspberrypi)"
            ),
            ("[env]\nplatform = atmelavr\n", 2, "env (atmelavr)"),
            ("[avr]\nplatform = atmelavr\n[env:uno]\nplatform = ${avr.platform}\n", 4, "uno (atmelavr)"),
        ])
    func aPlatformIOProjectForOtherChipsIsRefused(text: String, line: Int, environments: String) async throws {
        try project.write(text, "Node/platformio.ini")
        try project.write("#include <Arduino.h>\nvoid setup() {}\n", "Node/src/main.cpp")
        let error = try #require(try await project.failure("Node"))
        #expect(error.code == .invalidPlatformIO)
        #expect(
            error.detail
                == "Node/platformio.ini:\(line): expected an environment with platform = espressif32, "
                + "got \(environments)")
    }

    @Test(
        "a platform that is or may be the ESP32's is accepted",
        arguments: [
            "", "platform =", "platform = espressif32 @ 6.5.0", "platform = platformio/espressif32@^6.5.0",
            "platform = https://github.com/pioarduino/platform-espressif32/releases/download/stable/p.zip",
            "platform = https://example.org/fork.git", "platform = ../fork", "platform = ${sysenv.PLATFORM}",
            "platform = ${env:uno.other}",
        ])
    func acceptedPlatform(option: String) throws {
        let ini = "[env:uno]\nplatform = atmelavr\nother = espressif32\n[env:lamp]\n\(option)\n"
        try project.write(ini, "Node/platformio.ini")
        let path = project.folder + "/Node"
        #expect(try PlatformIOBuild(folder: path).environment == "lamp")
        // A build for a real chip names its environment.
        let error = #expect(throws: FirmwareBuildError.self) {
            try PlatformIOBuild(folder: path, environment: "uno")
        }
        #expect(
            error?.detail.hasSuffix(":2: expected an environment with platform = espressif32, got uno (atmelavr)")
                == true)
    }
}
