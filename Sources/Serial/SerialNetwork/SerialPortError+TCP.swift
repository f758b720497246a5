import SerialPort
import TCP

extension SerialPortError {
    /// The port error for a TCP error.
    init(_ error: TCPError) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .accessDenied: .accessDenied
            case .busy: .busy
            case .disconnected: .disconnected
            case .system: .system
            }
        self.init(code, port: error.name, error.detail)
    }

    /// Runs `body`; converts a TCP error to a port error.
    static func wrap<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as TCPError {
            throw SerialPortError(error)
        }
    }

    /// Runs `body`; converts a TCP error to a port error.
    static func wrap<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as TCPError {
            throw SerialPortError(error)
        }
    }
}
