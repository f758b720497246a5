/// A device cannot be used.
package enum StationError: Error, Equatable, CustomStringConvertible {
    /// It is not plugged in.
    case unplugged(String)
    /// Another host uses it.
    case busy(String)
    /// There is no such device.
    case unknown(String)

    /// One line.
    package var description: String {
        switch self {
        case .unplugged(let id): "device \(id) is not plugged in"
        case .busy(let id): "device \(id) is in use by another host"
        case .unknown(let id): "there is no device \(id)"
        }
    }
}
