import ESPImage

/// What the compiler makes of `long`, `size_t` and pointers.
enum DataModel: Sendable {
    /// The chip's, with 4 bytes each: programs for i386.
    case chip
    /// The machine's own, with 8 bytes each.
    case machine

    /// Where the program begins: the ESP32's range of instructions in flash, so that addresses of code are the chip's.
    static let programAddress = "0x400D0000"

    /// What the program is compiled for, in the form of `HostProgram.abi`.
    var abi: String {
        switch self {
        case .chip: HostProgram.chipModelABI
        case .machine: HostProgram.nativeABI
        }
    }

    /// Whether this machine runs such programs.
    var isRunnable: Bool { HostProgram.runnableABIs.contains(abi) }

    /// For every file. `long double` and `time_t` have 8 bytes on the chip. Floating point is computed with the precision
    /// of its type, as there, not with the 80 bits of the x87. Backtraces need the unwind tables.
    var flags: [String] {
        switch self {
        case .chip:
            [
                "-m32", "-msse2", "-mfpmath=sse", "-mlong-double-64", "-D_TIME_BITS=64", "-D_FILE_OFFSET_BITS=64",
                "-fno-pie", "-fasynchronous-unwind-tables",
            ]
        case .machine: ["-fPIE"]
        }
    }

    /// Of the layout of structures: on the chip a `double` or `int64_t` is aligned to 8 bytes. System calls have the
    /// machine's layout.
    var layoutFlags: [String] {
        switch self {
        case .chip: ["-malign-double"]
        case .machine: []
        }
    }

    /// Functions of the C library are bound at the start: the loader would use the stack of the task that calls one first.
    var linkFlags: [String] {
        switch self {
        case .chip: ["-m32", "-no-pie", "-Wl,-z,now", "-Wl,-Ttext-segment=" + Self.programAddress]
        case .machine: ["-pie"]
        }
    }

    /// What is to be said of a build; `nil` when it has the chip's data model.
    var remark: String? {
        switch self {
        case .chip: return nil
        case .machine:
            let sizes = "remark: the sketch is compiled 64-bit: long, size_t and pointers have 8 bytes, on the chip 4"
            #if os(Linux) && arch(x86_64)
                return sizes + "; for the chip's sizes: sudo apt-get install g++-multilib"
            #else
                return sizes + "; only on x86-64 Linux it has the chip's sizes"
            #endif
        }
    }
}
