internal import CFirmwareChannel
import ESPImage
import MonotonicTime
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The process that runs a sketch, and the shared memory of board and sketch.
///
/// A turn blocks the caller until the sketch sleeps: nothing else of the bench runs meanwhile, which makes a run
/// deterministic.
final class FirmwareProcess {
    /// The reason why the sketch gave its turn back.
    enum TurnEnd {
        /// It sleeps until an instant (`nil`: until an event).
        case sleeping(until: MonotonicInstant?)
        /// Its last message is a call; it waits for the reply.
        case calling
        /// It called `esp_restart()`.
        case restart
        /// It started deep sleep, as its last `CFC_SLEEP` requested.
        case deepSleep
        /// It crashed or hung.
        case fault(FirmwareFault)
    }

    /// The interval at which the board, while it waits for its turn, checks whether the process is running.
    private static let lookInterval: UInt64 = 20_000_000
    /// The largest processor time of a turn, in nanoseconds. The process enforces a lower limit itself and reports a
    /// loop much earlier, unless it has blocked its signals. The real time of a turn on a busy machine has no limit.
    private static let mostProcessorTime = 2 * UInt64(CFC_HANG_CPU_SECONDS) * 1_000_000_000
    /// The number of consecutive checks that find the process asleep before the board concludes that it waits for
    /// something other than its turn. The board then requests its place, and kills it after as many further checks.
    private static let mostAsleep = 25
    /// The signal that makes a firmware process report its place (`kReportSignal`).
    private static let reportSignal = SIGUSR1

    private let header: UnsafeMutablePointer<cfc_header>
    private let channel: Int32
    private let process: pid_t
    private let handOver: HandOver
    private var hasEnded = false
    /// The largest number of turns until a process reports: the signal arrives within microseconds.
    private static let mostTurnsUntilReport = 10_000
    /// The fault whose place was requested from the process.
    private var askedFor: FirmwareFault?

    /// Starts `program`, which this machine can run, in its sandbox; turns are given as `handOver` decides.
    init(_ program: HostProgram, _ handOver: HandOver) throws(FirmwareProcessError) {
        var header: UnsafeMutablePointer<cfc_header>?
        var channel: Int32 = -1
        try Self.check(cfc_create(&header, &channel), "make the channel")
        guard let header else { throw FirmwareProcessError(doing: "make the channel", ENOMEM) }
        var process: Int32 = -1
        do throws(FirmwareProcessError) {
            let file = try ProgramFile.file(of: program.program)
            // Another bench may replace the kept file meanwhile: its descriptor must not be closed, and given to another.
            let code = withExtendedLifetime(file) {
                cfc_spawn(file.descriptor, channel, -1, program.isSanitized, &process)
            }
            try Self.check(code, "start the sketch")
        } catch {
            cfc_destroy(header, channel)
            throw error
        }
        self.header = header
        self.channel = channel
        self.process = process
        self.handOver = handOver
        handOver.begin(process)
    }

    fileprivate static func check(_ code: Int32, _ action: String) throws(FirmwareProcessError) {
        if code != 0 { throw FirmwareProcessError(doing: action, code) }
    }

    deinit {
        terminate()
        cfc_destroy(header, channel)
    }

    /// Kills the process, if it has not ended.
    func terminate() {
        guard !hasEnded else { return }
        hasEnded = true
        handOver.end()
        kill(process, SIGKILL)
        KilledProcesses.add(process)
    }

