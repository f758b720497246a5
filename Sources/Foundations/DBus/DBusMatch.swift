/// A rule by which a bus selects the signals for a connection (D-Bus Specification, "Match Rules").
public struct DBusMatch: Hashable, Sendable {
    /// The text of the rule.
    public let rule: String

    /// The signals of a sender with these properties; `nil`: any.
    public init(
        sender: String, path: String? = nil, pathNamespace: String? = nil, interface: String? = nil,
        member: String? = nil, argument0: String? = nil
    ) {
        let parts: [(String, String?)] = [
            ("type", "signal"), ("sender", sender), ("path", path), ("path_namespace", pathNamespace),
            ("interface", interface), ("member", member), ("arg0", argument0),
        ]
        // An apostrophe ends the quotation, is escaped outside, and the quotation begins again.
        rule = parts.compactMap { key, value in
            value.map {
                "\(key)='\($0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
            }
        }.joined(separator: ",")
    }
}
