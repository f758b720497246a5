import Glibc

/// The system calls on Unix sockets; they never block.
enum UnixSocket {
    /// Limit of file descriptors in one receiving call: SCM_MAX_FD of Linux.
    private static let descriptorLimit = 253
    /// The size of a `cmsghdr`, after which its data follows.
    private static let controlHeaderSize = MemoryLayout<cmsghdr>.size

    /// POLLRDHUP of Linux, which Glibc's module does not define.
    private static let readHangUp: Int16 = 0x2000

    /// The result of a receiving call.
    enum Received {
        /// The number of bytes.
        case bytes(Int, [DBusFileDescriptor])
        /// No data is available now.
        case nothing
        /// The other end has closed the connection.
        case end
        case failed(Int32)
    }

    /// The result of a receiving call on a socket of packets.
    enum ReceivedPacket {
        /// A packet, possibly empty.
        case packet([UInt8])
        case nothing
        case end
        case failed(Int32)
    }

    /// Connects; returns the descriptor.
    ///
    /// - Throws: `unreachable`, `accessDenied`, `invalidAddress`.
    static func connect(_ address: DBusAddress) throws(DBusError) -> Int32 {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let bytes: [UInt8] =
            switch address.socket {
            case .path(let path): Array(path.utf8) + [0]
            case .abstract(let text): [0] + Array(text.utf8)
            }
        guard bytes.count <= MemoryLayout.size(ofValue: name.sun_path) else {
            throw DBusError(.invalidAddress, "bus \(address): expected a shorter name of the socket")
        }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw failure(address, errno) }
        let size = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2) + socklen_t(bytes.count)
        let status = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) }
        }
        guard status == 0 else {
            let code = errno
            _ = close(descriptor)
            throw failure(address, code)
        }
        return descriptor
    }

    private static func failure(_ address: DBusAddress, _ code: Int32) -> DBusError {
        DBusError(
            code == EACCES || code == EPERM ? .accessDenied : .unreachable,
            "bus \(address): connecting failed: \(text(code))")
    }

    /// The system's text for `code`.
    static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// Sends as many bytes as the socket accepts; returns the number of bytes, or the error: `EAGAIN` when it is full.
    static func send(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> (count: Int, error: Int32) {
        var count = 0
        var error: Int32 = 0
        bytes.withUnsafeBytes { bytes in
            while count < bytes.count, error == 0 {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
                let sent = Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                if sent > 0 { count += sent } else if errno != EINTR { error = errno }
            }
        }
        return (count, error)
    }

    /// The size of a buffer for file descriptors.
    static let controlSize = controlHeaderSize + descriptorLimit * MemoryLayout<Int32>.size + 8

    /// Receives at most as many bytes as fit; file descriptors need a `control` of ``controlSize`` bytes.
    static func receive(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, control: UnsafeMutableRawBufferPointer
    ) -> Received {
        var vector = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
        return withUnsafeMutablePointer(to: &vector) { vector in
            var header = msghdr()
            header.msg_iov = vector
            header.msg_iovlen = 1
            header.msg_control = control.baseAddress
            header.msg_controllen = control.count
            var received: Int
            repeat {
                received = recvmsg(descriptor, &header, Int32(MSG_CMSG_CLOEXEC) | Int32(MSG_DONTWAIT))
            } while received < 0 && errno == EINTR
            guard received >= 0 else {
                let error = errno
                return error == EAGAIN || error == EWOULDBLOCK ? .nothing : .failed(error)
            }
            let descriptors =
                header.msg_controllen > 0 ? self.descriptors(in: control, count: Int(header.msg_controllen)) : []
            if header.msg_flags & Int32(MSG_CTRUNC) != 0 { return .failed(EMFILE) }
            return received == 0 && descriptors.isEmpty ? .end : .bytes(received, descriptors)
        }
    }

    /// Receives one packet, truncated to the size of `buffer`.
    static func receivePacket(_ descriptor: Int32, through buffer: UnsafeMutableRawBufferPointer) -> ReceivedPacket {
        var received: Int
        repeat {
            received = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        } while received < 0 && errno == EINTR
        guard received >= 0 else {
            let error = errno
            return error == EAGAIN || error == EWOULDBLOCK ? .nothing : .failed(error)
        }
        if received == 0, hasHungUp(descriptor) { return .end }
        return .packet(Array(buffer[..<received]))
    }

    /// True if the other end has closed; otherwise an empty packet looks the same.
    private static func hasHungUp(_ descriptor: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: readHangUp, revents: 0)
        return poll(&request, 1, 0) != 0
    }

    /// The descriptors of control messages of type SCM_RIGHTS.
    private static func descriptors(in control: UnsafeMutableRawBufferPointer, count: Int) -> [DBusFileDescriptor] {
        var descriptors: [DBusFileDescriptor] = []
        var position = 0
        while position + controlHeaderSize <= min(count, control.count) {
            let header = control.loadUnaligned(fromByteOffset: position, as: cmsghdr.self)
            let length = Int(header.cmsg_len)
            guard length >= controlHeaderSize, position + length <= control.count else { break }
            if header.cmsg_level == SOL_SOCKET, header.cmsg_type == Int32(SCM_RIGHTS) {
                for offset in stride(from: controlHeaderSize, to: length - 3, by: 4) {
                    descriptors.append(
                        DBusFileDescriptor(control.loadUnaligned(fromByteOffset: position + offset, as: Int32.self)))
                }
            }
            position += (length + 7) / 8 * 8
        }
        return descriptors
    }
}

/// A file descriptor received with a message; closed when it is no longer referenced.
public final class DBusFileDescriptor: Sendable {
    /// The number.
    let number: Int32

    /// Takes ownership of an open descriptor.
    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        _ = close(number)
    }
}

extension DBusFileDescriptor: Hashable {
    /// True for the same object.
    public static func == (left: DBusFileDescriptor, right: DBusFileDescriptor) -> Bool { left === right }

    /// Hashes its identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
