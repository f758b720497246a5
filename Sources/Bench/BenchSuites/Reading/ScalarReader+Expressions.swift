import SourceText
import Yams
import YAMLReading

/// Expressions and texts with expressions in them.
extension ScalarReader {
    func expression(_ node: Node, _ what: String, _ parameters: [String]) -> Expression? {
        guard let source = text(node, what) else { return nil }
        return compiled(node) { () throws(ExpressionError) in try Expression(source, parameters: parameters) }
    }

    func template(_ node: Node, _ what: String, _ parameters: [String]) -> TextTemplate? {
        guard case .scalar(let scalar) = node else {
            diagnostics.report("expected \(what), got \(node.summary)\(node.quotingRemedy)", at: node)
            return nil
        }
        return compiled(node) { () throws(ExpressionError) in
            try TextTemplate(scalar.string, parameters: parameters)
        }
    }

    private func compiled<Value>(_ node: Node, _ compile: () throws(ExpressionError) -> Value) -> Value? {
        do throws(ExpressionError) {
            return try compile()
        } catch {
            if error.unknownName == nil || !diagnostics.hasUnknownParameters {
                diagnostics.report(error.message, at: node.textPosition.advanced(by: error.offset))
            }
            return nil
        }
    }
}
