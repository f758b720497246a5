extension [String] {
    /// The elements as a message lists them.
    package var list: String { joined(separator: ", ") }
}
