/// The board's supply was switched.
public struct PowerSwitched: EventPayload {
    /// The name of this kind of event.
    public static let kind = "power"
    /// True if it is on now.
    public var isOn: Bool

    /// A switch of the supply.
    public init(isOn: Bool) { self.isOn = isOn }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { isOn = try fields.bool("on") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.bool("on", isOn) }

    /// The event as one line of text.
    public var text: String { isOn ? "power on" : "power off" }
}

/// The board was reset by its EN pin.
public struct BoardReset: EventPayload {
    /// The name of this kind of event.
    public static let kind = "reset"

    /// A reset.
    public init() {}

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {}

    /// Writes nothing: the event has no fields of its own.
    public func write(to json: inout JSONWriter) {}

    /// The event as one line of text.
    public var text: String { "reset" }
}

/// The supply's voltage dropped below the brownout detector's limit for a moment.
public struct BrownoutCaused: EventPayload {
    /// The name of this kind of event.
    public static let kind = "brownout"

    /// A brownout.
    public init() {}

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {}

    /// Writes nothing: the event has no fields of its own.
    public func write(to json: inout JSONWriter) {}

    /// The event as one line of text.
    public var text: String { "brownout" }
}

/// The firmware has reported its Bluetooth host.
public struct BluetoothHostStarted: EventPayload {
    /// The name of this kind of event.
    public static let kind = "nimble"
    /// The host's name and version.
    public var host: String

    /// A host.
    public init(host: String) { self.host = host }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { host = try fields.string("text") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("text", host) }

    /// The message is the same at every start.
    public var isContext: Bool { false }

    /// The event as one line of text.
    public var text: String { "Bluetooth host: \(host)" }
}

/// The board's Bluetooth host did not send a notification or indication: its queue was full, or the link gone.
public struct NotificationRefused: EventPayload {
    /// The name of this kind of event.
    public static let kind = "notificationRefused"
    /// The characteristic's value.
    public var attribute: EventAttribute

    /// A refusal.
    public init(_ attribute: EventAttribute) { self.attribute = attribute }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { attribute = try EventAttribute(fields) }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { attribute.write(to: &json) }

    /// A full queue refuses many values.
    public var isFrequent: Bool { true }

    /// The event as one line of text.
    public var text: String { "a notification of \(attribute.text) was not sent" }
}

/// A part of the firmware image was written to the board's flash.
public struct FlashWritten: EventPayload {
    /// The name of this kind of event.
    public static let kind = "flash"
    /// The number of bytes.
    public var count: Int
    /// The address of the first byte.
    public var address: Int

    /// A write of `count` bytes at `address`.
    public init(count: Int, address: Int) {
        self.count = count
        self.address = address
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        count = try fields.integer("bytes")
        address = try fields.integer("address")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("bytes", count)
        json.integer("address", address)
    }

    /// The event as one line of text.
    public var text: String { "flashed \(count) bytes at 0x\(String(address, radix: 16))" }
}

/// A stage of the board's boot: its ROM or bootloader starts, loads or runs the firmware.
public struct BootMessage: EventPayload {
    /// The name of this kind of event.
    public static let kind = "boot"
    /// The new state in words.
    public var text: String

    /// A message.
    public init(_ text: String) { self.text = text }

    /// The application starts.
    public static let applicationStarted = BootMessage("started the application")

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { text = try fields.string("text") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("text", text) }
}

/// The firmware set an output pin, or drives it no longer.
public struct PinChanged: EventPayload {
    /// The name of this kind of event.
    public static let kind = "pin"
    /// The GPIO number.
    public var pin: Int
    /// True if the pin is high.
    public var isHigh: Bool
    /// False if the pin is not an output any more.
    public var isDriven: Bool

    /// A new level.
    public init(pin: Int, isHigh: Bool, isDriven: Bool = true) {
        self.pin = pin
        self.isHigh = isHigh
        self.isDriven = isDriven
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        pin = try fields.integer("pin")
        isHigh = try fields.bool("high")
        isDriven = try fields.optionalBool("driven") ?? true
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("pin", pin)
        json.bool("high", isHigh)
        if !isDriven { json.bool("driven", false) }
    }

    /// A signal may change often.
    public var isFrequent: Bool { true }

    /// The event as one line of text.
    public var text: String { "pin \(pin) \(isDriven ? isHigh ? "high" : "low" : "not driven any more")" }
}

/// A pin function called by the firmware had no effect, which the chip does not report.
public struct PinCallIgnored: EventPayload {
    /// The name of this kind of event.
    public static let kind = "pinIgnored"
    /// The GPIO number.
    public var pin: Int
    /// The reason.
    public var reason: String

    /// A call without effect.
    public init(pin: Int, reason: String) {
        self.pin = pin
        self.reason = reason
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        pin = try fields.integer("pin")
        reason = try fields.string("text")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("pin", pin)
        json.string("text", reason)
    }

