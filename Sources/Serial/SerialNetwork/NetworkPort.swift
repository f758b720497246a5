import Dispatch
public import SerialPort
import TCP

/// Opens `socket://` and `rfc2217://` ports.
public enum NetworkPort {
    /// Connects to the port at `address`.
    ///
    /// - Parameter timeout: the longest wait for the connection, and for the server to agree to RFC 2217.
    /// - Throws: ``SerialPortError``: `notFound` when no program listens there, `unsupported` when the server does not
    ///   speak RFC 2217, `invalidAddress` for a device path.
    public static func open(_ address: PortAddress, within timeout: Duration = .seconds(5)) async throws
        -> any SerialPort
    {
        switch address {
        case .socket(let host, let port):
            let descriptor = try await connect(host, port, address, timeout)
            return SocketPort(descriptor, name: address.description)
        case .rfc2217(let host, let port):
            let descriptor = try await connect(host, port, address, timeout)
            let result = RFC2217Port(descriptor, name: address.description)
            do {
                try await result.negotiate(within: timeout)
            } catch {
                await result.close()
                throw error
            }
            return result
        case .device(let path):
            throw SerialPortError(
                .invalidAddress, port: path, "expected socket://HOST:PORT or rfc2217://HOST:PORT, got a device path")
        }
    }

    private static func connect(
        _ host: String, _ port: UInt16, _ address: PortAddress, _ timeout: Duration
    ) async throws -> Int32 {
        let milliseconds = Int32(min(max(timeout, .zero), .seconds(600)) / .milliseconds(1))
        return try await withCheckedThrowingContinuation { continuation in
            // Name look-up blocks, so it runs on another thread.
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try SerialPortError.wrap {
                            try TCPSocket.connect(
                                host: host, port: port, name: address.description, milliseconds: milliseconds)
                        }
                    })
            }
        }
    }
}
