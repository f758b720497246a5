import SourceText
import Yams

/// What a YAML file holds.
package enum YAMLDocument {
    case root(Node)
    /// Nothing but comments.
    case empty
    /// No YAML; reported.
    case faulty
}

extension DiagnosticCollector {
    /// Parses a file's text; reports where it is no YAML.
    package func document(_ text: String) -> YAMLDocument {
        // Windows editors begin UTF-8 with a byte order mark.
        let yaml = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        let start = SourcePosition(line: 1, column: 1)
        do {
            guard let root = try Yams.compose(yaml: yaml) else { return .empty }
            if case .scalar(let scalar) = root, scalar.string.isEmpty, scalar.style == .plain { return .empty }
            return .root(root)
        } catch let error as YamlError {
            let fault = YAMLFault(error, yaml.lines)
            report(fault.message, at: fault.position ?? start)
        } catch {
            report("\(error)", at: start)
        }
        return .faulty
    }
}

extension String {
    /// The lines as YAML counts them, whatever the system they were written on ends them with.
    package var lines: [Substring] { split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }
}
