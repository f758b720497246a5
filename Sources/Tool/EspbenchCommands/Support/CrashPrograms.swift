internal import Console
import FirmwareBuild

/// The programs whose crashes a console explains.
enum CrashPrograms {
    /// The places of a crash in the ELF files at `paths`; without any, in the cached build for the virtual board that
    /// the crash names.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput`.
    static func lines(of paths: [String], _ environment: Environment) throws(CommandFailure) -> CrashLines {
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