    /// Gives the sketch its turn with `messages`, and waits until it gives the turn back. `body` receives the sketch's
    /// messages; the bytes are valid only within it.
    ///
    /// - Returns: how the turn ended, and the sketch's own time.
    func runTurn(
        _ messages: ArraySlice<UInt8>, now: MonotonicInstant, horizon: MonotonicInstant?,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> (end: TurnEnd, firmwareNow: MonotonicInstant) {
        guard !hasEnded else { return (.fault(FirmwareFault(kind: .killed(signal: SIGKILL))), now) }
        // A reply to a call may be as long as a hostile sketch has made the call.
        let messages = messages.prefix(Int(CFC_TO_FIRMWARE_CAPACITY))
        messages.withUnsafeBytes { bytes in
            if let source = bytes.baseAddress { memcpy(cfc_to_firmware(header), source, bytes.count) }
        }
        header.pointee.to_firmware_length = UInt32(messages.count)
        header.pointee.now_ns = UInt64(now.nanoseconds)
        header.pointee.horizon_ns = horizon.map { UInt64($0.nanoseconds) } ?? UInt64.max
        header.pointee.spins = handOver.spins
        cfc_give_turn(header, UInt32(CFC_TURN_FIRMWARE))
        if let fault = awaitTurn() { return (.fault(fault), now) }
        handOver.turnEnded()
        let length = header.pointee.to_board_length
        guard length <= CFC_TO_BOARD_CAPACITY else {
            let nonsense = "\(length) bytes of messages, expected at most \(CFC_TO_BOARD_CAPACITY)"
            return (.fault(faultWhereItWaits(.channel, nonsense)), now)
        }
        body(UnsafeRawBufferPointer(start: cfc_to_board(header), count: Int(length)))
        return (turnEnd, MonotonicInstant(nanoseconds: Int64(clamping: header.pointee.firmware_now_ns)))
    }

    /// The fault `kind` with the place at which the process waits for its turn. The process ends.
    func faultWhereItWaits(_ kind: FirmwareFault.Kind, _ message: String = "") -> FirmwareFault {
        let fault = FirmwareFault(kind: kind, message)
        guard !hasEnded else { return fault }
        askedFor = fault
        kill(process, Self.reportSignal)
        // A program that bypasses the host core may take some turns before the signal arrives.
        for _ in 0..<Self.mostTurnsUntilReport {
            header.pointee.to_firmware_length = 0
            cfc_give_turn(header, UInt32(CFC_TURN_FIRMWARE))
            guard awaitTurn() == nil else { break }
            if let reportedFault { return reportedFault }
        }
        return fault
    }

    /// Asks the sketch, which waits for its turn, for its tasks: no time passes. `nil` before the first turn and after
    /// the end.
    func tasks() -> [FirmwareTask]? {
        guard !hasEnded, heap != nil else { return nil }
        header.pointee.inquiry = 1
        cfc_give_turn(header, UInt32(CFC_TURN_FIRMWARE))
        let fault = awaitTurn()
        header.pointee.inquiry = 0
        let length = header.pointee.to_board_length
        guard fault == nil, length <= CFC_TO_BOARD_CAPACITY else { return nil }
        let answer = UnsafeRawBufferPointer(start: cfc_to_board(header), count: Int(length))
        return stride(from: 0, through: answer.count - MemoryLayout<cfc_task>.size, by: MemoryLayout<cfc_task>.size)
            .map { FirmwareTask(answer.loadUnaligned(fromByteOffset: $0, as: cfc_task.self)) }
    }

    /// The bytes that the sketch has printed to `Serial` while it was not begun.
    var lostOutput: Int { Int(header.pointee.lost_output) }

    /// The chip's heap at the end of the last turn; `nil` before the first.
    var heap: HeapUse? {
        let header = header.pointee
        guard header.heap_size > 0 else { return nil }
        return HeapUse(
            size: Int(header.heap_size), free: Int(header.heap_free), minimumFree: Int(header.heap_minimum_free))
    }

    private var turnEnd: TurnEnd {
        switch Int(header.pointee.status) {
        case CFC_SLEEPING:
            let wake = header.pointee.wake_deadline_ns
            return .sleeping(until: wake > Int64.max ? nil : MonotonicInstant(nanoseconds: Int64(wake)))
        case CFC_CALLING: return .calling
        case CFC_RESTARTING: return .restart
        case CFC_DEEP_SLEEP: return .deepSleep
        default:
            let status = header.pointee.status
            return .fault(reportedFault ?? faultWhereItWaits(.channel, "a turn that ends with status \(status)"))
        }
    }

    /// The fault that the process has reported, if it has.
    private var reportedFault: FirmwareFault? {
        guard [CFC_CRASHED, CFC_HUNG, CFC_INCOMPATIBLE].contains(Int(header.pointee.status)) else { return nil }
        var fault = FirmwareFault(header.pointee.fault)
        if let askedFor { (fault.kind, fault.message) = (askedFor.kind, askedFor.message) }
        return fault
    }

    /// Waits for the turn: `nil` when the process has given it back, otherwise the fault.
    private func awaitTurn() -> FirmwareFault? {
        let board = UInt32(CFC_TURN_BOARD)
        var asleep = 0
        var timeBefore: UInt64?
        while true {
            if cfc_wait_turn(header, board, Self.lookInterval) { return nil }
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                hasEnded = true
                handOver.end()
                // The process may have given back its last turn meanwhile.
                if cfc_turn(header) == board { return nil }
                let signal = status & 0x7F
                return FirmwareFault(kind: signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal))
            }
            asleep = cfc_is_asleep(process) ? asleep + 1 : 0
            if asleep == Self.mostAsleep {
                askedFor = FirmwareFault(kind: .blocked)
                kill(process, Self.reportSignal)
            } else if asleep == 2 * Self.mostAsleep {
                terminate()
                return FirmwareFault(kind: .blocked)
            }
            let time = cfc_processor_time_ns(process)
            let before = timeBefore ?? time
            timeBefore = before
            if time > before, time - before > Self.mostProcessorTime {
                terminate()
                return FirmwareFault(kind: .hung)
            }
        }
    }
}

