/// Options whose value may be left out, in the form that the parser takes: `--vhci:5.0` becomes `--vhci=5.0`, and `--vhci`
/// alone has its default value.
package enum OptionalValues {
    /// With their default values.
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
