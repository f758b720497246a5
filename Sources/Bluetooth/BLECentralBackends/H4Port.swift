import BLECentral
import SerialNetwork
import SerialPOSIX
import SerialPort

/// The byte streams of H4 controllers.
enum H4Port {
    /// Opens the stream at `place` of `address`.
    static func open(_ place: H4Address, _ address: CentralAddress) async throws(CentralOpenError) -> any SerialPort {
        do {
            switch place {
            case .tcp(let host, let port): return try await NetworkPort.open(.socket(host: host, port: port))
            case .tty(let path, let rate):
                return try POSIXSerialPort(
                    path: path, settings: SerialSettings(baudRate: rate, hasHardwareFlowControl: true))
            }
        } catch let error as SerialPortError {
            throw CentralOpenError(code(error.code), address, error.detail)
        } catch {
            throw CentralOpenError(.system, address, "\(error)")
        }
    }

    private static func code(_ code: SerialPortError.Code) -> CentralOpenError.Code {
        switch code {
        case .notFound: .notFound
        case .accessDenied: .accessDenied
        case .busy: .busy
        case .unsupported, .noSerialPort: .unsupported
        default: .system
        }
    }
}
