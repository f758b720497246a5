import ESPChips
import ESPFlasher
import Foundation

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

extension SessionOptions {
    /// The rate that is tried first on a board's port; it is arduino-esp32's for uploads.
    package static let usualBaudRate = 921_600

    /// The usual session with a board at a port: with the stub of an installed esptool.
    package static func usual(_ environment: Environment) -> SessionOptions {
        let finder = StubFinder(environment.variables)
        return SessionOptions(baudRate: usualBaudRate) { (chip, revision) throws(FlasherError) in
            finder.image(for: chip, revision: revision)
        }
    }
}
