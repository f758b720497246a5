import FirmwareBuild
import Foundation
import Testing

/// Build flags of `build_opt.h` and of PlatformIO's `build_flags`, and the settings of NimBLE, which only they change.
@Suite struct BuildFlagTests {
    private let project: TrialProject

    init() throws { project = try TrialProject() }

    /// Adds the real settings to the minimal host core; its program exits with "Secure Connections only".
    private func addSettings() throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let files = [
            "NimBLE/include/nimconfig.h": "include/nimconfig.h", "Settings/BuildSettings.h": "Settings/BuildSettings.h",
            "Settings/BuildSettings.cpp": "Settings/BuildSettings.cpp",
        ]
        for (source, path) in files {
            let text = try String(contentsOf: root.appending(path: "Firmware/Host/\(source)"), encoding: .utf8)
            try project.write(text, "Host/\(path)")
        }
        try project.write("#pragma once\n#include \"nimconfig.h\"\nvoid setup();\n", "Host/include/Arduino.h")
        try project.write(
            "#include <Arduino.h>\n#include \"Settings/BuildSettings.h\"\n"
                + "int main() { setup(); return espbench::buildSettings.secureConnectionsOnly; }\n", "Host/Main.cpp")
    }

    /// The exit code of the program.
    private func result(_ built: BuiltFirmware) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: built.compiled.program)
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    private static let sketch = "#include <NimBLEDevice.h>\nvoid setup() {}\n"
    private static let define = "#define MYNEWT_VAL_BLE_SM_SC_ONLY 1\n"

    @Test func aSettingDefinedInAnInoHasNoEffectAndIsWarnedOf() async throws {
        try addSettings()
        try project.write(Self.define + Self.sketch, "Lamp/Lamp.ino")
        let built = try await project.build()
        #expect(try result(built) == 0)
        let warnings = built.compiled.warnings
        #expect(warnings.contains("Lamp.ino:1:") && warnings.contains("redefined"), "\(warnings)")
        #expect(warnings.contains("only a build flag has effect (build_opt.h, build_flags)"), "\(warnings)")
    }

    @Test func aSettingDefinedInAnotherFileHasNoEffect() async throws {
        try addSettings()
        try project.write("", "Lamp/Lamp.ino")
        try project.write(Self.define + Self.sketch, "Lamp/Main.cpp")
        #expect(try await result(project.build()) == 0)
    }

    @Test func aSettingInBuildFlagsHasEffect() async throws {
        try addSettings()
        try project.write(Self.sketch, "Lamp/Lamp.ino")
        #expect(try await result(project.build()) == 0)
        try project.write("-DMYNEWT_VAL_BLE_SM_SC_ONLY=1\n", "Lamp/build_opt.h")
        #expect(try await result(project.build()) == 1)
        // A flag may include a file of the sketch.
        try project.write(Self.define, "Lamp/settings.h")
        try project.write("-include settings.h\n", "Lamp/build_opt.h")
        #expect(try await result(project.build()) == 1)

        try project.write(Self.sketch, "Node/src/main.cpp")
        try project.write("[env:a]\nbuild_flags = -D MYNEWT_VAL_BLE_SM_SC_ONLY=1\n", "Node/platformio.ini")
        #expect(try await result(project.build("Node")) == 1)
    }

    @Test(
        "refuses flags that run programs, write files or pass arguments on",
        arguments: [
            "-wrapper /bin/false", "-fplugin=./x.so", "-fplugin-arg-x-y", "-o stolen", "-ostolen", "-MF stolen", "-MD",
            "-B.", "-specs=x", "-Wl,-Map=stolen", "-Wa,-a=stolen", "-Wp,-MD,stolen", "@more", "-save-temps",
            "-dumpdir x",
            "-fdump-tree-all", "-fdump-ipa-all=stolen", "-fmodule-mapper=|x", "-fuse-ld=./x", "-fprofile-generate",
            "-fcallgraph-info", "-fstack-usage", "-ftest-coverage", "-fdiagnostics-add-output=sarif:file=x", "-x c",
            "-E",
            "-Xlinker x", "-Xclang -load", "-fmax-errors=x", "main.cpp", "--output=stolen", "-flto", "-D",
        ])
    func refusedFlags(_ flags: String) async throws {
        try project.write(Self.sketch, "Lamp/Lamp.ino")
        try project.write("-DSTEP=1\n'-DB=\n' \(flags)\n", "Lamp/build_opt.h")
        let error = try #require(try await project.failure())
        #expect(error.code == .invalidFlags)
        let named = flags.split(separator: " ")[0]
        #expect(error.detail.hasPrefix("Lamp/build_opt.h:3: expected flags that define"), "\(error)")
        #expect(error.detail.contains("got \"\(named)\""), "\(error)")
    }

    /// A program that leaves a mark, under the names that compilers and linkers look for.
    private func addMarker() throws -> String {
        let mark = project.folder + "/mark"
        for name in ["mark.sh", "as", "ld", "cc1plus", "collect2", "objcopy", "extra.py"] {
            try project.write("#!/bin/sh\ntouch '\(mark)'\nexit 1\n", "Tools/\(name)")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: project.folder + "/Tools/\(name)")
        }
        return mark
    }

    @Test func hostileFlagsOfPlatformIORunAndWriteNothingAndAreNamed() async throws {
        let mark = try addMarker()
        let tools = project.folder + "/Tools"
        let hostile = [
            "-wrapper", "\(tools)/mark.sh", "-fplugin=\(tools)/mark.sh", "-B\(tools)", "-o\(mark)",
            "-specs=\(tools)/mark.sh",
            "-Wl,-Map=\(mark)", "-Wa,-a=\(mark)", "-Wp,-MD,\(mark)", "@\(tools)/mark.sh", "-Xlinker", "-Map=\(mark)",
            "-Xclang", "-load", "-fuse-ld=\(tools)/ld", "-MF\(mark)", "-dumpbase\(mark)", "-L\(tools)", "-T\(mark)",
            "!\(tools)/mark.sh", "-DA=$(\(tools)/mark.sh)", "-DB=`\(tools)/mark.sh`",
        ]
        let half = hostile.count / 2
        try project.write(
            """
            [common]
            extra = \(hostile[half...].joined(separator: " "))
            [env:a]
            framework = arduino
            build_flags = -DSTEP=1 \(hostile[..<half].joined(separator: " "))
              ${common.extra} ${sysenv.HOME} ${common.none}
            build_src_flags = ${env:a.build_flags}
            build_unflags = -fno-rtti
            extra_scripts = pre:\(tools)/extra.py, \(tools)/extra.py
            [platformio]
            extra_configs = \(tools)/*.sh
            build_dir = \(tools)
            """, "Node/platformio.ini")
        try project.write("static_assert(STEP == 1);\nvoid setup() {}\n", "Node/src/main.cpp")
        let built = try await project.build("Node")
        #expect(!FileManager.default.fileExists(atPath: mark))
        let warnings = built.compiled.warnings
        for flag in hostile where !flag.hasPrefix("-D") {
            #expect(warnings.contains(flag), "\(flag) is not named in \(warnings)")
        }
        for option in ["extra_scripts", "extra_configs", "build_unflags"] {
            #expect(warnings.contains("warning: \(option) is not used on the virtual board"), "\(option)")
        }
        #expect(warnings.contains("platformio.ini:5: warning: build_flags -wrapper"), "\(warnings)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: tools).count == 7)
    }

    @Test func aLibrarysPropertiesAndASketchsProfilesAddNoFlagsAndNoPaths() async throws {
        let mark = try addMarker()
        let tools = project.folder + "/Tools"
        try project.write(
            """
            name=../../../\(mark)
            version=$(\(tools)/mark.sh)
            precompiled=false
            dot_a_linkage=true
            ldflags=-Wl,-Map=\(mark) -B\(tools) -fuse-ld=\(tools)/ld @\(tools)/mark.sh
            compiler.cpp.extra_flags=-wrapper \(tools)/mark.sh
            recipe.hooks.prebuild.1.pattern=\(tools)/mark.sh
            includes=../../\(mark)
            depends=../../Tools

            """, "libraries/Counter/library.properties")
        try project.write("int count();\n", "libraries/Counter/src/Counter.h")
        try project.write("int count() { return 1; }\n", "libraries/Counter/src/Counter.cpp")
        try project.write(
            """
            default_profile: x
            profiles:
              x:
                fqbn: esp32:esp32:esp32:PartitionScheme=$(\(tools)/mark.sh),JTAGAdapter=../../\(mark)
                platforms: [{platform: "esp32:esp32 (3.3.0)", platform_index_url: "file://\(tools)/mark.sh"}]
                libraries: [{dir: ../Tools/../libraries/Counter}]
                build_properties: ["compiler.path=\(tools)/"]

            """, "Lamp/sketch.yaml")
        try project.write("#include <Counter.h>\nvoid setup() { count(); }\n", "Lamp/Lamp.ino")
        let former = try FileManager.default.contentsOfDirectory(atPath: project.folder)
        let built = try await project.build()
        #expect(built.compiled.libraries.count == 1)
        let warnings = built.compiled.warnings
        #expect(warnings.contains("Counter/library.properties:5: warning: ldflags=-Wl,-Map="), "\(warnings)")
        #expect(!warnings.contains("precompiled"), "\(warnings)")
        let now = try FileManager.default.contentsOfDirectory(atPath: project.folder)
        #expect(Set(now).subtracting(former).isSubset(of: ["cache", "key"]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: tools).count == 7)
    }

    @Test func flagsThatDefineIncludeWarnAndOptimiseAreUsed() async throws {
        try project.write("#define INCLUDED 1\n", "Lamp/more/included.h")
        try project.write(
            "static_assert(A == 1 && B == 2 && INCLUDED && __OPTIMIZE__);\n#include \"folder.h\"\nvoid setup() {}\n",
            "Lamp/Lamp.ino")
        try project.write("", "Lamp/in/folder.h")
        try project.write(
            "-DA=1 -D B='2' -UC -I more\n-Iin -include included.h -Wall -Wno-unused -Wframe-larger-than=4096 -Werror=return-type"
                + " -w -O2 -std=gnu++23 -fno-strict-aliasing -ftemplate-depth=100 -fno-exceptions\n", "Lamp/build_opt.h"
        )
        _ = try await project.build()
    }

    @Test func aSettingOutOfRangeIsRefusedByName() async throws {
        try addSettings()
        try project.write(Self.sketch, "Lamp/Lamp.ino")
        try project.write("-DMYNEWT_VAL_BLE_STORE_MAX_BONDS=300\n", "Lamp/build_opt.h")
        let error = try #require(try await project.failure())
        #expect(
            error.compilerOutput.contains(
                "the build flag MYNEWT_VAL_BLE_STORE_MAX_BONDS is out of range: expected 0 to 255"), "\(error)")
    }

    @Test func flagsReachTheLibraries() async throws {
        try project.write("int count();\n", "libraries/Counter/src/Counter.h")
        try project.write(
            "static_assert(STEP == 3);\nint count() { return STEP; }\n", "libraries/Counter/src/Counter.cpp")
        try project.write("name=Counter\n", "libraries/Counter/library.properties")
        try project.write("#include <Counter.h>\nvoid setup() { count(); }\n", "Lamp/Lamp.ino")
        #expect(try await project.failure()?.detail.hasPrefix("library Counter does not compile") == true)
        try project.write("-DSTEP=3\n", "Lamp/build_opt.h")
        _ = try await project.build()
        // The object of other flags is another one.
        try project.write("-DSTEP=4\n", "Lamp/build_opt.h")
        #expect(try await project.failure()?.compilerOutput.contains("Counter.cpp:1:") == true)
    }

    @Test func flagsOfPlatformIOReachTheLibrariesAndThoseOfItsSourcesDoNot() async throws {
        try project.write(
            "[env:a]\nbuild_flags = -DSTEP=3\nbuild_src_flags = -DOWN=1\n", "Node/platformio.ini")
        try project.write(
            "#include <Counter.h>\nstatic_assert(STEP == 3 && OWN == 1);\nvoid setup() { count(); }\n",
            "Node/src/main.cpp")
        try project.write("int count();\n", "Node/lib/Counter/src/Counter.h")
        try project.write(
            "#ifdef OWN\n#error OWN\n#endif\nint count() { return STEP; }\n", "Node/lib/Counter/src/Counter.cpp")
        _ = try await project.build("Node")
    }

    /// GCC takes flags from the FILE of a value `@FILE`: it would run a program as its wrapper.
    @Test(arguments: [
        "-include @flags.rsp", "-include@flags.rsp", "-imacros @flags.rsp", "-imacros@flags.rsp", "-D @flags.rsp",
        "-D@flags.rsp", "-U @flags.rsp", "-U@flags.rsp", "'-D' '@flags.rsp'", "-D 1", "-D -o",
    ])
    func aValueThatNamesAFileOfFlagsIsRefused(flags: String) async throws {
        let mark = project.folder + "/mark"
        try project.write("#!/bin/sh\ntouch '\(mark)'\nexit 1\n", "wrapper.sh")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: project.folder + "/wrapper.sh")
        for folder in ["Lamp", "Node", "."] {
            try project.write("-wrapper \(project.folder)/wrapper.sh -fplugin=\(mark)", "\(folder)/flags.rsp")
        }
        try project.write("void setup() {}\n", "Lamp/Lamp.ino")
        try project.write(flags, "Lamp/build_opt.h")
        let error = await #expect(throws: FirmwareBuildError.self) { try await project.build() }
        #expect(error?.detail.contains("build_opt.h") == true, "\(error.map { "\($0)" } ?? "")")
        try project.write("void setup() {}\n", "Node/src/main.cpp")
        try project.write("[env:a]\nbuild_flags = \(flags)\n", "Node/platformio.ini")
        let built = try? await project.build("Node")
        #expect(built.map { $0.compiled.warnings.contains("flags.rsp") || flags.hasPrefix("-D ") } ?? true)
        #expect(!FileManager.default.fileExists(atPath: mark))
    }
}
