internal import CFirmwareChannel
public import MonotonicTime

/// The reason why a sketch cannot continue.
struct FirmwareFault: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// It received a signal, e.g. for an access to unmapped memory.
        case signal(Int32, Access)
        /// A task has left its stack.
        case stackOverflow
        /// It called `abort()` or did not catch a C++ exception.
        case abort
        /// It failed an assertion.
        case assertion
        /// Tasks did not reset the task watchdog in time; the message lists them.
        case taskWatchdog
        /// Interrupts were off for too long.
        case interruptWatchdog
        /// A panic of another kind; the message is its text.
        case panic
        /// AddressSanitizer or UBSan has found a fault; the message is its report.
        case sanitizer
        /// It used the processor without yielding, in code that no watchdog of the chip monitors.
        case hung
        /// It waits for something other than the board's time.
        case blocked
        /// It took one turn after another without letting time pass.
        case standing
        /// The sandbox has refused a system call, which the message names.
        case systemCall
        /// It wrote invalid data into the memory that it shares with the board; the message describes them.
        case channel
        /// A signal ended the process, without a report.
        case killed(signal: Int32)
        /// The process ended itself, without a report.
        case exited(status: Int32)
    }

    /// The kind of access at which a signal's instruction failed.
    enum Access: Equatable, Sendable {
        case load, store, fetch
        /// There was no access, or the machine does not report it: only x86 does.
        case unknown
    }

    /// A place in the program.
    struct Frame: Equatable, Sendable {
        /// The address that addr2line expects: absolute for a program at a fixed address, otherwise relative to its
        /// load address.
        var address: UInt64
        /// 0 if unknown.
        var stackPointer: UInt32
    }

    var kind: Kind
    /// The address of the failed access.
    var faultAddress: UInt64 = 0
    /// The place of the fault and the calls that led there, innermost first.
    var frames: [Frame] = []
    /// The details of the fault; empty when the kind is sufficient.
    var message = ""
    /// The task that ran; empty if unknown.
    var task = ""
    /// The core on which that task ran.
    var core = 1
    /// True if an interrupt's handler ran, which had interrupted the task.
    var isInInterrupt = false
    /// The tasks that ran on core 0 and on core 1.
    var running = ["", ""]

    init(kind: Kind, _ message: String = "") {
        self.kind = kind
        self.message = message
    }

    init(_ fault: cfc_fault) {
        switch Int(fault.kind) {
        case CFC_FAULT_SIGNAL: kind = .signal(Int32(bitPattern: fault.signal), Access(fault.access))
        case CFC_FAULT_HANG: kind = .hung
        case CFC_FAULT_STACK: kind = .stackOverflow
        case CFC_FAULT_ASSERT: kind = .assertion
        case CFC_FAULT_TASK_WATCHDOG: kind = .taskWatchdog
        case CFC_FAULT_INTERRUPT_WATCHDOG: kind = .interruptWatchdog
        case CFC_FAULT_PANIC: kind = .panic
        case CFC_FAULT_SANITIZER: kind = .sanitizer
        case CFC_FAULT_SYSTEM_CALL: kind = .systemCall
        case CFC_FAULT_ABORT, CFC_FAULT_EXCEPTION: kind = .abort
        default: kind = .channel
        }
        faultAddress = fault.fault_address
        let count = Int(min(fault.frame_count, UInt32(CFC_FAULT_FRAMES)))
        let addresses = withUnsafeBytes(of: fault.frames) { $0.bindMemory(to: UInt64.self).prefix(count).map(\.self) }
        let pointers = withUnsafeBytes(of: fault.stack_pointers) {
            $0.bindMemory(to: UInt32.self).prefix(count).map(\.self)
        }
        frames = zip(addresses, pointers).map { Frame(address: $0, stackPointer: $1) }
        message = kind == .channel ? "a fault of kind \(fault.kind)" : Self.text(fault.message)
        task = Self.text(fault.task)
        core = fault.core == 0 ? 0 : 1
        isInInterrupt = fault.in_interrupt != 0
        running = [Self.text(fault.running.0), Self.text(fault.running.1)]
    }

    /// The text in an array of characters, up to its NUL.
    fileprivate static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// A task of a running sketch, and its place.
public struct FirmwareTask: Hashable, Sendable {
    /// Its state, by FreeRTOS's words.
    public enum State: Hashable, Sendable {
        /// It has a core.
        case running
        /// It waits for a core.
        case ready
        /// It waits for an event until an instant; `nil`: without an end.
        case blocked(until: MonotonicInstant?)
        /// It is suspended.
        case suspended
    }

    /// The name.
    public var name: String
    /// The state.
    public var state: State
    /// The code addresses of its calls, innermost first, as the board shows them; empty if it has not run yet.
    public var addresses: [UInt64]

    init(_ task: cfc_task) {
        name = FirmwareFault.text(task.name)
        switch Int(task.state) {
        case CFC_TASK_RUNNING: state = .running
        case CFC_TASK_READY: state = .ready
        case CFC_TASK_SUSPENDED: state = .suspended
        default: state = .blocked(until: Int64(exactly: task.until_ns).map { MonotonicInstant(nanoseconds: $0) })
        }
        let count = Int(min(task.frame_count, UInt32(CFC_TASK_FRAMES)))
        addresses = withUnsafeBytes(of: task.frames) {
            $0.bindMemory(to: UInt64.self).prefix(count).map(PanicContext.shown)
        }
    }
}

extension FirmwareFault.Access {
    /// The access given by `cfc_fault.access`.
    fileprivate init(_ access: UInt32) {
        switch Int(access) {
        case CFC_ACCESS_LOAD: self = .load
        case CFC_ACCESS_STORE: self = .store
        case CFC_ACCESS_FETCH: self = .fetch
        default: self = .unknown
        }
    }
}
