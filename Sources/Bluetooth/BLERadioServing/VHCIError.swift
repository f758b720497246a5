/// The error when a controller could not be attached to this machine's kernel.
public struct VHCIError: Error, Equatable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: String, Sendable, CaseIterable {
        /// `/dev/vhci` does not exist, or has no driver.
        case noDevice
        /// The device exists in the kernel, but not in this file system, e.g. in a container.
        case notInContainer
        /// This user, or this container, may not open it.
        case accessDenied
        /// The kernel refused the controller, or did not answer.
        case refused
        /// The system refused, for another reason.
        case system
    }

    /// The kind of fault.
    public var code: Code
    /// The failure, with the expected and the actual result; one line.
    public var description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
