internal import BLECore
import CommandSupport
import ServeCommands

/// Translates esptool's command lines to espbench's spelling: options before the verb, `write_flash`, `-p`,
/// `--flash_mode`, `@flash_args`. ``EsptoolOption`` lists the options.
///
/// Only the verbs of the loader are translated. Words that esptool does not have are unchanged.
package struct EsptoolSpelling: Equatable {
    /// The command line in espbench's spelling, without the program's name.
    package private(set) var arguments: [String]
    /// Why options have no effect, for the user.
    package private(set) var notes: [String] = []

    /// esptool's verbs that espbench also has, under the same names or as aliases.
    private static let verbs: Set<String> = [
        "write-flash", "verify-flash", "read-flash", "erase-flash", "erase-region", "chip-id", "flash-id", "read-mac",
        "get-security-info", "load-ram",
    ]
    /// espbench's verbs that talk to a loader, and the ones of esptool whose options they accept.
    private static let ownVerbs = [
        "flash": "write-flash", "verify": "verify-flash", "read": "read-flash", "erase": "erase-flash",
        "info": "flash-id", "md5": "flash-id",
    ]
    /// esptool's verbs that are verbs of `image` in espbench.
    private static let imageVerbs: Set<String> = ["image-info", "merge-bin", "elf2image"]
    /// esptool's verbs that espbench lacks, and what to do instead.
    private static let otherVerbs = [
        "dump-mem": "use esptool", "read-mem": "use esptool", "write-mem": "use esptool",
        "read-flash-status": "'espbench info' prints the status", "write-flash-status": "use esptool",
        "read-flash-sfdp": "'espbench info' prints the size in that table", "read-nand-spare": "use esptool",
        "write-nand-spare": "use esptool", "dump-bbm": "use esptool", "verify-sdc-certificate": "use esptool",
        "read-sdc-chip-info": "use esptool",
    ]
    /// The same for verbs that are another program's, or espbench's own, unless esptool's options precede them.
    private static let otherVerbsWithOptions = [
        "run": "'espbench monitor --reset' starts the board's application", "version": "'espbench --version' prints it",
    ]

    /// Translates `arguments`, without the program's name.
    ///
    /// - Parameter read: returns the text of a file of arguments.
    /// - Throws: ``CommandFailure`` for a verb or an option of esptool that espbench refuses; errors of `read`.
    package init(_ arguments: [String], read: (String) throws -> String) throws {
        self.arguments = arguments
        var rest = arguments[...]
        var leading: [String] = []
        while let word = rest.first, word.hasPrefix("-") {
            guard let option = EsptoolOption.general(Self.name(of: word)) else { return }
            leading.append(word)
            rest.removeFirst()
            guard !word.contains("="), option.arity != .none else { continue }
            // The verb is no value.
            let count = option.arity == .one ? 1 : rest.prefix { !$0.hasPrefix("-") && !Self.isVerb($0) }.count
            guard rest.count > count else { return }
            leading += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        guard let first = rest.popFirst() else { return }
        let verb = first.replacing("_", with: "-")
        if let remedy = Self.otherVerbs[verb] ?? (leading.isEmpty ? nil : Self.otherVerbsWithOptions[verb]) {
            throw CommandFailure(.usage, "espbench has no \(verb) of esptool: \(remedy)", code: "usage.esptool")
        }
        let isImage = Self.imageVerbs.contains(verb)
        guard let theirs = isImage || Self.verbs.contains(verb) ? verb : Self.ownVerbs[first] else { return }
        var words: [String] = []
        for word in rest {
            if word.hasPrefix("@"), word.count > 1 {
                words += try read(String(word.dropFirst())).split(whereSeparator: \.isWhitespace).map(String.init)
            } else {
                words.append(word)
            }
        }
        let isEnded = words.firstIndex(of: "--") ?? words.endIndex
        var options = try translated(leading[...], nil, theirs, isImage)
        options += try translated(words[..<isEnded], theirs, theirs, isImage)
        // esptool never writes to a virtual board.
        let hasBoard = options.contains { $0.hasPrefix("--port") || $0.hasPrefix("--flash-file") }
        if verb == "write-flash", !hasBoard { options += ["--port", "auto"] }
        self.arguments = (isImage ? ["image", verb] : [verb]) + options + words[isEnded...]
    }

    /// True if `verb` of esptool is translated.
    package static func isSpoken(_ verb: String) -> Bool { verbs.contains(verb) || imageVerbs.contains(verb) }

    /// True if `verb` of esptool is translated or refused.
    package static func isKnown(_ verb: String) -> Bool {
        isSpoken(verb) || otherVerbs[verb] != nil || otherVerbsWithOptions[verb] != nil
    }

    private static func isVerb(_ word: String) -> Bool {
        isKnown(word.replacing("_", with: "-")) || ownVerbs[word] != nil
    }

    /// The name of an option without its value, with hyphens.
    private static func name(of word: String) -> String {
        let name = String(word.prefix { $0 != "=" })
        return name.hasPrefix("--") ? name.replacing("_", with: "-") : name
    }

    /// `words` with each option of the verb `own`, or of all verbs, in espbench's spelling.
    private mutating func translated(
        _ words: ArraySlice<String>, _ own: String?, _ verb: String, _ isImage: Bool
    ) throws(CommandFailure) -> [String] {
        var rest = words
        var result: [String] = []
        while let word = rest.popFirst() {
            let name = Self.name(of: word)
            guard word.hasPrefix("-"), word.count > 1,
                let option = EsptoolOption.find(name, own, verb, isPort: Self.isPort(rest.first))
            else {
                result.append(word.hasPrefix("--") ? name + word.dropFirst(name.count) : word)
                continue
            }
            let inline = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
            var values = inline.map { [$0] } ?? []
            if inline == nil, option.arity != .none {
                let count = option.arity == .one ? 1 : rest.prefix { !$0.hasPrefix("-") }.count
                values = Array(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            try apply(option.effect, option.names[0], values, isInline: inline != nil, to: &result)
        }
        return result
    }

    private mutating func apply(
        _ effect: EsptoolOption.Effect, _ name: String, _ values: [String], isInline: Bool, to words: inout [String]
    ) throws(CommandFailure) {
        switch effect {
        case .same: words += isInline ? ["\(name)=\(values[0])"] : [name] + values
        case .spelled(let own): words.append(own)
        case .isDefault: break
        case .none(let reason): notes.append("\(name) has no effect: \(reason)")
        case .refused(let remedy, let code):
            throw CommandFailure(
                code == "flash.encrypt" ? .refused : .usage, "\(name): \(remedy); nothing was changed", code: code)
        case .unless(let defaults, let other):
            if let value = values.first, defaults.contains(value.lowercased()) { return }
            try apply(other, name, values, isInline: isInline, to: &words)
        }
    }

    /// True if `word` behind `-p` is a port: `-p` of `write-flash` and `read-flash` means no progress in esptool, and
    /// addresses or options follow.
    private static func isPort(_ word: String?) -> Bool {
        guard let word, let first = word.first else { return false }
        return !first.isNumber && first != "-"
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
