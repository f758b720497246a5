/// A central begins a pairing.
public struct PairingBegan: EventPayload {
    /// The name of this kind of event.
    public static let kind = "pairing"

    /// An event of this kind.
    public init() {}

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {}

    /// Writes nothing: the event has no fields of its own.
    public func write(to json: inout JSONWriter) {}

    /// The event as one line of text.
    public var text: String { "pairs" }
}

/// A pairing asks the user for something.
public struct PairingInputRequested: EventPayload {
    /// The name of this kind of event.
    public static let kind = "pairingInput"
    /// The request.
    public var request: String

    /// An event with this text.
    public init(_ request: String) { self.request = request }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { request = try fields.string("text") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("text", request) }

    /// The event as one line of text.
    public var text: String { "is asked to \(request)" }
}

/// The user answers a pairing.
public struct PairingInputGiven: EventPayload {
    /// The name of this kind of event.
    public static let kind = "pairingAnswer"
    /// The answer.
    public var answer: String

    /// An event with this text.
    public init(_ answer: String) { self.answer = answer }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { answer = try fields.string("text") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("text", answer) }

    /// The event as one line of text.
    public var text: String { "answers \(answer)" }
}

/// A pairing or an encryption failed.
public struct SecurityFailed: EventPayload {
    /// The name of this kind of event.
    public static let kind = "securityFailure"
    /// The reason.
    public var reason: String

    /// An event with this text.
    public init(_ reason: String) { self.reason = reason }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { reason = try fields.string("text") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("text", reason) }

    /// The event as one line of text.
    public var text: String { "security failed: \(reason)" }
}

/// The board asks for a protected link (SMP Security Request).
public struct SecurityRequested: EventPayload {
    /// The name of this kind of event.
    public static let kind = "securityRequest"

    /// An event of this kind.
    public init() {}

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {}

    /// Writes nothing: the event has no fields of its own.
    public func write(to json: inout JSONWriter) {}

    /// The event as one line of text.
    public var text: String { "is asked to protect the link" }
}

/// The protection of a link changed.
public struct SecurityChanged: EventPayload {
    /// The name of this kind of event.
    public static let kind = "security"
    /// True if the link is encrypted.
    public var isEncrypted: Bool
    /// True if the key is protected against a machine in the middle.
    public var isAuthenticated: Bool
    /// True if the key is stored as a bond.
    public var isBonded: Bool
    /// The size of the key in bytes; 0 without encryption, or if the stack does not report it.
    public var keySize: Int

    /// A link's protection.
    public init(isEncrypted: Bool, isAuthenticated: Bool, isBonded: Bool, keySize: Int) {
        self.isEncrypted = isEncrypted
        self.isAuthenticated = isAuthenticated
        self.isBonded = isBonded
        self.keySize = keySize
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        isEncrypted = try fields.bool("encrypted")
        isAuthenticated = try fields.bool("authenticated")
        isBonded = try fields.bool("bonded")
        keySize = try fields.integer("keySize")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.bool("encrypted", isEncrypted)
        json.bool("authenticated", isAuthenticated)
        json.bool("bonded", isBonded)
        json.integer("keySize", keySize)
    }

    /// The event as one line of text.
    public var text: String {
        isEncrypted
            ? "encrypted\(isAuthenticated ? ", authenticated" : "")\(isBonded ? ", bonded" : "")"
                + (keySize > 0 ? ", key size \(keySize)" : "")
            : "not encrypted"
    }
}

/// One side deleted bonds without notifying the other side.
public struct BondsDeleted: EventPayload {
    /// The name of this kind of event.
    public static let kind = "forgotten"
    /// The peer of the deleted bonds.
    public var peer: String

    /// An event with this text.
    public init(_ peer: String) { self.peer = peer }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { peer = try fields.string("text") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("text", peer) }

    /// The event as one line of text.
    public var text: String { "forgot \(peer)" }
}

/// A fault on the air was planned, or the planned faults were removed.
public struct FaultPlanned: EventPayload {
    /// The name of this kind of event.
    public static let kind = "fault"
    /// The change made.
    public var change: String

    /// An event with this text.
    public init(_ change: String) { self.change = change }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { change = try fields.string("text") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("text", change) }

    /// The event as one line of text.
    public var text: String { "fault \(change)" }
}
