import BenchModel
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
    package func document(_ yaml: String) -> YAMLDocument {
        let start = SourcePosition(line: 1, column: 1)
        do {
            guard let root = try Yams.compose(yaml: yaml) else { return .empty }
            if case .scalar(let scalar) = root, scalar.string.isEmpty, scalar.style == .plain { return .empty }
            return .root(root)
        } catch let error as YamlError {
            let (message, mark) = error.messageAndMark
            let position = mark.map { SourcePosition(line: $0.line, column: $0.column) }
            report(message, at: position ?? start)
        } catch {
            report("\(error)", at: start)
        }
        return .faulty
    }
}

extension YamlError {
    /// What the parser says, and where.
    fileprivate var messageAndMark: (String, Mark?) {
        switch self {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            ("not YAML: \(problem)\(context.map { ", \($0.text)" } ?? "")", mark)
        case .duplicatedKeysInMapping(let duplicates, let context):
            ("key\(duplicates.count == 1 ? "" : "s") given twice: \(duplicates.sorted().list)", context.mark)
        case .no, .memory, .reader, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            ("not YAML: \(self)", nil)
        }
    }
}
