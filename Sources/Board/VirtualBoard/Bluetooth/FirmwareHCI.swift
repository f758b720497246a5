import BLECore
import BLEPackets
import BLERadio
internal import CFirmwareChannel
import MonotonicTime

/// The HCI transport between a Bluetooth host in the firmware, such as the user's NimBLE-Arduino, and the board's
/// controller (`CFC_HCI_OPEN`): the board passes packets on and has no host of its own.
final class FirmwareHCI {
    private let runtime: FirmwareRuntime
    private let address: DeviceAddress
    /// The number of controller resets that are not answered yet.
    private var openResets = 0
    /// The number of these answers that belong to a former host or to the board's reset: the firmware gets only later
    /// packets.
    private var resetsBeforeFirst = 0
    private var output: [HCIPacket] = []
    /// True if the firmware has, or had, a host: the board then has none of its own.
    private(set) var isOpen = false
    /// True if the firmware's host runs: it has read its bonds from storage, and now uses its copy in memory.
    private(set) var isRunning = false
    /// The number of times that the firmware's host has deleted bonds for ``forgetBonds(with:now:)``.
    private(set) var forgettings = 0
    /// The kind of controller that the last host was built for, since the last call of ``drainPersonality()``.
    private var personality: ControllerPersonality?

    /// - Parameter address: the controller's public address.
    init(runtime: FirmwareRuntime, address: DeviceAddress) {
        self.runtime = runtime
        self.address = address
    }

    /// Handles a message of the firmware; returns false if the message does not belong to HCI.
    func handle(_ message: FirmwareMessage) -> Bool {
        switch message.type {
        case CFC_HCI_OPEN:
            // For the first host the controller is in its initial state.
            if isOpen {
                send(HCIReset().packet)
                resetsBeforeFirst = openResets
            }
            isOpen = true
            isRunning = false
            personality = Self.personality(message.fields(cfc_hci_open.self)?.chip_id ?? Self.esp32)
            runtime.reply(withBytes(of: cfc_address(address)))
        case CFC_HCI_SEND:
            guard isOpen, let type = message.payload.first, let kind = HCIPacket.Kind(rawValue: type) else { break }
            // A host first sets up its store, then sends HCI_Reset.
            isRunning = true
            send(HCIPacket(kind, Array(message.payload.dropFirst())))
        case CFC_HCI_CLOSE: isRunning = false
        case CFC_BONDS_FORGOTTEN: forgettings += 1
        default: return false
        }
        return true
    }

    /// `esp_chip_id_t` of the ESP32.
    private static let esp32: UInt16 = 0

    /// The ESP32 has Bluetooth 4.2, the chips after it have Bluetooth 5 with extended advertising.
    private static func personality(_ chip: UInt16) -> ControllerPersonality { chip == esp32 ? .esp32 : .extended }

    /// Removes and returns the kind of controller that a host has asked for, if one has.
    func drainPersonality() -> ControllerPersonality? {
        defer { personality = nil }
        return personality
    }

    /// Passes a packet of the controller to the firmware.
    func receive(_ packet: HCIPacket, now: MonotonicInstant) {
        let isBeforeFirst = resetsBeforeFirst > 0
        if openResets > 0, isResetAnswer(packet) {
            openResets -= 1
            resetsBeforeFirst = max(0, resetsBeforeFirst - 1)
        }
        guard !isBeforeFirst else { return }
        runtime.send(CFC_HCI_PACKET, bytes: packet.h4[...], now: now)
    }

    /// Has the firmware's host delete the bonds of a peer, or all (`nil`).
    func forgetBonds(with peer: DeviceAddress?, now: MonotonicInstant) {
        if let peer {
            runtime.send(CFC_FORGET_BONDS, cfc_address(peer), now: now)
        } else {
            runtime.send(CFC_FORGET_BONDS, bytes: [], now: now)
        }
    }

    private func send(_ packet: HCIPacket) {
        if packet.bytes.starts(with: HCIReset().packet.bytes), packet.kind == .command { openResets += 1 }
        output.append(packet)
    }

    private func isResetAnswer(_ packet: HCIPacket) -> Bool {
        guard packet.kind == .event, let event = try? HCIAnyEvent(decoding: packet.bytes[...]),
            event.code == .commandComplete, let answer = try? HCICommandComplete(event)
        else { return false }
        return answer.command == HCIReset.opcode
    }

    /// The next packet for the controller; `nil` if there is none.
    func nextOutput() -> HCIPacket? {
        output.isEmpty ? nil : output.removeFirst()
    }
}
