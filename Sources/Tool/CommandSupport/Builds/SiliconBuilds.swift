import ESPChips
import ESPFlasher
import ESPImage
import FirmwareBuild
import Foundation
import MonotonicTime
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
    package static let names = "virtual, auto (the board's chip), \(chipNames)"
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
        if let pioEnvironment, sketch.sketch.layout == .arduino {
            throw CommandFailure(
                .usage,
                "--environment \(pioEnvironment): \(sketch.name) is an Arduino sketch, only PlatformIO's projects have environments"
            )
        }
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
                let hash = String(stableHash(sketch.folder.utf8) & 0xFFFF_FFFF, radix: 16)
                let folder = "\(try environment.cacheFolder)/silicon/\(sketch.name)-\(chip.identifier)-\(hash)"
                firmware = try await ArduinoCLI().build(sketch.sketch, for: chip, in: folder) { output.note($0) }
            }
            for remark in firmware.remarks { output.note(remark) }
            return firmware
        } catch {
            throw CommandFailure(error, .buildFailed)
        }
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