    /// The event as one line of text.
    public var text: String { "pin \(pin): \(reason)" }
}

/// A servo was attached, detached or sent to an angle.
public struct ServoMoved: EventPayload {
    /// The name of this kind of event.
    public static let kind = "servo"
    /// The GPIO number of its signal.
    public var pin: Int
    /// True if the firmware has attached the servo.
    public var isAttached: Bool
    /// The angle in degrees; `nil`: it receives no pulses.
    public var angle: Int?

    /// A movement.
    public init(pin: Int, isAttached: Bool, angle: Int?) {
        self.pin = pin
        self.isAttached = isAttached
        self.angle = angle
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        pin = try fields.integer("pin")
        isAttached = try fields.bool("attached")
        angle = try fields.optionalInteger("angle")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("pin", pin)
        json.bool("attached", isAttached)
        if let angle { json.integer("angle", angle) }
    }

    /// The servo's position.
    public var position: String { angle.map { "at \($0)°" } ?? (isAttached ? "attached" : "detached") }

    /// The event as one line of text.
    public var text: String { "servo on pin \(pin) \(position)" }

    /// A servo may move often.
    public var isFrequent: Bool { true }

    /// Only the last angle of a sweep is kept.
    public func continues(_ former: any EventPayload) -> Bool {
        guard let former = former as? ServoMoved, former.pin == pin else { return false }
        return isAttached && angle != nil && former.isAttached && former.angle != nil
    }
}

/// A button was pressed or released.
public struct ButtonChanged: EventPayload {
    /// The name of this kind of event.
    public static let kind = "button"
    /// The GPIO number that the button pulls to ground.
    public var pin: Int
    /// True if it is pressed now.
    public var isPressed: Bool

    /// A press or a release.
    public init(pin: Int, isPressed: Bool) {
        self.pin = pin
        self.isPressed = isPressed
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        pin = try fields.integer("pin")
        isPressed = try fields.bool("pressed")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("pin", pin)
        json.bool("pressed", isPressed)
    }

    /// The event as one line of text.
    public var text: String { "button on pin \(pin) \(isPressed ? "pressed" : "released")" }
}

/// The firmware changed its NVS, or the bench erased it.
public struct StorageChanged: EventPayload {
    /// The name of this kind of event.
    public static let kind = "nvs"
    /// The change made.
    public var change: String

    /// A change.
    public init(_ change: String) { self.change = change }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { change = try fields.string("text") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("text", change) }

    /// The event as one line of text.
    public var text: String { "NVS \(change)" }

    /// Equal consecutive changes are kept once.
    public func continues(_ former: any EventPayload) -> Bool { former as? StorageChanged == self }
}

/// The far end of a UART beside the console received bytes of the firmware.
public struct UARTBytesReceived: EventPayload {
    /// The name of this kind of event.
    public static let kind = "uart"
    /// The number of the UART.
    public var port: Int
    /// The bytes received without a gap.
    public var bytes: [UInt8]

    /// Bytes of a UART.
    public init(port: Int, bytes: [UInt8]) {
        self.port = port
        self.bytes = bytes
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        port = try fields.integer("port")
        bytes = try fields.bytes("value")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("port", port)
        json.hexadecimal("value", bytes)
    }

    /// A stream has many such events.
    public var isFrequent: Bool { true }

    /// The event as one line of text.
    public var text: String { "UART \(port) → \(EventText.bytes(bytes))" }
}

/// The far end of a UART was given bytes to send.
public struct UARTBytesSent: EventPayload {
    /// The name of this kind of event.
    public static let kind = "uartSent"
    /// The maximum number of kept bytes, from the beginning.
    private static let keptCount = 64

    /// The number of the UART.
    public var port: Int
    /// The number of bytes.
    public var count: Int
    /// The first bytes.
    public var bytes: [UInt8]

    /// Bytes for a UART; the event keeps the first 64.
    public init(port: Int, bytes: [UInt8]) {
        self.port = port
        count = bytes.count
        self.bytes = Array(bytes.prefix(Self.keptCount))
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        port = try fields.integer("port")
        count = try fields.integer("count")
        bytes = try fields.bytes("value")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("port", port)
        json.integer("count", count)
        json.hexadecimal("value", bytes)
    }

    /// The event as one line of text.
    public var text: String {
        "UART \(port) ← \(EventText.bytes(bytes))"
            + (count > bytes.count ? " and \(count - bytes.count) bytes more" : "")
    }
}

/// A simulated peripheral was added to the air, or one of its values was set.
public struct PeripheralSimulated: EventPayload {
    /// The name of this kind of event.
    public static let kind = "simulation"
    /// The change made.
    public var change: String

    /// An event with this text.
    public init(_ change: String) { self.change = change }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { change = try fields.string("text") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("text", change) }

    /// The event as one line of text.
    public var text: String { "simulated \(change)" }
}
