import Glibc

/// A file descriptor received with a message; closed when nothing refers to it any more.
public final class DBusFileDescriptor: Sendable {
    /// The number.
    let number: Int32

    /// Takes over an open descriptor.
    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        _ = close(number)
    }
}

extension DBusFileDescriptor: Hashable {
    /// Whether it is the same object.
    public static func == (left: DBusFileDescriptor, right: DBusFileDescriptor) -> Bool { left === right }

    /// Hashes its identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