/// The reason why a firmware process could not be started.
struct FirmwareProcessError: Error, CustomStringConvertible {
    let description: String

    init(doing action: String, _ code: Int32) {
        description = "could not \(action): \(String(cString: strerror(code)))"
    }
}

/// A program as a sealed file in memory, which processes execute; the last one is kept for the next start.
private final class ProgramFile: Sendable {
    private static let last = Mutex<ProgramFile?>(nil)

    let descriptor: Int32
    /// Kept, so that an equal address means an equal program.
    private let program: ArraySlice<UInt8>

    private init(_ program: ArraySlice<UInt8>) throws(FirmwareProcessError) {
        var file: Int32 = -1
        try FirmwareProcess.check(
            program.withUnsafeBytes { cfc_program_descriptor($0.baseAddress, $0.count, &file) }, "hold the sketch")
        descriptor = file
        self.program = program
    }

    deinit { close(descriptor) }

    /// The file of `program`: the last one if that has the same storage.
    static func file(of program: ArraySlice<UInt8>) throws(FirmwareProcessError) -> ProgramFile {
        if let known = last.withLock({ $0 }),
            known.program.count == program.count,
            known.program.withUnsafeBytes({ $0.baseAddress }) == program.withUnsafeBytes({ $0.baseAddress })
        {
            return known
        }
        let file = try ProgramFile(program)
        last.withLock { $0 = file }
        return file
    }
}

/// The killed processes whose end is still to be collected. To wait for each would take a tenth of a short case: the
/// kernel frees the memory of the process first.
private enum KilledProcesses {
    /// Limit of processes that wait to be collected.
    private static let limit = 8

    private static let all = Mutex<[Int32]>([])

    static func add(_ process: Int32) {
        all.withLock { all in
            all.append(process)
            all.removeAll { !isRunning($0, options: WNOHANG) }
            if all.count > limit { _ = isRunning(all.removeFirst(), options: 0) }
        }
    }

    private static func isRunning(_ process: Int32, options: Int32) -> Bool {
        var status: Int32 = 0
        while true {
            let result = waitpid(process, &status, options)
            if result < 0, errno == EINTR { continue }
            return result == 0
        }
    }
}
