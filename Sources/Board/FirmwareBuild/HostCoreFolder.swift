import FoundationEssentials
import SystemPackage
import Yams

/// Finds the host core, which comes with the program.
public enum HostCoreFolder {
    /// The environment variable that names another host core.
    public static let variable = "ESPBENCH_HOST_CORE"

    /// The host core's paths relative to a folder above the program: when installed, and in a checkout.
    private static let places = ["share/espbench/Host", "Firmware/Host"]

    /// The host core that comes with the program or source file at `path`: in a folder above it.
    ///
    /// - Parameter override: the value of ``variable``; that folder is used instead.
    /// - Throws: ``FirmwareBuildError`` with code `hostCoreNotFound`, which names every path tried.
    public static func find(override: String?, near path: String) throws(FirmwareBuildError) -> String {
        if let override, !override.isEmpty {
            if isHostCore(override) { return URL(filePath: override).standardizedFileURL.path }
            throw FirmwareBuildError(
                .hostCoreNotFound,
                "no host core in \(override), which \(variable) names: expected include/Arduino.h in it")
        }
        var folder = FilePath(path).removingLastComponent()
        var tried: [String] = []
        while true {
            for place in places {
                let candidate = folder.appending(FilePath(place).components).string
                if isHostCore(candidate) { return candidate }
                tried.append(candidate)
            }
            guard !folder.components.isEmpty else { break }
            folder.removeLastComponent()
        }
        throw FirmwareBuildError(
            .hostCoreNotFound,
            "no host core beside the program \(path): tried \(tried.prefix(4).joined(separator: ", ")) and so on up to \(tried.last ?? "/")"
        )
    }

    private static func isHostCore(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: folder + "/include/Arduino.h")
    }
}

/// The Arduino user folder, whose `libraries` sketches may use: `directories.user` of arduino-cli.
public enum ArduinoUserFolder {
    /// The `libraries` folder selected by these environment variables, or by the configuration of arduino-cli; by
    /// default that of `~/Arduino` (on macOS of `~/Documents/Arduino`). It need not exist.
    ///
    /// See https://arduino.github.io/arduino-cli/latest/configuration/.
    public static func libraries(_ variables: [String: String]) -> String? {
        folder(variables).map { $0 + "/libraries" }
    }

    private static func folder(_ variables: [String: String]) -> String? {
        if let folder = variables["ARDUINO_DIRECTORIES_USER"], !folder.isEmpty { return folder }
        let home = variables["HOME"].flatMap { $0.isEmpty ? nil : $0 }
        #if os(macOS)
            let (data, user) = ("Library/Arduino15", "Documents/Arduino")
        #else
            let (data, user) = (".arduino15", "Arduino")
        #endif
        let dataFolder = variables["ARDUINO_DIRECTORIES_DATA"] ?? home.map { "\($0)/\(data)" }
        let file = variables["ARDUINO_CONFIG_FILE"] ?? dataFolder.map { $0 + "/arduino-cli.yaml" }
        // The file belongs to arduino-cli: only arduino-cli reports its faults.
        if let file, let text = try? FileTree.text(of: file), let root = try? Yams.compose(yaml: text),
            let folder = root["directories"]?["user"]?.string, !folder.isEmpty
        {
            return folder
        }
        return home.map { "\($0)/\(user)" }
    }
}
