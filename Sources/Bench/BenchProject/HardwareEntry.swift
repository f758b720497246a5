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
    /// The address of the board's port, or `auto`; this file does not check its form.
    public var board: Text
    /// The stacks of the centrals: one, or several with a central each.
    public var centrals: [CentralAddress]
    /// Where they are in the file.
    public var centralPosition: SourcePosition
    /// The target of its builds; `nil`: the board's chip.
    public var target: Text?
    /// The board's supply; `nil`: it cannot be switched.
    public var power: Power?
    /// How often a failed instance is run again on a fresh board, at most.
    public var retries = 0
    /// The factor by which time limits are longer than in suites.
    public var timeFactor = 1.0
    /// True if the NVS is erased for each case; else the board is only reset.
    public var erasesStorage = true

    /// The most that an instance is run again.
    public static let retryRange = 0...10
    /// The factors that are allowed.
    public static let factorRange = 1.0...100.0
}

/// Reads what a bench of kind `hardware` is made of.
struct HardwareEntryReader {
    /// The keys of its own.
    static let keys = ["board", "central", "target", "power", "retries", "time factor", "fresh"]

    let diagnostics: DiagnosticCollector

    /// The entry called `name`; `nil` after a report.
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

    /// One address, or a list of different ones.
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
