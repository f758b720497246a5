public import BLECore

/// A value was written to an attribute of the board.
public struct ValueWritten: EventPayload {
    /// The name of this kind of event.
    public static let kind = "write"
    /// The attribute.
    public var attribute: EventAttribute
    /// The value.
    public var value: [UInt8]
    /// True if the write was a Write Request, which the server acknowledges.
    public var hasResponse: Bool

    /// A value.
    public init(_ attribute: EventAttribute, value: [UInt8], hasResponse: Bool) {
        self.attribute = attribute
        self.value = value
        self.hasResponse = hasResponse
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        attribute = try EventAttribute(fields)
        value = try fields.bytes("value")
        hasResponse = try fields.bool("response")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        attribute.write(to: &json)
        json.hexadecimal("value", value)
        json.bool("response", hasResponse)
    }

    /// The event as one line of text.
    public var text: String {
        "write \(attribute.text) \(EventText.bytes(value))\(hasResponse ? "" : " (no response)")"
    }
}

/// A value was read.
public struct ValueRead: EventPayload {
    /// The name of this kind of event.
    public static let kind = "read"
    /// The attribute.
    public var attribute: EventAttribute
    /// The value.
    public var value: [UInt8]

    /// A value.
    public init(_ attribute: EventAttribute, value: [UInt8]) {
        self.attribute = attribute
        self.value = value
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        attribute = try EventAttribute(fields)
        value = try fields.bytes("value")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        attribute.write(to: &json)
        json.hexadecimal("value", value)
    }

    /// The event as one line of text.
    public var text: String {
        "read \(attribute.text) \(EventText.bytes(value))"
    }
}

/// A notification was received.
public struct NotificationReceived: EventPayload {
    /// The name of this kind of event.
    public static let kind = "notification"
    /// The attribute.
    public var attribute: EventAttribute
    /// The value.
    public var value: [UInt8]

    /// A value.
    public init(_ attribute: EventAttribute, value: [UInt8]) {
        self.attribute = attribute
        self.value = value
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        attribute = try EventAttribute(fields)
        value = try fields.bytes("value")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        attribute.write(to: &json)
        json.hexadecimal("value", value)
    }

    /// The event as one line of text.
    public var text: String {
        "notification \(attribute.text) \(EventText.bytes(value))"
    }
}

/// An indication was received.
public struct IndicationReceived: EventPayload {
    /// The name of this kind of event.
    public static let kind = "indication"
    /// The attribute.
    public var attribute: EventAttribute
    /// The value.
    public var value: [UInt8]

    /// A value.
    public init(_ attribute: EventAttribute, value: [UInt8]) {
        self.attribute = attribute
        self.value = value
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        attribute = try EventAttribute(fields)
        value = try fields.bytes("value")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        attribute.write(to: &json)
        json.hexadecimal("value", value)
    }

    /// The event as one line of text.
    public var text: String {
        "indication \(attribute.text) \(EventText.bytes(value))"
    }
}

/// A Client Characteristic Configuration was written.
public struct SubscriptionWritten: EventPayload {
    /// The name of this kind of event.
    public static let kind = "subscription"
    /// The characteristic's value.
    public var attribute: EventAttribute
    /// The requested subscription.
    public var subscription: Subscription

    /// A subscription.
    public init(_ attribute: EventAttribute, to subscription: Subscription) {
        self.attribute = attribute
        self.subscription = subscription
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        attribute = try EventAttribute(fields)
        subscription = try fields.choice("to")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        attribute.write(to: &json)
        json.string("to", subscription.rawValue)
    }

    /// The event as one line of text.
    public var text: String { "subscribe \(attribute.text) \(subscription.rawValue)" }
}

/// An operation failed with an ATT error.
public struct ATTErrorReceived: EventPayload {
    /// The name of this kind of event.
    public static let kind = "attError"
    /// The attribute.
    public var attribute: EventAttribute
    /// The error (Core 5.4, Vol 3 Part F 3.4.1.1).
    public var code: UInt8

    /// An error.
    public init(_ attribute: EventAttribute, code: UInt8) {
        self.attribute = attribute
        self.code = code
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        attribute = try EventAttribute(fields)
        code = try fields.number("code")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        attribute.write(to: &json)
        json.integer("code", Int(code))
    }

    /// The event as one line of text.
    public var text: String { "ATT error \(EventText.octet(code)) on \(attribute.text)" }
}

/// An ATT PDU was sent or received, bypassing the stack.
public struct ATTPDUExchanged: EventPayload {
    /// The name of this kind of event.
    public static let kind = "attPDU"
    /// True if the central sent it; false if the central received it.
    public var isSent: Bool
    /// The PDU.
    public var pdu: [UInt8]

    /// A PDU.
    public init(isSent: Bool, pdu: [UInt8]) {
        self.isSent = isSent
        self.pdu = pdu
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        isSent = try fields.bool("sent")
        pdu = try fields.bytes("pdu")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.bool("sent", isSent)
        json.hexadecimal("pdu", pdu)
    }

    /// The event as one line of text.
    public var text: String { "\(isSent ? "sent" : "got") the ATT PDU \(EventText.bytes(pdu))" }
}
