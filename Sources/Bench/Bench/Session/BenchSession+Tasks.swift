import BenchExecutor
import BenchModel
import Console
public import MonotonicTime

/// The tasks of a board's firmware at one moment.
public struct BoardTasks: Hashable, Sendable {
    /// One task.
    public struct Task: Hashable, Sendable {
        /// The state of a task.
        public enum State: Hashable, Sendable {
            /// It has a core, or waits for one.
            case runs
            /// It waits for an event until an instant; `nil`: without an end.
            case waits(until: MonotonicInstant?)
            /// It is suspended.
            case suspended
        }

        /// The name.
        public var name: String
        /// The state.
        public var state: State
        /// The code addresses of its calls, innermost first.
        public var addresses: [UInt64]

        /// A task.
        public init(name: String, state: State, addresses: [UInt64]) {
            self.name = name
            self.state = state
            self.addresses = addresses
        }
    }

    /// The tasks, oldest first.
    public var tasks: [Task]
    /// The bytes printed to `Serial` while it was not begun.
    public var lostOutput: Int

    /// Tasks.
    public init(tasks: [Task], lostOutput: Int = 0) {
        self.tasks = tasks
        self.lostOutput = lostOutput
    }
}

/// Why a board does nothing: remarks for time-outs.
extension BenchSession {
    /// A wait in `loop()` with more time left than this is reported.
    private static let usualWait = Duration.seconds(1)
    /// The most remarks on one board.
    private static let mostRemarks = 8

    /// The states of the boards that may have caused a time-out; `nil`: nothing is unusual, or known.
    public func stall() async -> String? {
        var remarks: [String] = []
        for index in boards.indices {
            if let remark = await stall(of: BoardID(index: index)) { remarks.append(remark) }
        }
        return remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    }

    private func stall(of board: BoardID) async -> String? {
        let state = boards[board.index]
        if log.isInDownloadMode(board.index) {
            return "\(state.words) waits for a download, as BOOT was held (pin 0 low) when its chip left reset: "
                + "let the chip start before the button is pressed, as with 'advance: 100 ms'"
        }
        guard let found = await part(board).tasks() else { return nil }
        var remarks: [String] = []
        if found.lostOutput > 0 {
            remarks.append(
                "the sketch\(state.ofBoard) has printed \(found.lostOutput) byte\(found.lostOutput == 1 ? "" : "s") while "
                    + "Serial was not begun; they are lost: expected Serial.begin() before")
        }
        guard let symbols = state.symbols else { return remarks.isEmpty ? nil : remarks.joined(separator: "; ") }
        let addresses = found.tasks.flatMap(\.addresses)
        let frames = await BenchExecutor.waitElsewhere { await symbols.frames(at: addresses.map { CodeAddress($0) }) }
        var rest = frames[...]
        var equal: [String: Int] = [:]
        for task in found.tasks {
            let own = rest.prefix(task.addresses.count).flatMap(\.self).filter { $0.isOfSketch && $0.place != nil }
            rest = rest.dropFirst(task.addresses.count)
            guard let place = place(of: task, own) else { continue }
            let remark = "task '\(task.name)'\(state.ofBoard) \(place)"
            if equal[remark, default: 0] == 0 { remarks.append(remark) }
            equal[remark, default: 0] += 1
        }
        remarks = remarks.map { remark in
            equal[remark].map { $0 > 1 ? "\(remark) (\($0) such tasks)" : remark } ?? remark
        }
        if remarks.count > Self.mostRemarks {
            remarks[Self.mostRemarks...] = ["and \(remarks.count - Self.mostRemarks) more"]
        }
        return remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    }

    /// The place of a task in the sketch's own code; `nil` if it waits for a short time in `loop()`, or outside that
    /// code.
    private func place(of task: BoardTasks.Task, _ own: [CodeFrame]) -> String? {
        guard let innermost = own.first, let outermost = own.last else { return nil }
        let verb: String
        var rest = ""
        switch task.state {
        case .runs: verb = "runs in"
        case .suspended: verb = "is suspended in"
        case .waits(nil): verb = "waits without a time limit in"
        case .waits(let end?):
            let left = executor.now.duration(to: end)
            if outermost.function == "loop()", left <= Self.usualWait { return nil }
            verb = "waits in"
            rest = left > .zero ? ", for another \(left.brief)" : ""
        }
        let caller = innermost.function == outermost.function ? "" : ", called from \(outermost.text)"
        return "\(verb) \(innermost.text)\(caller)\(rest)"
    }
}
