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
}
