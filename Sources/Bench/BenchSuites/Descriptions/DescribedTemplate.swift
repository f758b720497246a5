import BLEDescriptions
import SourceText
import YAMLReading
import Yams

/// The content of a described value, computed from the parameters.
enum ContentTemplate: Sendable {
    case content(DescribedContent)
    case expression(Expression, SourcePosition)
    case text(TextTemplate, SourcePosition)

    func evaluate(_ context: inout EvaluationContext) throws(EvaluationError) -> DescribedContent {
        switch self {
        case .content(let content): return content
        case .expression(let expression, let position):
            return .integer(Int128(try expression.evaluate(&context, at: position)))
        case .text(let template, let position):
            do throws(ExpressionError) {
                return .text(try template.rendered(&context))
            } catch {
                throw EvaluationError(error.message, position.advanced(by: error.offset))
            }
        }
    }
}

/// The bytes of a described characteristic, from the contents of its values.
struct DescribedTemplate: Sendable {
    let characteristic: CharacteristicDescription
    let values: [(name: String, content: ContentTemplate)]
    let position: SourcePosition

    func evaluate(_ context: inout EvaluationContext) throws(EvaluationError) -> [UInt8] {
        var contents: [String: DescribedContent] = [:]
        for (name, content) in values { contents[name] = try content.evaluate(&context) }
        do throws(DescriptionError) {
            return try characteristic.encode(contents)
        } catch {
            throw EvaluationError(error.description, position)
        }
    }
}

extension SuiteReader {
    /// Reads `value` or `values` of a described characteristic; `nil` if an error was reported.
    func describedValue(_ fields: Fields, of target: Node) -> ValueTemplate? {
        guard let (place, _) = place(target, "a described characteristic") else { return nil }
        let all = place.characteristic.values
        guard let node = fields["values"] else {
            guard let node = fields["value"] else { return nil }
            guard let index = place.value else {
                diagnostics.report(
                    "'\(place.characteristic.path)' has several values, expected 'values' of: \(all.map(\.name).list)",
                    at: node)
                return nil
            }
            return content(node, of: all[index]).map {
                template(place.characteristic, [(all[index].name, $0)], node)
            }
        }
        guard case .mapping(let mapping) = node else {
            diagnostics.report("expected 'values' to map names to values, got \(node.summary)", at: node)
            return nil
        }
        var values: [(name: String, content: ContentTemplate)] = []
        for (key, value) in mapping {
            let choices = all.map { ($0.name, $0) }
            guard let described = scalars.choice(key, "a value", among: choices),
                let content = content(value, of: described)
            else { return nil }
            values.append((described.name, content))
        }
        return template(place.characteristic, values, node)
    }

    private func template(
        _ characteristic: CharacteristicDescription, _ values: [(name: String, content: ContentTemplate)], _ node: Node
    ) -> ValueTemplate {
        let template = DescribedTemplate(characteristic: characteristic, values: values, position: node.position)
        // Without parameters, a mistake is found when the suite is read.
        var context = EvaluationContext()
        let isConstant = values.allSatisfy { if case .content = $0.content { true } else { false } }
        if isConstant {
            do throws(EvaluationError) {
                _ = try template.evaluate(&context)
            } catch {
                diagnostics.report(error.message, at: node)
            }
        }
        return ValueTemplate(elements: [.described(template)])
    }

    /// A number, a number's name, a text, true or false; numbers may be expressions with the case's parameters.
    func content(_ node: Node, of value: ValueDescription) -> ContentTemplate? {
        guard case .scalar(let scalar) = node else {
            diagnostics.report("expected a value for '\(value.name)', got \(node.summary)", at: node)
            return nil
        }
        let text = scalar.string
        if value.names.contains(where: { $0.name == text }) { return .content(.text(text)) }
        if !value.isNumber {
            return scalars.template(node, "a text", parameters).map { .text($0, node.textPosition) }
        }
        if text == "true" || text == "false" { return .content(.flag(text == "true")) }
        if text.contains("."), let number = Double(text), number.isFinite { return .content(.real(number)) }
        guard let expression = scalars.expression(node, "a number for '\(value.name)'", parameters) else { return nil }
        if let constant = expression.constant { return .content(.integer(Int128(constant))) }
        return .expression(expression, node.textPosition)
    }
}
