import ESPChips
import ESPImage
import FirmwareBuild
import Foundation
import Testing

/// Builds for real chips: the documented outputs of arduino-cli, PlatformIO and ESP-IDF, by stand-ins.
@Suite struct SiliconBuildTests {
    private let project: TrialProject

    init() throws { project = try TrialProject() }

    // MARK: arduino-cli

    /// A sketch with profiles, and a stand-in for arduino-cli that records its arguments, lays the files that the
    /// platform's recipes make, and prints what `compile --json` prints.
    private func arduino(_ chip: Chip = .esp32c3, success: Bool = true, files: Bool = true) async throws -> ArduinoCLI {
        try project.write("void setup() {}\nvoid loop() {}\n", "Lamp/Lamp.ino")
        try project.write(
            """
            profiles:
              first:
                fqbn: esp32:esp32:esp32
              board:
                fqbn: esp32:esp32:esp32c3:CDCOnBoot=cdc
            default_profile: first
            """, "Lamp/sketch.yaml")
        try project.write(try Self.image(chip), "made/app")
        try project.write(try PartitionTable.arduino4MB.bytes(), "made/table")
        try project.write([UInt8](repeating: 0xFF, count: 0x2000), "platform/tools/partitions/boot_app0.bin")
        try project.write(
            """
            #!/bin/sh
            echo "$@" > '\(project.folder)/arguments'
            while [ $# -gt 1 ]; do [ "$1" = --build-path ] && out=$2; shift; done
            \(files ? "" : "exit_early=1")
            if [ -z "$exit_early" ]; then
              cp '\(project.folder)/made/app' "$out/Lamp.ino.bin"
              cp '\(project.folder)/made/app' "$out/Lamp.ino.bootloader.bin"
              cp '\(project.folder)/made/table' "$out/Lamp.ino.partitions.bin"
              : > "$out/Lamp.ino.elf"
            fi
            cat <<END
            {"compiler_out": "", "compiler_err": "\(success ? "" : "Lamp.ino:1:1: error: no\\\\n")",
             "builder_result": {"build_path": "$out",
              "board_platform": {"id": "esp32:esp32", "version": "3.3.0", "install_dir": "/none"},
              "executable_sections_size": [{"name": "text", "size": 100, "max_size": 1000}],
              "build_properties": ["build.bootloader_addr=0x0", "build.project_name=Lamp.ino",
                "runtime.platform.path=\(project.folder)/platform"]},
             "success": \(success)\(success ? "" : ", \"error\": \"exit status 1\"")}
            END
            exit \(success ? 0 : 1)
            """, "bin/arduino-cli")
        let tool = project.folder + "/bin/arduino-cli"
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool)
        return try await ArduinoCLI(program: tool)
    }

    private static func image(_ chip: Chip) throws -> [UInt8] {
        var builder = ImageBuilder(for: chip)
        builder.addMapped([UInt8](repeating: 7, count: 300)[...])
        return try builder.build()
    }

    private var sketch: Sketch { get throws { try Sketch("Lamp", firmwareFolder: project.folder) } }

    @Test func arduinoCLIBuildsTheProfileOfTheChip() async throws {
        let cli = try await arduino()
        let firmware = try await cli.build(try sketch, for: .esp32c3, in: project.folder + "/out")
        let arguments = try String(contentsOfFile: project.folder + "/arguments", encoding: .utf8)
        #expect(
            arguments == "compile --json --profile board --build-path \(project.folder)/out \(project.folder)/Lamp\n")
        #expect(firmware.chip == .esp32c3)
        #expect(firmware.parts.map(\.name) == ["bootloader", "partition table", "boot choice", "application"])
        #expect(firmware.parts.map(\.offset) == [0, 0x8000, 0xE000, 0x1_0000])
        #expect(firmware.layout.regions.map(\.bytes.count).reduce(0, +) > 0x2000)
        #expect(firmware.elf == project.folder + "/out/Lamp.ino.elf")
        #expect(firmware.remarks == ["the sketch uses 100 of 1000 bytes (10 %)"])
    }

    @Test func aChipWithoutAProfileIsAnErrorThatShowsOne() async throws {
        let cli = try await arduino()
        let error = await failure { _ = try await cli.build(try sketch, for: .esp32s3, in: project.folder + "/out") }
        #expect(error?.code == .noProfile)
        #expect(error?.detail.contains("fqbn: esp32:esp32:esp32s3") == true, "\(error?.detail ?? "")")
        #expect(!FileManager.default.fileExists(atPath: project.folder + "/arguments"))
    }

    @Test func aFailedBuildShowsTheCompilersMessages() async throws {
        let cli = try await arduino(success: false)
        let error = await failure { _ = try await cli.build(try sketch, for: .esp32c3, in: project.folder + "/out") }
        #expect(error?.code == .compilationFailed)
        #expect(error?.detail == "Lamp does not build for the ESP32-C3: exit status 1")
        #expect(error?.compilerOutput == "Lamp.ino:1:1: error: no\n")
    }

    @Test func aBuildForAnotherChipOrWithoutFilesIsRefused() async throws {
        let other = try await arduino(.esp32)
        let error = await failure { _ = try await other.build(try sketch, for: .esp32c3, in: project.folder + "/out") }
        #expect(error?.code == .wrongChip)
        let empty = try await arduino(files: false)
        let missing = await failure {
            _ = try await empty.build(try sketch, for: .esp32c3, in: project.folder + "/out2")
        }
        #expect(missing?.code == .incompleteBuild)
    }

    @Test func withoutArduinoCLITheErrorHasTheCommandsToInstallIt() async throws {
        let error = await failure { _ = try await ArduinoCLI(program: project.folder + "/none") }
        #expect(error?.code == .arduinoCLINotFound)
        #expect(error?.compilerOutput.contains("curl -fsSL https://raw.githubusercontent.com/arduino/") == true)
        #expect(error?.compilerOutput.contains("brew install arduino-cli") == true)
    }

    @Test func otherOutputThanJSONIsAnError() async throws {
        _ = try await arduino()
        try project.write("#!/bin/sh\necho Error: unknown flag --json\nexit 1\n", "bin/old")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: project.folder + "/bin/old")
        let cli = try await ArduinoCLI(program: project.folder + "/bin/old")
        let error = await failure { _ = try await cli.build(try sketch, for: .esp32c3, in: project.folder + "/out") }
        #expect(error?.code == .unexpectedOutput)
        #expect(error?.detail.contains("got 'Error: unknown flag --json'") == true, "\(error?.detail ?? "")")
    }

    // MARK: PlatformIO

    @Test func platformIOsBuildFolderIsTakenAsItsDataSay() throws {
        try project.write("[env:c3]\nplatform = espressif32\nboard = esp32-c3-devkitm-1\n", "Pio/platformio.ini")
        let build = "Pio/.pio/build/c3"
        try project.write(try Self.image(.esp32c3), build + "/firmware.bin")
        try project.write(try Self.image(.esp32c3), build + "/bootloader.bin")
        try project.write(try PartitionTable.arduino4MB.bytes(), build + "/partitions.bin")
        try project.write([1, 2, 3, 4], "framework/boot_app0.bin")
        // Without its data the files have their usual names.
        let plain = try PlatformIOBuild(folder: project.folder + "/Pio").firmware()
        #expect(plain.parts.map(\.offset) == [0, 0x8000, 0x1_0000])
        try project.write(
            """
            {"prog_path": "\(project.folder)/\(build)/firmware.elf", "extra": {"flash_images": [
              {"offset": "0x0000", "path": "\(project.folder)/\(build)/bootloader.bin"},
              {"offset": "0x8000", "path": "\(project.folder)/\(build)/partitions.bin"},
              {"offset": "0xe000", "path": "\(project.folder)/framework/boot_app0.bin"}],
              "application_offset": "0x20000"}}
            """, build + "/idedata.json")
        let firmware = try PlatformIOBuild(folder: project.folder + "/Pio").firmware(for: .esp32c3)
        #expect(firmware.parts.map(\.offset) == [0, 0x8000, 0xE000, 0x2_0000])
        #expect(firmware.parts.map(\.name) == ["bootloader", "partition table", "boot choice", "application"])
        #expect(throws: FirmwareBuildError.self) {
            try PlatformIOBuild(folder: project.folder + "/Pio").firmware(for: .esp32)
        }
        #expect(throws: FirmwareBuildError.self) {
            try PlatformIOBuild(folder: project.folder + "/Pio", environment: "other")
        }
    }

    // MARK: ESP-IDF

    private func writeIDF(settings: String = #"{"flash_mode": "dio", "flash_size": "8MB", "flash_freq": "40m"}"#) throws
    {
        try project.write(try Self.image(.esp32), "idf/build/bootloader/bootloader.bin")
        try project.write(try Self.image(.esp32), "idf/build/hello.bin")
        try project.write(try PartitionTable.arduino4MB.bytes(), "idf/build/partition_table/partition-table.bin")
        try project.write([0x7F], "idf/build/hello.elf")
        try project.write(
            """
            {"write_flash_args": ["--flash_mode", "dio"], "flash_settings": \(settings),
             "flash_files": {"0x1000": "bootloader/bootloader.bin", "0x10000": "hello.bin",
               "0x8000": "partition_table/partition-table.bin"},
             "bootloader": {"offset": "0x1000", "file": "bootloader/bootloader.bin", "encrypted": "false"},
             "app": {"offset": "0x10000", "file": "hello.bin", "encrypted": "false"},
             "partition-table": {"offset": "0x8000", "file": "partition_table/partition-table.bin", "encrypted": "false"},
             "extra_esptool_args": {"after": "hard_reset", "before": "default_reset", "stub": true, "chip": "esp32"}}
            """, "idf/build/flasher_args.json")
        try project.write(#"{"project_name": "hello", "app_elf": "hello.elf"}"#, "idf/build/project_description.json")
    }

    @Test(arguments: ["/idf", "/idf/build", "/idf/build/flasher_args.json"])
    func aBuildFolderOfESPIDFIsTakenAsItsArgumentsSay(path: String) throws {
        try writeIDF()
        let build = try #require(IDFBuild(project.folder + path))
        let firmware = try build.firmware(for: .esp32)
        #expect(firmware.name == "hello")
        #expect(firmware.parts.map(\.name) == ["bootloader", "partition table", "application"])
        #expect(firmware.settings == FlashSettingsChange(mode: 2, frequencyCode: 0, sizeCode: 3))
        #expect(firmware.elf == project.folder + "/idf/build/hello.elf")
        let error = #expect(throws: FirmwareBuildError.self) { try build.firmware(for: .esp32c3) }
        #expect(error?.code == .wrongChip)
    }

    /// As ESP-IDF 6 writes it: options with hyphens, more images, paths out of the folder, flash encryption.
    @Test func otherFormsOfESPIDFsArgumentsAreRead() throws {
        try writeIDF()
        try project.write([1, 2, 3, 4], "idf/spiffs.bin")
        try project.write([UInt8](repeating: 0xFF, count: 0x2000), "idf/build/ota_data_initial.bin")
        try project.write(
            """
            {"write_flash_args": ["--flash-mode", "qio", "--flash-size", "keep", "--flash-freq", "80m"],
             "flash_files": {"0x1000": "\(project.folder)/idf/build/bootloader/bootloader.bin",
               "0x8000": "partition_table/partition-table.bin", "0xe000": "ota_data_initial.bin",
               "0x10000": "hello.bin", "0x290000": "../spiffs.bin"},
             "app": {"offset": "0x10000", "file": "hello.bin", "encrypted": "true"},
             "otadata": {"offset": "0xe000", "file": "ota_data_initial.bin", "encrypted": "true"},
             "storage": {"offset": "0x290000", "file": "../spiffs.bin", "encrypted": "false"},
             "extra_esptool_args": {"after": "no-reset", "stub": false}}
            """, "idf/build/flasher_args.json")
        let firmware = try #require(IDFBuild(project.folder + "/idf")).firmware()
        #expect(
            firmware.parts.map(\.name) == [
                "bootloader.bin", "partition-table.bin", "boot choice", "application", "storage",
            ])
        #expect(firmware.chip == .esp32)
        #expect(firmware.settings == FlashSettingsChange(mode: 0, frequencyCode: 15, sizeCode: nil))
        #expect(firmware.remarks.count == 1)
        #expect(firmware.remarks.first?.contains("flash encryption") == true)
    }

    @Test func brokenArgumentsOfESPIDFAreErrors() throws {
        try writeIDF(settings: #"{"flash_mode": "fast"}"#)
        let build = try #require(IDFBuild(project.folder + "/idf"))
        let error = #expect(throws: FirmwareBuildError.self) { try build.firmware() }
        #expect(
            error?.detail.contains("expected keep, qio, qout, dio, dout, got 'fast'") == true, "\(error?.detail ?? "")")
        try project.write("{", "idf/build/flasher_args.json")
        #expect(throws: FirmwareBuildError.self) { try build.firmware() }
        #expect(IDFBuild(project.folder + "/Lamp") == nil)
    }

    private func failure(_ body: () async throws -> Void) async -> FirmwareBuildError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? FirmwareBuildError
        }
    }
}
