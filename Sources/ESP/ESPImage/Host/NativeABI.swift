extension HostProgram {
    /// The ABI of this machine in the form of ``abi``, e.g. `x86_64-linux`.
    public static var nativeABI: String {
        #if arch(x86_64)
            let processor = "x86_64"
        #elseif arch(arm64)
            let processor = "aarch64"
        #else
            let processor = "unknown"
        #endif
        #if os(Linux)
            return processor + "-linux"
        #else
            return processor + "-unknown"
        #endif
    }

    /// The ABI with the chip's data model, in which `long`, `size_t` and pointers have 4 bytes.
    public static let chipModelABI = "i386-linux"

    /// The end of ``abi`` of a program with AddressSanitizer, which runs in a wider sandbox.
    public static let sanitizedSuffix = "-sanitized"

    /// Whether the program checks itself with AddressSanitizer.
    public var isSanitized: Bool { abi.hasSuffix(Self.sanitizedSuffix) }

    /// Whether this machine can run the program.
    public var isRunnable: Bool {
        Self.runnableABIs.contains(isSanitized ? String(abi.dropLast(Self.sanitizedSuffix.count)) : abi)
    }

    /// The ABIs of programs that this machine can run, the one with the chip's data model first.
    public static var runnableABIs: [String] {
        #if arch(x86_64) && os(Linux)
            [chipModelABI, nativeABI]
        #else
            [nativeABI]
        #endif
    }
}
