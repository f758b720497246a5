internal import BLECore
import ServeCommands

/// Translates esptool's command lines to espbench's spelling: options before the verb, `write_flash`, `-p`,
/// `--flash_mode`, `@flash_args`.
///
/// Only the verbs of the loader are translated. Words that esptool does not have are unchanged.
package enum EsptoolSpelling {
    /// esptool's verbs that espbench also has, under the same names or as aliases.
    private static let verbs: Set<String> = [
        "write-flash", "verify-flash", "read-flash", "erase-flash", "erase-region", "chip-id", "flash-id", "read-mac",
        "get-security-info", "load-ram",
    ]
    /// espbench's verbs that talk to a loader.
    private static let ownVerbs: Set<String> = ["flash", "verify", "read", "erase", "info", "md5"]
    /// esptool's verbs that are verbs of `image` in espbench.
    private static let imageVerbs: Set<String> = ["image-info", "merge-bin", "elf2image"]
    private static let shortOptions = [
        "-p": "--port", "-b": "--baud", "-c": "--chip", "-a": "--after", "-fm": "--flash-mode", "-ff": "--flash-freq",
        "-fs": "--flash-size", "-e": "--erase-all", "-u": "--no-compress",
    ]
    /// The options of esptool that precede the verb and take a value.
    private static let valueOptions: Set<String> = [
        "--port", "--baud", "--chip", "--before", "--after", "--connect-attempts",
    ]

    /// `arguments`, without the program's name, in espbench's spelling.
    ///
    /// - Parameter read: returns the text of a file of arguments.
    package static func translated(
        _ arguments: [String], read: (String) throws -> String
    ) rethrows -> [String] {
        var rest = arguments[...]
        var leading: [String] = []
        while let word = rest.first, word.hasPrefix("-") {
            let option = option(word)
            let isPaired = valueOptions.contains(option)
            guard isPaired || option == "--no-stub" || valueOptions.contains(String(option.prefix { $0 != "=" })),
                rest.count > (isPaired ? 2 : 1)
            else { return arguments }
            leading.append(option)
            rest.removeFirst()
            if isPaired { leading.append(rest.removeFirst()) }
        }
        guard let first = rest.popFirst() else { return arguments }
        let verb = first.replacing("_", with: "-")
        let isImage = imageVerbs.contains(verb)
        guard isImage || verbs.contains(verb) || ownVerbs.contains(first) else { return arguments }
        var words: [String] = []
        for word in rest {
            if word.hasPrefix("@"), word.count > 1 {
                words += try read(String(word.dropFirst())).split(whereSeparator: \.isWhitespace).map(String.init)
            } else {
                words.append(word)
            }
        }
        let isEnded = words.firstIndex(of: "--") ?? words.endIndex
        var options = leading + words[..<isEnded].map(option)
        // esptool never writes to a virtual board.
        let hasBoard = options.contains { $0.hasPrefix("--port") || $0.hasPrefix("--flash-file") }
        if verb == "write-flash", !hasBoard { options += ["--port", "auto"] }
        return (isImage ? ["image", verb] : [verb]) + withoutDefaults(options, verb) + words[isEnded...]
    }

    /// An option in espbench's spelling; any other word unchanged.
    private static func option(_ word: String) -> String {
        if let long = shortOptions[word] { return long }
        guard word.hasPrefix("--") else { return word }
        let name = word.prefix { $0 != "=" }
        return String(name).replacing("_", with: "-") + word.dropFirst(name.count)
    }

    /// `words` without options for espbench's default behaviour: compressing, and detecting the chip, also of an image.
    private static func withoutDefaults(_ words: [String], _ verb: String) -> [String] {
        var result: [String] = []
        for word in words where word != "-z" && word != "--compress" {
            if result.last == "--chip", verb == "image-info" || word == "auto" {
                result.removeLast()
            } else {
                result.append(word)
            }
        }
        return result
    }
}

/// `read` is a verb of the loader and of BLE tools: a command that can only be meant for a Bluetooth peer becomes `ble
/// read`.
package enum BluetoothSpelling {
    /// `arguments`, without the program's name; `read` is replaced by `ble read` where that is meant.
    package static func translated(_ arguments: [String]) -> [String] {
        guard arguments.first == "read" else { return arguments }
        let words = arguments.dropFirst().prefix { $0 != "--" }
        let hasCentral = words.contains { $0 == "--central" || $0.hasPrefix("--central=") }
        let isPeer = words.first.map { word in
            DeviceAddress(word, .public) != nil || word.hasPrefix("name:") || word.hasPrefix("service:")
        }
        return hasCentral || isPeer == true ? ["ble"] + arguments : arguments
    }
}

/// Options with an optional value, in the form that the parser accepts: `--vhci:5.0` becomes `--vhci=5.0`, and `--vhci`
/// alone gets its default value.
package enum OptionalValues {
    /// The options with their default values.
    private static let options = [(name: "--vhci", value: ControllerKind.default.rawValue)]

    /// `arguments`, without the program's name, with a value for each of these options.
    package static func completed(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].map(completed) + arguments[end...]
    }

    private static func completed(_ word: String) -> String {
        for option in options where word.hasPrefix(option.name) {
            let rest = word.dropFirst(option.name.count)
            if rest.isEmpty { return "\(option.name)=\(option.value)" }
            if rest.first == ":" { return "\(option.name)=\(rest.dropFirst())" }
        }
        return word
    }
}
