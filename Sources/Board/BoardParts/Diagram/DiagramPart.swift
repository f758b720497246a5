import YAMLReading
internal import Yams

/// The translation of one part of a diagram to an entry of a suite's `parts`.
final class DiagramPart {
    let diagram: Diagram
    let component: Diagram.Component
    /// The kind of part.
    var kind: String
    private var fields: [(Node, Node)] = []
    /// The first values of quantities.
    private(set) var quantities: [(name: String, value: Double, node: Node)] = []
    private var used: Set<String> = []
    private let diagnostics: DiagnosticCollector

    init(_ component: Diagram.Component, _ kind: String, of diagram: Diagram, _ diagnostics: DiagnosticCollector) {
        (self.component, self.kind, self.diagram, self.diagnostics) = (component, kind, diagram, diagnostics)
    }

    /// The entry.
    var node: Node {
        .mapping(Node.Mapping([field("part", kind, component.node)] + fields, .implicit, .any, component.node.mark))
    }

    /// Attributes that were not used, and that change more than the looks.
    var unknownAttributes: [(name: String, value: Node)] {
        component.attributes.filter { !used.contains($0.name) && !Self.looks.contains($0.name) }
    }

    private static let looks: Set = [
        "background", "brightness", "color", "flip", "fps", "gamma", "horn", "hornColor", "key", "label", "layout",
        "lightColor", "mode", "pixelShape", "pixelSize", "travelLength", "volume", "xray",
    ]

    // MARK: Keys

    private func field(_ key: String, _ value: String, _ place: Node) -> (Node, Node) {
        (scalar(key, place), scalar(value, place))
    }

    private func scalar(_ text: String, _ place: Node) -> Node {
        .scalar(Node.Scalar(text, .implicit, .any, place.mark))
    }

    /// Sets a key of the entry.
    func set(_ key: String, _ value: String, at place: Node? = nil) {
        fields.append(field(key, value, place ?? component.node))
    }

    /// Sets a key to a list.
    func set(_ key: String, _ values: [String]) {
        let nodes = values.map { scalar($0, component.node) }
        fields.append(
            (
                scalar(key, component.node),
                .sequence(Node.Sequence(nodes, .implicit, .any, component.node.mark))
            ))
    }

    // MARK: Attributes

    /// An attribute; an empty one is as one that is absent.
    func attribute(_ name: String) -> (text: String, node: Node)? {
        used.insert(name)
        guard let node = component.attributes.first(where: { $0.name == name })?.value else { return nil }
        guard let text = node.scalar?.string else {
            diagnostics.report("expected a text for '\(name)', got \(node.summary)", at: node)
            return nil
        }
        return text.isEmpty ? nil : (text, node)
    }

    /// The list of texts of an attribute.
    func list(_ name: String) -> [String]? {
        used.insert(name)
        guard let node = component.attributes.first(where: { $0.name == name })?.value else { return nil }
        guard let texts = node.sequence?.map({ $0.scalar?.string ?? "" }) else {
            diagnostics.report("expected a list for '\(name)', got \(node.summary)", at: node)
            return nil
        }
        return texts
    }

    /// The number of an attribute, which Wokwi assumes to be `initial` if it is absent.
    func number(_ name: String, _ initial: Double) -> (value: Double, node: Node) {
        guard let (text, node) = attribute(name) else { return (initial, component.node) }
        guard let value = Double(text), value.isFinite else {
            diagnostics.report("expected a number for '\(name)', got \(node.summary)", at: node)
            return (initial, node)
        }
        return (value, node)
    }

    /// Takes the first value of a quantity from an attribute.
    func quantity(_ quantity: String, from name: String, _ initial: Double, scale: Double = 1) {
        let (value, node) = number(name, initial)
        quantities.append((quantity, value * scale, node))
    }

    /// Takes a setting from an attribute.
    func setting(_ key: String, from name: String, _ initial: Double, scale: Double = 1) {
        let (value, node) = number(name, initial)
        set(key, "\(value * scale)", at: node)
    }

    /// The first value of a quantity with words.
    func start(_ quantity: String, at value: Double) { quantities.append((quantity, value, component.node)) }

    /// The translation of another part of the diagram.
    func beside(_ other: Diagram.Component) -> DiagramPart { DiagramPart(other, kind, of: diagram, diagnostics) }

    // MARK: Pins

    func lead(_ pin: String) -> DiagramNets.Lead { diagram.nets.lead(of: .part(component.id, pin)) }

    /// Checks that its supply, where it is wired, is the right way round.
    func checkSupply() throws(PartFault) {
        guard lead("VCC") == .rail(.ground) || lead("GND") == .rail(.supply) else { return }
        throw PartFault("it is the wrong way round: VCC is at ground, or GND at the supply")
    }

    /// The pin of the board to which a pin of the part is wired.
    ///
    /// - Throws: the reason why there is none.
    func boardPin(_ pin: String) throws(PartFault) -> String {
        switch lead(pin) {
        case .board(let number): return "\(number)"
        case .rail(let rail): throw PartFault("its pin \(pin) is wired to \(rail.word)")
        case .several(let pins):
            throw PartFault("its pin \(pin) is wired to several pins of the board: \(pins.map { "\($0)" }.list)")
        case .open: throw PartFault("its pin \(pin) is not wired to a pin of the board")
        }
    }

    /// Wires pins of the part to terminals of the kind.
    func wire(_ pins: [(pin: String, terminal: String)]) throws(PartFault) {
        for (pin, terminal) in pins { set(terminal, try boardPin(pin)) }
    }

    func wire(_ pin: String, to terminal: String) throws(PartFault) { try wire([(pin, terminal)]) }

    /// Wires a pin that need not be connected.
    func wireIfConnected(_ pin: String, to terminal: String) throws(PartFault) {
        if lead(pin) != .open { try wire(pin, to: terminal) }
    }

    /// Wires a contact between a pin of the board and a rail: returns the level that it gives when it is closed, and
    /// the pull of a resistor at the pin.
    func contact(_ one: String, _ other: String) throws(PartFault) -> (
        closed: DiagramNets.Rail, pull: DiagramNets.Rail?
    ) {
        for (pin, far) in [(one, other), (other, one)] {
            guard case .board(let number) = lead(pin), case .rail(let rail) = lead(far) else { continue }
            set("pin", "\(number)")
            let pulls = diagram.nets.pulls(at: .part(component.id, pin))
            return (rail, pulls.count == 1 ? pulls.first : nil)
        }
        throw PartFault("it is not between a pin of the board and ground or the supply")
    }
}
