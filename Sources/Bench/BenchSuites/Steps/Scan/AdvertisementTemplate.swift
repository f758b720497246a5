import Bench
import YAMLReading
import Yams

/// The advertisement that a step looks for; one advertisement must meet all conditions.
struct AdvertisementTemplate: Sendable {
    /// Services that are all advertised.
    var services: [UUIDReference]
    /// The local name.
    var name: String?
    /// The board that sends it; `nil`: anybody.
    var board: BoardReference?
}

extension SuiteReader {
    /// Reads `advertising`, `name` and `board`, of which at least one must be there.
    func advertisement(_ fields: Fields, _ what: String) -> AdvertisementTemplate? {
        let services: [UUIDReference?] =
            fields["advertising"].map { node in
                (node.sequence.map { Array($0) } ?? [node]).map { uuid($0, "an advertised service") }
            } ?? []
        let name = fields["name"].flatMap { scalars.text($0, "a local name") }
        let sender = fields["board"]
        if services.isEmpty, name == nil, sender == nil {
            diagnostics.report(
                "\(what) lacks what to look for, expected 'advertising', 'name' or, where 'boards' are named, 'board'",
                at: fields.node)
            return nil
        }
        let board = namedBoard(sender)
        guard !services.contains(nil), board != nil || sender == nil else { return nil }
        return AdvertisementTemplate(services: services.compactMap(\.self), name: name, board: board)
    }
}

extension StepRun {
    func filter(_ template: AdvertisementTemplate) -> AdvertisementFilter {
        AdvertisementFilter(
            services: template.services.map { uuid($0) }, name: template.name, board: template.board.map { board($0) })
    }
}
