import ESPImage
import FirmwareBuild
import Foundation

/// The project of a command: its firmware, and the folders of builds and keys.
struct Project: Sendable {
    /// The folder with the sketches and the host core, absolute.
    let firmwareFolder: String
    private let environment: Environment

    /// The project whose `Firmware` folder is `firmware`, or the nearest one above the working folder.
    init(firmware: String?, _ environment: Environment) throws(CommandFailure) {
        self.environment = environment
        if let firmware {
            firmwareFolder = URL(filePath: firmware).standardizedFileURL.path
            return
        }
        var folder = URL(filePath: environment.workingFolder).standardizedFileURL
        while true {
            let candidate = folder.appending(path: "Firmware")
            if FileManager.default.fileExists(atPath: candidate.appending(path: "Host/include/Arduino.h").path) {
                firmwareFolder = candidate.path
                return
            }
            let parent = folder.deletingLastPathComponent().standardizedFileURL
            guard parent.path != folder.path else { break }
            folder = parent
        }
        throw CommandFailure(
            .buildFailed,
            "no Firmware folder with the host core in \(environment.workingFolder) or above it",
            code: "build.hostCoreNotFound")
    }

    /// The sketch given by `argument`.
    func sketch(_ argument: String) throws(CommandFailure) -> Sketch {
        do throws(FirmwareBuildError) {
            return try Sketch(argument, firmwareFolder: firmwareFolder)
        } catch {
            throw CommandFailure(error, .buildFailed)
        }
    }

    /// The key that seals this user's images.
    static func sealingKey(_ environment: Environment) throws(CommandFailure) -> HostProgramKey {
        do throws(FirmwareBuildError) {
            return try SealingKey.load(path: environment.folders.sealingKey)
        } catch {
            throw CommandFailure(error, .buildFailed)
        }
    }

    /// Builds `sketch`, reports it, and shows the compiler's warnings.
    func build(_ sketch: Sketch, _ output: Output) async throws(CommandFailure) -> BuiltFirmware {
        let key = try Self.sealingKey(environment)
        do throws(FirmwareBuildError) {
            let toolchain = try await HostToolchain(hostCore: firmwareFolder + "/Host")
            let builder = FirmwareBuilder(toolchain: toolchain, key: key, cache: environment.folders.builds)
            let built = try await builder.build(sketch, progress: BuildNotes(output).show)
            if !built.compiled.warnings.isEmpty { output.note(built.compiled.warnings) }
            output.note(built.compiled.isCached ? "\(sketch.name) is up to date" : "built \(sketch.name)")
            return built
        } catch {
            throw CommandFailure(error, .buildFailed)
        }
    }

    /// The text of the suite in the file at `path`.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be read.
    static func suiteText(_ path: String) throws(CommandFailure) -> String {
        do throws(FirmwareBuildError) {
            return String(decoding: try FileTree.contents(of: path), as: UTF8.self)
        } catch {
            throw CommandFailure(.nothingRan, error.detail)
        }
    }

    /// Every suite of the project's sketches, in order of path.
    func suiteFiles() -> [String] {
        let manager = FileManager.default
        let sketches = ((try? manager.contentsOfDirectory(atPath: firmwareFolder)) ?? []).sorted()
        return sketches.flatMap { sketch -> [String] in
            let folder = "\(firmwareFolder)/\(sketch)/Suites"
            let files = ((try? manager.contentsOfDirectory(atPath: folder)) ?? []).sorted()
            return files.filter { $0.hasSuffix(".yaml") }.map { relative("\(folder)/\($0)") }
        }
    }

    /// `path` relative to the working folder, if it is inside.
    private func relative(_ path: String) -> String {
        let folder = environment.workingFolder + "/"
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    }
}
