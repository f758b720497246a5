public import BLECentral
import SerialNetwork
import SerialPOSIX
public import SerialPort

/// The byte streams of H4 controllers.
public enum H4Port {
    /// Opens the stream at `place`.
    ///
    /// - Throws: ``BLECentral/CentralOpenError``.
    public static func open(_ place: H4Address) async throws(CentralOpenError) -> any SerialPort {
        let address = CentralAddress.h4(place)
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
