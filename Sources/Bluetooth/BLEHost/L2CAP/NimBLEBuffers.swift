internal import BLEPackets

/// The buffers of NimBLE's pool ("MSYS 1"), used for values, notifications, indications and prepared writes.
///
/// A notification uses one or more buffers for its value (`ble_hs_mbuf_from_flat`) and one for its headers
/// (`ble_att_cmd_get`). They are freed when the notification is passed to the controller (`ble_hci_trans_hs_acl_tx`). A
/// response uses the buffer of its request, from another pool (`ble_att_svr_pkt`).
package struct NimBLEBuffers: Hashable, Sendable {
    /// `MYNEWT_VAL_MSYS_1_BLOCK_COUNT`
    package var count = 12
    /// `MYNEWT_VAL_MSYS_1_BLOCK_SIZE`, in bytes.
    package var size = 256

    /// `struct os_mbuf` on a 32-bit chip.
    private static let bufferHeader = 16
    /// `struct os_mbuf_pkthdr`, in the first buffer of a packet.
    private static let packetHeader = 8
    /// The space that `ble_hs_mbuf_att_pkt` reserves for the headers of HCI, L2CAP and ATT.
    private static let leadingSpace = 4 + 4 + 5

    /// The pool of the library's default configuration.
    package init() {}

    /// The buffers of a pool of this size.
    package init(count: Int, size: Int) {
        self.count = count
        self.size = size
    }

    /// The number of buffers that a notification or indication of a value uses.
    package func count(forNotificationOf length: Int) -> Int {
        let room = max(1, size - Self.bufferHeader)
        let first = max(0, room - Self.packetHeader - Self.leadingSpace)
        return 2 + (max(0, length - first) + room - 1) / room
    }

    /// The number of buffers that a PDU of NimBLE's host uses while it waits for the controller.
    func count(forQueued pdu: ArraySlice<UInt8>, on channel: L2CAPChannelID) -> Int {
        guard channel == .attribute else { return 1 }
        return switch pdu.first.map(ATTOpcode.init(rawValue:)) {
        case .handleValueNotification, .handleValueIndication: count(forNotificationOf: pdu.count - 3)
        case .handleValueConfirmation: 1
        default: 0
        }
    }
}
