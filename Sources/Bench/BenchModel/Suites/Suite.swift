public import BLECore

/// A suite: cases that a board has to pass, as read from a YAML file (`SuiteReading/` says how).
///
/// Every expression is compiled and every name resolved; what is left to run time is what parameters decide.
public struct Suite: Sendable {
    /// The suite's file, as it was named.
    public var file: String
    /// The suite's name.
    public var name: String
    /// The sketch it is about: a name under `Firmware/`, or a path.
    public var sketch: String
    /// Every UUID the steps speak of; ``UUIDReference`` points here.
    public var uuids: [NamedUUID]
    /// The centrals the steps use; ``ClientReference`` points here.
    public var clients: [SuiteClient]
    /// Steps that make the state every case starts from.
    public var before: [Step]
    /// Steps after every case, passed or failed.
    public var after: [Step]
    /// The cases in order.
    public var cases: [SuiteCase]

    /// How many instances all cases have together.
    public var instanceCount: Int { cases.reduce(0) { $0 + $1.matrix.count } }

    /// Every step there is, in the order of the file.
    public var allSteps: [Step] {
        (before + after + cases.flatMap { ($0.before ?? []) + $0.steps }).flatMap(\.withInnerSteps)
    }

    /// Whether a step needs what was overheard of a pairing.
    public var usesOverheardPasskeys: Bool {
        allSteps.contains { step in
            if case .pair(let pair) = step.action, case .overheard = pair.passkey { true } else { false }
        }
    }
}

/// A UUID with the name a suite calls it.
public struct NamedUUID: Hashable, Sendable {
    /// The name in the suite, or the UUID's text where it has none.
    public var name: String
    /// The UUID.
    public var uuid: BLEUUID
}

/// One of ``Suite/uuids``.
public struct UUIDReference: Hashable, Sendable {
    /// The index.
    public let index: Int
}

/// One of the centrals of a suite.
public struct SuiteClient: Hashable, Sendable {
    /// Where its address comes from.
    public enum Address: Hashable, Sendable {
        /// It has its own.
        case own
        /// The suite says it.
        case fixed(DeviceAddress)
        /// It is another central at each connection, with an address of its own.
        case new
        /// It has another central's: a clone.
        case of(ClientReference)
    }

    /// The name.
    public var name: String
    /// Its identity address.
    public var address = Address.own
    /// Whether it shows resolvable private addresses in place of its identity address.
    public var usesPrivacy = false
}

/// One of ``Suite/clients``.
public struct ClientReference: Hashable, Sendable {
    /// The index.
    public let index: Int
}

/// A case: steps, carried out once for each combination of its parameters.
public struct SuiteCase: Sendable {
    /// The name, with places for parameters.
    public var name: TextTemplate
    /// The parameters and all their combinations.
    public var matrix: ParameterMatrix
    /// Steps before the case, in place of the suite's; `nil`: the suite's.
    public var before: [Step]?
    /// What the case does.
    public var steps: [Step]
    /// Where the case begins.
    public var position: SourcePosition
}
