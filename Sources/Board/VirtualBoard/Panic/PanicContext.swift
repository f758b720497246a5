/// The location of a panic.
public struct PanicContext: Hashable, Sendable {
    /// One frame of a backtrace.
    public struct Frame: Hashable, Sendable {
        /// The program counter.
        public var pc: UInt32
        /// The stack pointer.
        public var sp: UInt32

        /// A frame.
        public init(pc: UInt32, sp: UInt32) {
            self.pc = pc
            self.sp = sp
        }
    }

    /// The core, 0 or 1; Arduino's loop runs on 1.
    public var core: Int
    /// The task that ran, or that was interrupted; empty where it is not known.
    public var task: String
    /// Whether an interrupt's handler ran.
    public var isInInterrupt: Bool
    /// The frames, innermost first.
    public var backtrace: [Frame]
    /// The address that was accessed.
    public var faultAddress: UInt32
    /// The SHA-256 digest of the ELF file, of which the panic text shows the beginning.
    public var elfHash: [UInt8]

    /// All fields.
    public init(
        core: Int = 1, task: String = "loopTask", isInInterrupt: Bool = false, backtrace: [Frame],
        faultAddress: UInt32 = 0, elfHash: [UInt8] = []
    ) {
        self.core = core
        self.task = task
        self.isInInterrupt = isInInterrupt
        self.backtrace = backtrace
        self.faultAddress = faultAddress
        self.elfHash = elfHash
    }
}
