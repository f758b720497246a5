/// The columns of a timeline: each kind of event is in one.
package enum TimelineLane: String, CaseIterable, Sendable {
    case suite, board, console, gatt, hci
    /// Kinds that a newer espbench has.
    case other
    /// Lines that are no events.
    case broken

    private static let kinds: [TimelineLane: [String]] = [
        .suite: ["timeline", "end", "suite", "case", "step", "verdict", "fault"],
        .board: [
            "power", "brownout", "reset", "flash", "boot", "pin", "pinIgnored", "servo", "button", "nvs", "panic",
            "watchdog", "hang", "sanitizer", "notificationRefused", "nimble",
        ],
        .console: ["console", "unfinished", "input"],
        .gatt: [
            "advertisement", "connected", "disconnected", "mtu", "discovered", "write", "read", "subscription",
            "notification", "indication", "attError", "pairing", "pairingInput", "pairingAnswer", "securityFailure",
            "securityRequest", "security", "forgotten",
        ],
        .hci: ["hci", "attPDU", "controller", "controllerRemoved"],
    ]

    private static let byKind: [String: TimelineLane] = Dictionary(
        uniqueKeysWithValues: kinds.flatMap { lane, kinds in kinds.map { ($0, lane) } })

    /// The lane of a kind; the kind of broken lines has no name.
    package init(kind: String) {
        self = kind.isEmpty ? .broken : Self.byKind[kind] ?? .other
    }
}
