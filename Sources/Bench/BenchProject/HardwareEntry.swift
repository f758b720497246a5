public import BenchModel
import BenchSuites
public import BLECentral
import YAMLReading
import Yams

/// A bench of kind `hardware` in `espbench.yaml`.
public struct HardwareEntry: Hashable, Sendable {
    /// The kind of these benches.
    public static let kind = "hardware"

    /// A text, and its place in the file.
    public struct Text: Hashable, Sendable {
        /// The text as written.
        public var text: String
        /// The text's place.
        public var position: SourcePosition
    }

    /// The commands that switch the board's supply.
    public struct Power: Hashable, Sendable {
        /// The command that switches on.
        public var on: String
        /// The command that switches off.
        public var off: String
        /// The time limit of a command.
        public var limit = Duration.seconds(30)
        /// The entry's place in the file.
        public var position: SourcePosition
    }

    /// The bench's own name.
    public var name: String
    /// The address of the board's port, or `auto`; this file does not check its form.
    public var board: Text
    /// The stacks of the centrals: a single one, or several with one central each.
    public var centrals: [CentralAddress]
    /// The place of the stacks' entry in the file.
    public var centralPosition: SourcePosition
    /// The chip that sketches are built for; `nil`: the board's chip.
    public var target: Text?
    /// The board's supply; `nil`: it cannot be switched.
    public var power: Power?
    /// The maximum number of repetitions of a failed instance, each on a fresh board.
    public var retries = 0
    /// The factor by which time limits are longer than in suites.
    public var timeFactor = 1.0
    /// True if the NVS is erased for each case; false if the board is only reset.
    public var erasesStorage = true

    /// The valid numbers of repetitions.
    public static let retryRange = 0...10
    /// The valid time factors.
    public static let factorRange = 1.0...100.0
}

/// Reads an entry for a bench of kind `hardware`.
struct HardwareEntryReader {
    /// The keys of such an entry.
    static let keys = ["board", "central", "target", "power", "retries", "time factor", "fresh"]

    let diagnostics: DiagnosticCollector

    /// The entry called `name`; `nil` if an error was reported.
    func entry(_ name: String, _ fields: Fields) -> HardwareEntry? {
        let board = fields.required("board", of: "a bench of kind 'hardware'", diagnostics).flatMap {
            text($0, "the address of the board's port, such as /dev/ttyUSB0")
        }
        let central = fields.required("central", of: "a bench of kind 'hardware'", diagnostics).flatMap(centrals)
        let target = fields["target"].flatMap { text($0, "the target of builds, such as esp32") }
        let power = fields["power"].flatMap(power)
        let retries = fields["retries"].flatMap(retries)
        let factor = fields["time factor"].flatMap(timeFactor)
        let erases = fields["fresh"].flatMap(erasesStorage)
        guard let board, let central, !central.addresses.isEmpty else { return nil }
        var entry = HardwareEntry(
            name: name, board: board, centrals: central.addresses, centralPosition: central.position, target: target,
            power: power)
        entry.retries = retries ?? entry.retries
        entry.timeFactor = factor ?? entry.timeFactor
        entry.erasesStorage = erases ?? entry.erasesStorage
        return entry
    }

    private func text(_ node: Node, _ what: String) -> HardwareEntry.Text? {
        guard case .scalar(let scalar) = node, !scalar.string.isEmpty else {
            diagnostics.report("expected \(what), got \(node.summary)", at: node)
            return nil
        }
        return HardwareEntry.Text(text: scalar.string, position: node.position)
    }

    /// Reads one address, or a list of different addresses.
    private func centrals(_ node: Node) -> (addresses: [CentralAddress], position: SourcePosition)? {
        guard case .sequence(let list) = node else { return central(node).map { ([$0], node.position) } }
        var addresses: [CentralAddress] = []
        for entry in list {
            guard let address = central(entry) else { return nil }
            if addresses.contains(address) {
                diagnostics.report("central: expected each address once, got '\(address)' again", at: entry)
                return nil
            }
            addresses.append(address)
        }
        if addresses.isEmpty {
            diagnostics.report("expected the addresses of the centrals' stacks, got an empty list", at: node)
        }
        return (addresses, node.position)
    }

    private func central(_ node: Node) -> CentralAddress? {
        guard let text = text(node, "the address of the centrals' stack, such as bluez:hci0") else { return nil }
        do throws(CentralAddressError) {
            return try CentralAddress(text.text)
        } catch {
            diagnostics.report("\(error)", at: node)
            return nil
        }
    }

    private func power(_ node: Node) -> HardwareEntry.Power? {
        guard let fields = Fields(node, of: "'power'", known: ["on", "off", "within"], diagnostics) else { return nil }
        let commands = ["on", "off"].map { key in
            fields.required(key, of: "'power'", diagnostics).flatMap { text($0, "a command that switches \(key)") }
        }
        let limit = fields["within"].flatMap(powerLimit)
        guard let on = commands[0], let off = commands[1] else { return nil }
        var power = HardwareEntry.Power(on: on.text, off: off.text, position: node.position)
        power.limit = limit ?? power.limit
        return power
    }

    private func powerLimit(_ node: Node) -> Duration? {
        if let limit = node.scalar.flatMap({ Duration(text: $0.string) }), limit > .zero { return limit }
        diagnostics.report("expected 'within' to be a time such as 30 s, got \(node.summary)", at: node)
        return nil
    }

    private func retries(_ node: Node) -> Int? {
        let range = HardwareEntry.retryRange
        if let count = node.scalar.flatMap({ Int($0.string) }), range.contains(count) { return count }
        diagnostics.report(
            "expected 'retries' to be a number of \(range.lowerBound) to \(range.upperBound), got \(node.summary)",
            at: node)
        return nil
    }

    private func timeFactor(_ node: Node) -> Double? {
        let range = HardwareEntry.factorRange
        if let factor = node.scalar.flatMap({ Double($0.string) }), range.contains(factor) { return factor }
        diagnostics.report("expected 'time factor' to be a number of 1 to 100, got \(node.summary)", at: node)
        return nil
    }

    private func erasesStorage(_ node: Node) -> Bool? {
        switch node.scalar?.string {
        case "erase": return true
        case "reset": return false
        default:
            diagnostics.report(
                "expected 'fresh' to be erase (the NVS is erased before each case) or reset, got \(node.summary)",
                at: node)
            return nil
        }
    }
}
