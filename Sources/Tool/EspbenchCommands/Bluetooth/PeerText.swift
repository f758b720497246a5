internal import BLECore
internal import BLECentral
import BenchModel

/// A peer in a line.
enum PeerText {
    /// Its address, name and strength.
    static func line(_ advertisement: Advertisement) -> String {
        let name = advertisement.data.localName.map { "  \($0.printable)" } ?? ""
        return "\(advertisement.peer)\(name)  \(advertisement.rssi) dBm"
    }
}
