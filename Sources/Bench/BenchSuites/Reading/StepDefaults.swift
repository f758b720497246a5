import YAMLReading
import Yams

/// What steps that do not say otherwise use: a suite's `defaults`.
struct StepDefaults {
    /// How long an expectation waits.
    var within = Duration.seconds(1)
    /// How long a scan or a connection attempt takes at most.
    var connect = Duration.seconds(5)
    /// Whether writes ask for a response.
    var response = true
    /// The board of steps that name none.
    var board: Node?

    init() {}

    init(_ node: Node, _ scalars: ScalarReader) {
        self.init()
        let known = ["within", "connect", "response", "board"]
        guard let fields = Fields(node, of: "'defaults'", known: known, scalars.diagnostics) else { return }
        within = fields["within"].flatMap { scalars.provingDuration($0, "'within'") } ?? within
        connect = fields["connect"].flatMap { scalars.provingDuration($0, "'connect'") } ?? connect
        board = fields["board"]
        response = fields["response"].flatMap { scalars.bool($0, "'response'") } ?? response
    }
}
