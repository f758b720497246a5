public import BLECentral
public import BenchModel

/// A bench of kind `hardware` in `espbench.yaml`.
public struct HardwareEntry: Hashable, Sendable {
    /// The kind of these benches.
    public static let kind = "hardware"

    /// A text, and its place in the file.
    public struct Text: Hashable, Sendable {
        /// As written.
        public var text: String
        /// Where it is.
        public var position: SourcePosition
    }

    /// The commands that switch the board's supply.
    public struct Power: Hashable, Sendable {
        /// Switches on.
        public var on: String
        /// Switches off.
        public var off: String
        /// How long one may take.
        public var limit = Duration.seconds(30)
        /// Where they are.
        public var position: SourcePosition
    }

    /// The bench's own name.
    public var name: String
    /// The address of the board's port, or `auto`; which addresses there are, this file does not know.
    public var board: Text
    /// The stacks of the centrals: one, or several with a central each.
    public var centrals: [CentralAddress]
    /// Where they are in the file.
    public var centralPosition: SourcePosition
    /// What sketches are built for; `nil`: what the board is.
    public var target: Text?
    /// The board's supply; `nil`: it cannot be switched.
    public var power: Power?
    /// How often a failed instance is run again on a fresh board, at most.
    public var retries = 0
    /// By what factor things may take longer than suites say.
    public var timeFactor = 1.0
    /// Whether the NVS is erased for each case; else the board is only reset.
    public var erasesStorage = true

    /// The most that an instance is run again.
    public static let retryRange = 0...10
    /// The factors that are allowed.
    public static let factorRange = 1.0...100.0
}
