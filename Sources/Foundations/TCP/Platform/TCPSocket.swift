#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The system calls on TCP sockets; every descriptor it returns is non-blocking and not inherited by children.
package enum TCPSocket {
    #if canImport(Glibc)
        private static let streamType = Int32(SOCK_STREAM.rawValue)
        /// Lets sending to a closed connection fail without a signal.
        package static let sendFlags = Int32(MSG_NOSIGNAL)
    #else
        private static let streamType = SOCK_STREAM
        /// Lets sending to a closed connection fail without a signal.
        package static let sendFlags: Int32 = 0
    #endif

    /// Limit of clients waiting to be accepted: many hosts may connect at once.
    static let backlog: Int32 = 128

    /// Closes `descriptor`.
    static func release(_ descriptor: Int32) {
        guard descriptor >= 0 else { return }
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }

    /// The system's text for `code`.
    static func text(_ code: Int32) -> String {
        String(cString: strerror(code))
    }

    /// Calls `body` with each address of `host` until it returns a value.
    private static func withAddresses<Value>(
        host: String, port: UInt16, passive: Bool, name: String, _ body: (addrinfo) throws(TCPError) -> Value?
    ) throws(TCPError) -> Value? {
        var hints = addrinfo()
        hints.ai_socktype = streamType
        hints.ai_flags = passive ? AI_PASSIVE : 0
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else {
            throw TCPError(
                .notFound, name: name, "looking up host \"\(host)\" failed: \(String(cString: gai_strerror(status)))")
        }
        defer { freeaddrinfo(list) }
        var next = list
        while let address = next {
            if let value = try body(address.pointee) { return value }
            next = address.pointee.ai_next
        }
        return nil
    }

    private static func make(_ address: addrinfo) -> Int32? {
        let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
        guard descriptor >= 0 else { return nil }
        prepare(descriptor)
        return descriptor
    }

    /// Configures a socket: non-blocking, close-on-exec, no SIGPIPE, TCP_NODELAY.
    static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Connects; blocks the calling thread for at most `milliseconds` per address of the host.
    package static func connect(host: String, port: UInt16, name: String, milliseconds: Int32) throws(TCPError) -> Int32
    {
        var lastError: Int32 = 0
        let connected = try withAddresses(host: host, port: port, passive: false, name: name) {
            address throws(TCPError) -> Int32? in
            guard let descriptor = make(address) else {
                lastError = errno
                return nil
            }
            #if canImport(Glibc)
                let status = Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen)
            #else
                let status = Darwin.connect(descriptor, address.ai_addr, address.ai_addrlen)
            #endif
            lastError = status == 0 ? 0 : errno
            if lastError == EINPROGRESS {
                lastError = finishConnecting(descriptor, milliseconds)
            }
            if lastError == 0 { return descriptor }
            release(descriptor)
            return nil
        }
        if let connected { return connected }
        // A closing listener resets connections that it has not accepted.
        let isAbsent = [ECONNREFUSED, ECONNRESET, ETIMEDOUT, EHOSTUNREACH].contains(lastError)
        throw TCPError(
            isAbsent ? .notFound : .system, name: name, "connecting failed: \(text(lastError))")
    }

    private static func finishConnecting(_ descriptor: Int32, _ milliseconds: Int32) -> Int32 {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&request, 1, milliseconds) > 0 else { return ETIMEDOUT }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { return errno }
        return code
    }

    /// Listens on `host`; port 0 lets the system choose.
    static func listen(host: String, port: UInt16, name: String) throws(TCPError) -> (Int32, UInt16) {
        var lastError: Int32 = 0
        let listening = try withAddresses(host: host, port: port, passive: true, name: name) {
            address throws(TCPError) -> Int32? in
            guard let descriptor = make(address) else {
                lastError = errno
                return nil
            }
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
            #if canImport(Glibc)
                let isListening =
                    Glibc.bind(descriptor, address.ai_addr, address.ai_addrlen) == 0
                    && Glibc.listen(descriptor, backlog) == 0
            #else
                let isListening =
                    Darwin.bind(descriptor, address.ai_addr, address.ai_addrlen) == 0
                    && Darwin.listen(descriptor, backlog) == 0
            #endif
            if isListening { return descriptor }
            lastError = errno
            release(descriptor)
            return nil
        }
        guard let listening else {
            let code: TCPError.Code =
                switch lastError {
                case EADDRINUSE: .busy
                case EACCES: .accessDenied
                default: .system
                }
            throw TCPError(code, name: name, "listening failed: \(text(lastError))")
        }
        return (listening, localPort(listening) ?? port)
    }

    private static func localPort(_ descriptor: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard status == 0 else { return nil }
        return numericName(&storage, size).flatMap { UInt16($0.port) }
    }

    /// Accepts one connection; `nil` when none is pending. `peer` is the client's HOST:PORT.
    static func accept(_ listener: Int32) -> Result<(descriptor: Int32, peer: String), SocketFault>? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                #if canImport(Glibc)
                    Glibc.accept(listener, pointer, &size)
                #else
                    Darwin.accept(listener, pointer, &size)
                #endif
            }
        }
        guard descriptor >= 0 else {
            switch errno {
            case EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED: return nil
            default: return .failure(SocketFault(code: errno))
            }
        }
        prepare(descriptor)
        let name = numericName(&storage, size)
        return .success((descriptor, name.map { "\($0.host):\($0.port)" } ?? "a client"))
    }

    private static func numericName(
        _ storage: inout sockaddr_storage, _ size: socklen_t
    ) -> (host: String, port: String)? {
        var host = [CChar](repeating: 0, count: 64)
        var service = [CChar](repeating: 0, count: 16)
        let status = withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getnameinfo(
                    $0, size, &host, socklen_t(host.count), &service, socklen_t(service.count),
                    NI_NUMERICHOST | NI_NUMERICSERV)
            }
        }
        guard status == 0 else { return nil }
        return (Self.string(host), Self.string(service))
    }

    private static func string(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// A failed system call on a socket.
struct SocketFault: Error {
    let code: Int32
}
