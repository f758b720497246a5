import Glibc

/// A socket of Linux's Bluetooth subsystem.
final class BluetoothSocket: Sendable {
    /// The traffic of a socket (HCI_CHANNEL_RAW, HCI_CHANNEL_MONITOR and HCI_CHANNEL_CONTROL of Linux).
    enum Channel: UInt16 {
        case raw = 0
        case monitor = 2
        case control = 3
    }

    /// BTPROTO_HCI of Linux.
    private static let hciProtocol: Int32 = 1
    /// In bytes; longer than any packet.
    private static let packetSize = 4096

    /// `struct sockaddr_hci` of Linux.
    private struct Address {
        var family = sa_family_t(AF_BLUETOOTH)
        var device: UInt16
        var channel: UInt16
    }

    let descriptor: Int32

    /// HCI_DEV_NONE.
    static let noController: UInt16 = 0xFFFF

    /// Opens a socket of one controller, or of none; `nil` if the kernel has no Bluetooth, or without the permission
    /// for the channel.
    init?(_ channel: Channel, of controller: UInt16 = noController) {
        let type = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_BLUETOOTH, type, Self.hciProtocol)
        guard descriptor >= 0 else { return nil }
        var address = Address(device: controller, channel: channel.rawValue)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        // `deinit` closes it.
        guard status == 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// Sends a packet; returns whether the kernel has accepted it.
    func send(_ bytes: [UInt8]) -> Bool {
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// The next packet; `nil` if there is none.
    func receive() -> [UInt8]? {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.packetSize) { buffer, size in
            repeat {
                count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            } while count < 0 && errno == EINTR
            size = max(0, count)
        }
        return count > 0 ? bytes : nil
    }
}
