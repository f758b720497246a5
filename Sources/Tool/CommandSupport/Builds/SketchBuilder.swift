import BenchModel
package import Console
import ESPChips
import ESPImage
import FirmwareBuild
import Synchronization

/// A sketch that was built for the board of a bench.
package struct SketchProgram: Sendable {
    /// The layout to flash.
    package let layout: FlashLayout
    /// Resolves the program's code addresses; `nil` when the build left no symbols.
    package let symbols: (any AddressResolver)?
    /// The build of the sketch; `nil` if not known.
    package var firmware: FirmwareInformation?
}

/// Builds sketches for the board of a bench.
package enum SketchBuilder: Sendable {
    /// Builds for virtual boards, with the host's compiler.
    case virtual(Project)
    /// Builds for a chip, with arduino-cli or PlatformIO.
    case silicon(Chip, SiliconBuilds)

    /// Builds `sketch`.
    package func build(_ sketch: ProjectSketch, _ output: Output) async throws(CommandFailure) -> SketchProgram {
        switch self {
        case .virtual(let project):
            let built = try await project.build(sketch, output)
            return SketchProgram(
                layout: built.layout, symbols: Addr2line(program: built.compiled.symbols, of: built.sketch),
                firmware: FirmwareInformation(nimble: built.nimble, isSanitized: built.isSanitized))
        case .silicon(let chip, let builds):
            let firmware = try await builds.build(sketch, for: chip)
            return SketchProgram(
                layout: try Self.layout(of: firmware), symbols: try Self.symbols(of: firmware, builds.environment))
        }
    }

    /// The layout with the flash settings that the build's tool would write.
    private static func layout(of firmware: SiliconFirmware) throws(CommandFailure) -> FlashLayout {
        guard firmware.settings != .none else { return firmware.layout }
        do throws(ImageError) {
            var regions = firmware.layout.regions
            for index in regions.indices
            where regions[index].offset == firmware.chip.bootloaderOffset
                && regions[index].bytes.first == ImageHeader.magic
            {
                regions[index].bytes = try firmware.settings.applied(to: regions[index].bytes, for: firmware.chip)
            }
            return try FlashLayout(regions)
        } catch {
            throw CommandFailure(imageError: error, firmware.name)
        }
    }

    private static func symbols(
        of firmware: SiliconFirmware, _ environment: Environment
    ) throws(CommandFailure) -> (any AddressResolver)? {
        guard let elf = firmware.elf else { return nil }
        do throws(FirmwareBuildError) {
            return try ELFProgram(path: elf, home: environment.variables["HOME"])
        } catch {
            throw CommandFailure(error, .buildFailed)
        }
    }
}

/// Shows the progress of a build: a bar on a terminal; elsewhere a line at the beginning of each long phase.
struct BuildNotes: Sendable {
    private let output: Output
    private let announced = Announced()

    private final class Announced: Sendable {
        let isCoreAnnounced = Mutex(false)
    }

    init(_ output: Output) {
        self.output = output
    }

    @Sendable func show(_ progress: BuildProgress) {
        switch progress.subject {
        case .otherBuild: output.note("waiting for another espbench, which is building the host core")
        case .hostCore:
            let isFirst = announced.isCoreAnnounced.withLock { isAnnounced in
                defer { isAnnounced = true }
                return !isAnnounced
            }
            if isFirst { output.note("building the host core, once for all sketches") }
            output.progress("host core", completed: progress.completed, of: progress.total)
        case .library(let name):
            output.progress("library \(name)", completed: progress.completed, of: progress.total)
        case .sketch(let name):
            output.progress(name, completed: progress.completed, of: progress.total)
        }
    }
}

/// The programs whose crashes a console explains.
package enum CrashPrograms {
    /// The resolver of a crash's addresses, from the ELF files at `paths`; without paths, from the cached build for the
    /// virtual board that the crash names.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput`.
    package static func lines(of paths: [String], _ environment: Environment) throws(CommandFailure) -> CrashLines {
        guard !paths.isEmpty else {
            let builds = (try? environment.folders).map { SymbolFiles(cache: $0.builds) }
            return CrashLines(symbols: nil) { builds?.resolver(digest: $0) }
        }
        var programs: [ELFProgram] = []
        for path in paths {
            do throws(FirmwareBuildError) {
                programs.append(try ELFProgram(path: path, home: environment.variables["HOME"]))
            } catch {
                guard error.code == .fileSystem else { throw CommandFailure(error, .badInput) }
                throw CommandFailure(.badInput, error.detail, code: "file.unreadable")
            }
        }
        return CrashLines(symbols: ELFPrograms(programs))
    }
}
