/// The connection of a client to its peripheral, as its user sees it.
public enum ClientLink: Sendable, Hashable {
    /// Bluetooth cannot be used: why.
    case unavailable(String)
    /// Nothing is connected, or tried.
    case disconnected
    /// It looks for the peripheral.
    case searching
    /// Nobody was found.
    case notFound
    /// It connects, for the how manieth time in a row.
    case connecting(try: Int)
    /// It can be used.
    case connected
    /// It could not connect: why.
    case failed(String)

    /// How long the peripheral is looked for.
    public static let searchTime = Duration.seconds(10)

    /// In words.
    ///
    /// - Parameter noun: the peripheral: `calculator`.
    public func text(_ noun: String) -> String {
        switch self {
        case .unavailable(let why): "Bluetooth is not available: \(why)"
        case .disconnected: "Disconnected"
        case .searching: "Searching..."
        case .notFound: "No \(noun) found"
        case .connecting(let number): number > 1 ? "Connecting... (try \(number))" : "Connecting..."
        case .connected: "Connected."
        case .failed(let why): "Connection error: \(why)"
        }
    }
}
