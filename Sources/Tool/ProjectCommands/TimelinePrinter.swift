import BenchModel
internal import BenchReports
internal import BLEDescriptions
import CommandSupport
internal import LogFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Prints the wanted events of a timeline's file while reading the file, so that a file of any size takes little
/// memory.
struct TimelinePrinter {
    /// The number of bytes read at a time.
    private static let chunkSize = 256 * 1024
    /// The maximum number of case names that are kept for a message.
    private static let knownCases = 1000
    /// The maximum number of case names in the message.
    private static let listedCases = 8

    /// The form of the output.
    enum Format {
        case text
        /// The timeline's own.
        case json
        /// A Value Change Dump.
        case waveform
    }

    private var filter: TimelineFilter
    private var text: TimelineText
    /// Writes events in the timeline's format; `nil`: as text.
    private var lines: TimelineLineWriter?
    /// Collects the signals; `nil`: the events themselves are printed.
    private var waveform: Waveform?
    private let output: Output
    private var pending = ""
    private var hasShown = false
    /// The names of the first cases in the file, for the message that a requested case is missing.
    private var caseNames: [String] = []

    /// A printer of the events that `filter` accepts.
    init(filter: TimelineFilter, descriptions: [PeripheralDescription], _ format: Format, output: Output) {
        lines = format == .json ? TimelineLineWriter() : nil
        waveform = format == .waveform ? Waveform() : nil
        self.filter = filter
        self.output = output
        text = TimelineText(style: output.dataStyle, descriptions: descriptions)
    }

    /// Prints the timeline at `path`; `-` is standard input.
    ///
    /// - Parameter cases: the requested cases.
    /// - Throws: ``CommandFailure`` when the timeline cannot be read to its end, or has none of the cases. Events
    ///   before a fault are printed.
    mutating func print(_ path: String, cases: [String]) throws(CommandFailure) {
        let name = path == "-" ? "standard input" : path
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(name, .last) }
        defer { if path != "-" { close(descriptor) } }
        var reader = TimelineReader()
        while !output.isDataLost {
            let bytes = try Self.nextBytes(descriptor, name)
            do throws(TimelineError) {
                for event in try reader.read(bytes) { receive(event) }
                if bytes.isEmpty { try reader.finish() }
            } catch {
                flush()
                throw CommandFailure(.badInput, "\(name):\(error.line): \(error.message)", code: "timeline.invalid")
            }
            flush()
            guard bytes.isEmpty else { continue }
            try checkCases(cases, name)
            if let waveform { output.data(waveform.file) }
            if !hasShown { output.note("no event in \(name) is as wanted") }
            return
        }
    }

    private mutating func receive(_ event: BenchEvent) {
        if let began = event.payload as? CaseBegan, caseNames.count < Self.knownCases { caseNames.append(began.name) }
        guard filter.isWanted(event) else { return text.skip(event) }
        if waveform != nil {
            waveform?.append(event)
        } else if lines != nil {
            lines?.append(event)
        } else {
            pending += hasShown ? text.text(event) : text.heading + text.text(event)
        }
        hasShown = true
        if max(pending.utf8.count, lines?.count ?? 0) > Self.chunkSize { flush() }
    }

    private mutating func flush() {
        if let bytes = lines?.bytes, !bytes.isEmpty {
            output.data(bytes)
            lines?.removeAll()
        }
        guard !pending.isEmpty else { return }
        output.data(pending)
        pending = ""
    }

    private func checkCases(_ cases: [String], _ name: String) throws(CommandFailure) {
        guard !filter.hasFoundCase else { return }
        let wanted = cases.map { "'\($0)'" + Suggestion.text(for: $0, in: caseNames) }.joined(separator: " or ")
        let known = caseNames.prefix(Self.listedCases).map { "'\($0)'" }.joined(separator: ", ")
        let rest = caseNames.count > Self.listedCases ? " and others" : ""
        throw CommandFailure(
            .nothingRan,
            "\(name) has no case \(wanted)" + (known.isEmpty ? ": it has none" : "; it has \(known)\(rest)"),
            code: "timeline.noCase")
    }

    // MARK: The file

    /// The next bytes; empty at the end.
    private static func nextBytes(_ descriptor: Int32, _ name: String) throws(CommandFailure) -> [UInt8] {
        while true {
            var fault: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, count in
                let size = read(descriptor, buffer.baseAddress, buffer.count)
                if size < 0 { fault = errno }
                count = max(0, size)
            }
            if fault == 0 { return bytes }
            guard fault == EINTR else { throw unreadable(name, SystemFault(fault)) }
        }
    }

    private static func unreadable(_ name: String, _ fault: SystemFault) -> CommandFailure {
        CommandFailure(.badInput, "\(name) could not be read: \(fault)", code: "timeline.file")
    }
}
