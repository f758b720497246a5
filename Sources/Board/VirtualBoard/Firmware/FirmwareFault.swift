import CFirmwareChannel

/// Why a sketch cannot continue.
struct FirmwareFault: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// It received a signal, e.g. for an access to unmapped memory.
        case signal(Int32, Access)
        /// Its stack is full.
        case stackOverflow
        /// It called `abort()` or did not catch a C++ exception.
        case abort
        /// It failed an assertion.
        case assertion
        /// It used the processor without yielding.
        case hung
        /// It blocks outside the board's time.
        case blocked
        /// The process ended without a report.
        case killed(signal: Int32)
    }

    /// What a signal's instruction failed to do.
    enum Access: Equatable, Sendable {
        case load, store, fetch
        /// There was no access, or the machine does not tell: only x86-64 does.
        case unknown
    }

    var kind: Kind
    /// The address of the failed access.
    var faultAddress: UInt64 = 0
    /// Return addresses, innermost first, relative to the program's load address: the input of addr2line.
    var frames: [UInt64] = []
    /// Why it aborted; empty when the kind is sufficient.
    var message = ""
    /// Whether it happened in a callback, which NimBLE's host task runs.
    var isInCallback = false

    init(kind: Kind) {
        self.kind = kind
    }

    init(_ fault: cfc_fault) {
        switch Int(fault.kind) {
        case CFC_FAULT_SIGNAL: kind = .signal(Int32(bitPattern: fault.signal), Access(fault.access))
        case CFC_FAULT_HANG: kind = .hung
        case CFC_FAULT_STACK: kind = .stackOverflow
        case CFC_FAULT_ASSERT: kind = .assertion
        default: kind = .abort
        }
        faultAddress = fault.fault_address
        frames = withUnsafeBytes(of: fault.frames) { bytes in
            bytes.bindMemory(to: UInt64.self).prefix(Int(min(fault.frame_count, UInt32(CFC_FAULT_FRAMES)))).map { $0 }
        }
        message = withUnsafeBytes(of: fault.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

extension FirmwareFault.Access {
    /// From `cfc_fault.access`.
    fileprivate init(_ access: UInt32) {
        switch Int(access) {
        case CFC_ACCESS_LOAD: self = .load
        case CFC_ACCESS_STORE: self = .store
        case CFC_ACCESS_FETCH: self = .fetch
        default: self = .unknown
        }
    }
}
