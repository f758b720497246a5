/// A frame of a backtrace: an address of the program, and the place in its source where it is known.
public struct CodeFrame: Hashable, Sendable {
    /// The address, as the console printed it.
    public var address: UInt64
    /// The function with its parameters' types, as C++ writes it; `nil` when the program has no symbol there.
    public var function: String?
    /// The source file, as the compiler was given it.
    public var file: String?
    /// The line in ``file``, from 1.
    public var line: Int?
    /// Whether the compiler put the function into the one of the next frame, so that both have the same address.
    public var isInlined: Bool

    /// A frame.
    public init(
        address: UInt64, function: String? = nil, file: String? = nil, line: Int? = nil, isInlined: Bool = false
    ) {
        self.address = address
        self.function = function
        self.file = file
        self.line = line
        self.isInlined = isInlined
    }

    /// Whether the function is one of a virtual board's own, which no sketch knows.
    public var isOfVirtualChip: Bool {
        guard let function else { return false }
        return function.hasPrefix("espbench::") || function.hasPrefix("espbench_")
            || function.hasPrefix("__sanitizer_cov_trace_pc")
    }

    /// The place in short, `Lamp.ino:42`; `nil` where it is not known.
    public var place: String? {
        guard let name = file?.split(separator: "/").last else { return nil }
        return line.map { "\(name):\($0)" } ?? String(name)
    }

    /// The function and its place, e.g. `Callbacks::onWrite(NimBLECharacteristic*) at Lamp.ino:42`; the address where
    /// nothing is known.
    public var text: String {
        let function = function ?? "0x\(String(address, radix: 16))"
        return place.map { "\(function) at \($0)" } ?? function
    }
}
