import ArgumentParser
import ESPChips
import ESPFlasher
import FirmwareBuild
import Foundation
import SerialPort

/// How a command talks to a board's loader.
struct LoaderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The highest rate of the line in bits per second; one that fails a check is followed by the next lower. (default: 921600, over socket:// unchanged)",
            valueName: "rate"))
    var baud: Int?

    @Option(
        help: ArgumentHelp(
            "The loader stub: a JSON file of the esptool package. (default: that of an installed esptool)",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    var stub: String?

    @Flag(name: .customLong("no-stub"), help: "Use the loader in ROM, without a stub.")
    var noStub = false

    @OptionGroup var connection: ConnectionOptions

    @Option(
        help: ArgumentHelp(
            "What happens at the end: hard-reset, soft-reset, watchdog-reset or no-reset.", valueName: "reset"),
        transform: Self.after)
    var after = BoardReset.hard

    @Flag(help: "Print a line with a JSON object for each event and for the result.")
    var json = false

    private static let usualBaud = 921_600

    func validate() throws {
        if noStub, stub != nil { throw ValidationError("--stub and --no-stub contradict each other.") }
        if let baud, !(300...12_000_000).contains(baud) {
            throw ValidationError("--baud: expected a rate 300...12000000, got \(baud).")
        }
    }

    private static func after(_ text: String) throws -> BoardReset {
        switch text.replacing("_", with: "-") {
        case "hard-reset": return .hard
        case "soft-reset": return .soft
        case "watchdog-reset": return .watchdog
        case "no-reset", "no-reset-stub": return .stay
        default:
            throw ValidationError(
                "Expected hard-reset, soft-reset, watchdog-reset or no-reset, got '\(text)'.")
        }
    }

    /// The beginning of a session.
    ///
    /// - Throws: ``CommandFailure`` when the stub's file cannot be used.
    func session(_ environment: Environment) throws -> SessionOptions {
        let finder = StubFinder(environment.variables)
        var session = SessionOptions(
            connect: connection.value, baudRate: baud ?? Self.usualBaud, raisesUnsetRate: baud != nil)
        if noStub { return session }
        if let stub {
            let image = try StubFinder.image(stub)
            session.stub = { (_, _) throws(FlasherError) in image }
        } else {
            session.stub = { (chip, revision) throws(FlasherError) in finder.image(for: chip, revision: revision) }
        }
        return session
    }
}

/// Finds the loader stubs of an installed esptool: this project has none of its own.
struct StubFinder: Sendable {
    private let variables: [String: String]
    /// The root of the file system that the system's folders are in, without a slash at its end.
    private let root: String

    /// Where stubs are in the package; `2` has the stubs of esp-flasher-stub.
    private static let place = "esptool/targets/stub_flasher/2"
    private static let variable = "ESPBENCH_STUBS"

    init(_ variables: [String: String], root: String = "") {
        self.variables = variables
        self.root = root
    }

    /// The stub of `chip`, of this revision where there are several; `nil` when no esptool is installed, or its file is
    /// not one.
    func image(for chip: Chip, revision: UInt32? = nil) -> StubImage? {
        let name = StubImage.fileName(forChip: chip.name, revision: revision)
        for folder in folders {
            if let image = try? Self.image("\(folder)/\(name)") { return image }
        }
        return nil
    }

    /// The stub in the file at `path`.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput`.
    static func image(_ path: String) throws(CommandFailure) -> StubImage {
        let bytes = try InputFile.read(path)
        do throws(FlasherError) {
            return try StubImage(json: bytes, name: path)
        } catch {
            throw CommandFailure(error, .badInput)
        }
    }

    /// The folders of stubs: of the variable, of the esptool in PATH, of the user's and the system's Python.
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
