import BLECentral
import BLECore
import BenchModel
import Console
import MonotonicTime

/// The events that came in place of an expected one.
extension BenchSession {
    func instead(
        of expectation: BenchExpectation, _ matcher: EventMatcher, since started: MonotonicInstant
    ) -> String {
        switch matcher {
        case .uart(let pattern, _, _), .stream(let pattern, _, _): if let found = pattern.searched { return found }
        case .lineValue(let match, let board): return log.lines(of: board, inPlaceOf: match, since: started)
        default: break
        }
        return switch expectation {
        case .console(.line(let text), let board): log.lines(of: board.index, inPlaceOf: text, since: started)
        case .console(.regex, let board), .console(.value, let board):
            log.lines(of: board.index, inPlaceOf: nil, since: started)
        case .prompt(_, let board): prompt(of: board, since: started)
        case .value(let uuid, let central, let isIndication, _, _):
            value(inPlaceOf: uuid, over: central, isIndication: isIndication, since: started)
        case .disconnect(let central, _):
            "'\(name(of: central))' \(isConnected(central) ? "is still connected" : "had no link")"
        case .servo(_, let board): log.servoPositions(of: board.index)
        case .state(let pattern, let board): log.states.instead(of: pattern, board: board.index, since: started)
        case .uart(let port, _, let board):
            log.uarts.rest(port: port, board: board.index).isEmpty
                ? "fewer came" : ValueText.text(log.uarts.rest(port: port, board: board.index))
        case .stream(let uuid, let central, _):
            value(inPlaceOf: uuid, over: central, isIndication: false, since: started)
        case .powerCut: "the power was not cut"
        case .nothing, .stateStays: "it came"
        }
    }

    private func prompt(of board: BoardID, since started: MonotonicInstant) -> String {
        let partialLine = boards[board.index].lines.partialLine
        return partialLine.isEmpty
            ? log.lines(of: board.index, inPlaceOf: nil, since: started) : "the prompt '\(partialLine)'"
    }

    private func value(
        inPlaceOf uuid: BLEUUID, over central: CentralID, isIndication: Bool, since started: MonotonicInstant
    ) -> String {
        let state = centrals[central.index]
        let (central, name) = ("'\(state.description.name)'", name(uuid))
        guard state.link != nil, let attribute = state.attributes[uuid] else { return "\(central) has no link" }
        let former = log.values(over: state.description.name, of: state.eventAttribute(attribute), since: started)
        if let lacking = lacking(isIndication ? .indicate : .notify, uuid, state) { return lacking }
        let kind = isIndication ? Subscription.indications : .notifications
        let subscription = state.subscriptions[attribute] ?? .none
        if subscription != kind {
            let why =
                subscription == .none
                ? "has not subscribed to \(name) on this link"
                : "has subscribed to \(name) for \(subscription.rawValue)"
            return "none: \(central) \(why)" + (former.map { "; \($0)" } ?? "")
        }
        let refusals = log.refusals(of: state.eventAttribute(attribute).handle).map { "; \($0)" } ?? ""
        if let former { return former + refusals }
        let other = log.otherValue(
            over: state.description.name, than: state.eventAttribute(attribute), since: started)
        return "none, though \(central) has subscribed to \(name)" + (other.map { "; there was \($0)" } ?? "")
            + refusals
    }

    /// The remark that the sketch has not set a property of a characteristic; `nil`: the sketch has set it.
    func lacking(_ property: CharacteristicProperties, _ uuid: BLEUUID, _ state: CentralState) -> String? {
        let found = state.services.lazy.flatMap(\.characteristics).first { $0.uuid == uuid }
        guard let found, found.properties.isDisjoint(with: property) else { return nil }
        let properties = found.properties.names
        return "the sketch's characteristic \(name(uuid)) lacks \(property.names(separator: " or ")); "
            + (properties.isEmpty ? "it has no properties" : "it has \(properties)")
    }
}
