/// The nets of a diagram: its pins, as far as wires connect them. A resistor counts as a wire, but for one that leads to
/// ground or to the supply, which pulls.
final class DiagramNets {
    /// A net with a level of its own.
    enum Rail: Hashable {
        case ground
        case supply

        var word: String { self == .ground ? "ground" : "the supply" }
    }

    /// A thing that wires connect.
    enum Pin: Hashable {
        case rail(Rail)
        /// A GPIO of the chip.
        case board(Int)
        /// A pin of a part, a contact of a button, or a strip of a breadboard.
        case part(String, String)
    }

    /// The end of the net at a pin.
    enum Lead: Hashable {
        case board(Int)
        case rail(Rail)
        /// Several pins of the board, in order.
        case several([Int])
        /// Neither pins of the board nor a rail.
        case open
    }

    private var numbers: [Pin: Int] = [:]
    private var parents: [Int] = []
    /// The pins of the board, and the rails of pulling resistors, by net.
    private var boardPins: [Int: [Int]] = [:]
    private var pulls: [Int: Set<Rail>] = [:]

    /// The net of a pin: a number that changes when nets are joined.
    func net(of pin: Pin) -> Int {
        guard var number = numbers[pin] else {
            numbers[pin] = parents.count
            parents.append(parents.count)
            return parents.count - 1
        }
        while parents[number] != number {
            parents[number] = parents[parents[number]]
            number = parents[number]
        }
        return number
    }

    func join(_ one: Pin, _ other: Pin) { parents[net(of: one)] = net(of: other) }

    /// True if supply and ground are one net.
    var isShorted: Bool { net(of: .rail(.ground)) == net(of: .rail(.supply)) }

    /// The rail of which the net of a pin is a part.
    func rail(of pin: Pin) -> Rail? {
        let net = net(of: pin)
        return [Rail.ground, .supply].first { self.net(of: .rail($0)) == net }
    }

    /// Adds the resistors, after all wires.
    func connect(resistors: [(Pin, Pin)]) {
        for (one, other) in resistors where rail(of: one) == nil && rail(of: other) == nil { join(one, other) }
        for (one, other) in resistors + resistors.map({ ($1, $0) }) {
            if let rail = rail(of: one), self.rail(of: other) == nil { pulls[net(of: other), default: []].insert(rail) }
        }
        for case .board(let pin) in numbers.keys { boardPins[net(of: .board(pin)), default: []].append(pin) }
        boardPins = boardPins.mapValues { $0.sorted() }
    }

    /// The rails to which resistors pull the net of a pin.
    func pulls(at pin: Pin) -> Set<Rail> { pulls[net(of: pin)] ?? [] }

    /// The end of the net at a pin. A resistor to a rail is the end of a net without pins of the board.
    func lead(of pin: Pin) -> Lead {
        if let rail = rail(of: pin) { return .rail(rail) }
        switch boardPins[net(of: pin)] ?? [] {
        case []:
            let pulls = pulls(at: pin)
            return pulls.count == 1 ? pulls.first.map(Lead.rail) ?? .open : .open
        case let pins: return pins.count == 1 ? .board(pins[0]) : .several(pins)
        }
    }

    /// The pins of the board that a resistor pulls to one rail, with this rail.
    var pulledBoardPins: [(pin: Int, rail: Rail)] {
        var pulled: [(pin: Int, rail: Rail)] = []
        for (net, pins) in boardPins {
            if let rails = pulls[net], rails.count == 1, let rail = rails.first { pulled += pins.map { ($0, rail) } }
        }
        return pulled.sorted { $0.pin < $1.pin }
    }

    /// The nets with several pins of the board, or with one that is also on a rail.
    var sharedBoardPins: [(pins: [Int], rail: Rail?)] {
        boardPins.compactMap { net, pins in
            let rail = [Rail.ground, .supply].first { self.net(of: .rail($0)) == net }
            return pins.count > 1 || rail != nil ? (pins, rail) : nil
        }.sorted { $0.pins.lexicographicallyPrecedes($1.pins) }
    }
}
