import ESPChips
import ESPFlasher
import ESPImage
import FirmwareBuild
import Foundation
import SerialPort

/// The chip that a command builds for.
package enum BuildTarget: Hashable, Sendable {
    /// The virtual board of this machine.
    case virtual
    /// The chip of the connected board.
    case board
    /// This chip.
    case chip(Chip)

    /// The help text of the option.
    package static let names = "virtual, auto (what the board is), \(chipNames)"
    /// The names of the chips.
    package static let chipNames = chips.joined(separator: ", ")
    package static let chips = Chip.all.map(\.identifier)

    /// Reads the value of `--target`; `nil` when it is not one.
    package init?(_ text: String) {
        switch text.lowercased() {
        case "virtual", "host": self = .virtual
        case "auto": self = .board
        default:
            guard let chip = Chip.named(text) ?? Chip.named(text.lowercased()) else { return nil }
            self = .chip(chip)
        }
    }
}

/// Builds of sketches and projects for real chips.
package struct SiliconBuilds: Sendable {
    let environment: Environment
    private let output: Output
    private let pioEnvironment: String?

    /// Builds in `environment`; `pioEnvironment` is the environment of PlatformIO (`nil`: the project's default).
    package init(environment: Environment, output: Output, pioEnvironment: String? = nil) {
        (self.environment, self.output, self.pioEnvironment) = (environment, output, pioEnvironment)
    }

    /// The build of ESP-IDF that `argument` names; `nil`: it names none.
    package static func idf(
        _ argument: String?, for chip: Chip?, _ output: Output
    ) throws(CommandFailure) -> SiliconFirmware? {
        guard let argument, let build = IDFBuild(argument) else { return nil }
        do throws(FirmwareBuildError) {
            let firmware = try build.firmware(for: chip)
            for remark in firmware.remarks { output.note(remark) }
            return firmware
        } catch {
            throw CommandFailure(error, .buildFailed)
        }
    }

    /// Builds `sketch` for `chip` with arduino-cli, or a PlatformIO project with PlatformIO.
    package func build(_ sketch: ProjectSketch, for chip: Chip?) async throws(CommandFailure) -> SiliconFirmware {
        do throws(FirmwareBuildError) {
            let firmware: SiliconFirmware
            switch sketch.sketch.layout {
            case .platformIO:
                let build = try PlatformIOBuild(folder: sketch.folder, environment: pioEnvironment)
                if !(try await build.run { output.note($0) }) {
                    output.note("PlatformIO is not installed: using the files of its last build")
                }
                firmware = try build.firmware(for: chip)
            case .arduino:
                guard let chip else {
                    throw FirmwareBuildError(.noProfile, "expected a chip to build \(sketch.name) for: --target")
                }
                let folder =
                    "\(try environment.cacheFolder)/silicon/\(sketch.name)-\(chip.identifier)-\(sketch.folder.stableHash)"
                firmware = try await ArduinoCLI().build(sketch.sketch, for: chip, in: folder) { output.note($0) }
            }
            for remark in firmware.remarks { output.note(remark) }
            return firmware
        } catch {
            throw CommandFailure(error, .buildFailed)
        }
    }
}

extension String {
    /// A short hash of the text that is the same in each run (FNV-1a).
    fileprivate var stableHash: String {
        let hash = utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(hash & 0xFFFF_FFFF, radix: 16)
    }
}

/// Finds the loader stubs of an installed esptool, since this project has no stubs of its own.
package struct StubFinder: Sendable {
    private let variables: [String: String]
    /// The root of the file system, without a slash at its end.
    private let root: String

    /// The folder of stubs in the package; `2` has the stubs of esp-flasher-stub.
    private static let place = "esptool/targets/stub_flasher/2"
    private static let variable = "ESPBENCH_STUBS"

    package init(_ variables: [String: String], root: String = "") {
        self.variables = variables
        self.root = root
    }

    /// The stub of `chip`, and of its revision if there are several; `nil` when no esptool is installed, or the file is
    /// not a stub.
    package func image(for chip: Chip, revision: UInt32? = nil) -> StubImage? {
        let name = StubImage.fileName(forChip: chip.name, revision: revision)
        for folder in folders {
            if let image = try? Self.image("\(folder)/\(name)") { return image }
        }
        return nil
    }

    /// The stub in the file at `path`.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput`.
    package static func image(_ path: String) throws(CommandFailure) -> StubImage {
        let bytes = try InputFile.read(path)
        do throws(FlasherError) {
            return try StubImage(json: bytes, name: path)
        } catch {
            throw CommandFailure(error, .badInput)
        }
    }

    /// The folders of stubs, from the environment variable, the esptool in PATH, and the user's and the system's
    /// Python.
    private var folders: [String] {
        var roots: [String] = []
        for folder in (variables["PATH"] ?? "").split(separator: ":") {
            for name in ["esptool", "esptool.py"] {
                let path = URL(filePath: "\(folder)/\(name)").resolvingSymlinksInPath().path
                guard FileManager.default.isExecutableFile(atPath: path) else { continue }
                roots.append(URL(filePath: path).deletingLastPathComponent().deletingLastPathComponent().path + "/lib")
            }
        }
        if let home = variables["HOME"] {
            roots += ["lib", "pipx/venvs/esptool/lib", "share/pipx/venvs/esptool/lib"].map { "\(home)/.local/\($0)" }
        }
        roots += ["\(root)/usr/local/lib", "\(root)/usr/lib"]
        let packages = roots.flatMap { root in
            let names = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).filter {
                $0.hasPrefix("python3")
            }
            return names.sorted().reversed().flatMap {
                ["\(root)/\($0)/site-packages", "\(root)/\($0)/dist-packages"]
            }
        }
        return [variables[Self.variable]].compactMap { $0 } + packages.map { "\($0)/\(Self.place)" }
    }
}

extension CommandFailure {
    /// The failure for the unusable file at `path`.
    package init(imageError error: ImageError, _ path: String) {
        self.init(
            error.code == .wrongChip ? .refused : .badInput, "\(path): \(DeviceText.withoutControls("\(error)"))",
            code: "image.\(error.code.rawValue)")
    }
}
