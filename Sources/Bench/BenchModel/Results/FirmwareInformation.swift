/// What a suite's sketch was built with.
public struct FirmwareInformation: Sendable, Hashable {
    /// The NimBLE in it, with version and kind: `NimBLE-Arduino 2.5.1 (library)`, or `(built-in)`.
    public var nimble: String
    /// Whether the firmware checks itself with AddressSanitizer and UndefinedBehaviorSanitizer.
    public var isSanitized: Bool

    /// A firmware for the virtual board.
    public init(nimble: String, isSanitized: Bool = false) {
        self.nimble = nimble
        self.isSanitized = isSanitized
    }

    /// Those of a suite's only board or of its several, each once.
    static func each(_ firmware: Self?, _ boards: [BoardInformation]) -> [Self] {
        var all: [Self] = []
        for case let firmware? in [firmware] + boards.map(\.firmware) where !all.contains(firmware) {
            all.append(firmware)
        }
        return all
    }

    /// Writes its keys.
    public func write(to json: inout JSONWriter) {
        json.string("nimble", nimble)
        if isSanitized { json.bool("sanitized", true) }
    }
}
