import BLECore
import BLEDescriptions
import SourceText
import YAMLReading
import Yams

/// Returns the content of a description's file; the path is relative to the suite's file.
public typealias DescriptionSource = (_ path: String) throws -> String

/// Reads the parts of a suite that use names of its descriptions.
extension SuiteReader {
    /// Reads `description`: a name of the catalogue or a path, or a list of them.
    func readDescriptions(_ node: Node, _ source: DescriptionSource?) {
        let nodes = if case .sequence(let list) = node { Array(list) } else { [node] }
        for node in nodes {
            if let found = description(node, source) {
                descriptions.append(found)
            } else {
                // Unknown names are not reported, since the missing description may define them.
                hasUnknownUUIDs = true
            }
        }
    }

    /// The description that a step names: one of the suite's by its name, or one of the catalogue.
    func description(named node: Node) -> PeripheralDescription? {
        if let known = descriptions.first(where: { $0.name == node.scalar?.string }) { return known }
        return description(node, descriptionSource)
    }

    /// The description that `node` names.
    func description(_ node: Node, _ source: DescriptionSource?) -> PeripheralDescription? {
        guard let name = scalars.text(node, "a description's name or file") else { return nil }
        if let description = PeripheralDescription.catalogued(name) { return description }
        let known = PeripheralDescription.catalogue.map(\.name)
        guard name.contains("."), let source else {
            diagnostics.report(
                "expected a description's file or one of: \(known.list); got '\(name)'\(Suggestion.text(for: name, in: known))",
                at: node)
            return nil
        }
        do {
            return try PeripheralDescription(yaml: source(name), file: name)
        } catch let error as DocumentError {
            for fault in error.diagnostics { diagnostics.report("\(fault)", at: node) }
        } catch {
            diagnostics.report("\(error)", at: node)
        }
        return nil
    }

    /// The UUID that a description gives to `text`: a service's name, or SERVICE.NAME.
    func describedUUID(_ text: String) -> NamedUUID? {
        for description in descriptions {
            if let service = description.services.first(where: { $0.name == text }) {
                return NamedUUID(name: text, uuid: service.uuid)
            }
            if let place = try? description.place(text) {
                return NamedUUID(name: place.characteristic.path, uuid: place.characteristic.uuid)
            }
        }
        return nil
    }

    /// Reports a name that is neither under `uuids` nor in a description of the suite.
    func reportUnknownUUID(_ text: String, _ what: String, at node: Node) {
        let described = descriptions.flatMap(\.allNames).reduce(into: [String]()) { names, name in
            if !names.contains(name) { names.append(name) }
        }
        // Uses of described names are entered in `uuids`, too.
        let own = uuids.map(\.name).filter { !described.contains($0) }
        // The service is easily left out: `temperature` for `environment.temperature`.
        let whole = described.filter { $0.hasSuffix(".\(text)") }
        let meant =
            whole.isEmpty
            ? Suggestion.text(for: text, in: own + described)
            : " (did you mean \(whole.map { "'\($0)'" }.joined(separator: " or "))?)"
        let written = own.isEmpty ? "" : " (\(own.list))"
        let ofDescriptions = described.isEmpty ? "" : ", a name of the suite's description (\(described.list))"
        diagnostics.report(
            "unknown name '\(text)' for \(what)\(meant), expected one under 'uuids'\(written)\(ofDescriptions) or a UUID",
            at: node)
    }

    /// The described characteristic or value of that name; reports an error if there is none.
    func place(_ node: Node, _ what: String) -> (place: DescribedPlace, uuid: UUIDReference)? {
        guard let text = scalars.text(node, what) else { return nil }
        guard !descriptions.isEmpty else {
            if hasUnknownUUIDs { return nil }
            diagnostics.report(
                "\(what) needs the suite's 'description', such as 'description: sensortag'", at: node)
            return nil
        }
        for description in descriptions {
            if let place = try? description.place(text), let uuid = uuid(node, what) { return (place, uuid) }
        }
        if hasUnknownUUIDs { return nil }
        let names = descriptions.flatMap(\.allNames).filter { $0.contains(".") }
        diagnostics.report(
            "unknown name '\(text)' for \(what)\(Suggestion.text(for: text, in: names)), expected SERVICE.VALUE of: "
                + descriptions.map(\.name).list, at: node)
        return nil
    }
}
