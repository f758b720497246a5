import SerialPort
import TCP

extension SerialPortError {
    /// A fault of the connection as a fault of the port behind it.
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

    /// Does `body`; a fault of the connection is thrown as one of the port.
    static func wrap<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as TCPError {
            throw SerialPortError(error)
        }
    }

    /// Does `body`; a fault of the connection is thrown as one of the port.
    static func wrap<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as TCPError {
            throw SerialPortError(error)
        }
    }
}
