/// A core dump's tasks as lines for people, with the places in the source.
public enum CoreDumpText {
    /// A task.
    public struct Task: Hashable, Sendable {
        /// Its name and the address of its control block: `loopTask (0x3ffb8d34)`.
        public var title: String
        /// The state of a task of a RISC-V chip, which a program can unwind; `nil` for Xtensa.
        public var state: CrashDump?
        /// The addresses of its calls as far as the stack tells them, innermost first.
        public var addresses: [CodeAddress]

        /// A task.
        public init(title: String, state: CrashDump?, addresses: [CodeAddress]) {
            self.title = title
            self.state = state
            self.addresses = addresses
        }
    }

    /// The lines for the calls of `tasks`, the crashed one first; without `program` only their addresses.
    public static func lines(of tasks: [Task], _ program: (any AddressResolver)?) async -> [String] {
        var lines: [String] = []
        for task in tasks {
            lines.append("--- \(task.title):")
            if let state = task.state, let program {
                lines += await CrashBacktrace.lines(of: state, program)
                continue
            }
            let frames = await program?.frames(at: task.addresses) ?? []
            for (index, address) in task.addresses.enumerated() {
                let known = frames.indices.contains(index) ? frames[index] : []
                lines += known.isEmpty ? ["--- 0x\(String(address.value, radix: 16))"] : DecodedLines.text(of: known)
            }
        }
        return lines
    }
}
