import BLECore
import BLEHost
import BLEPackets
import CFirmwareChannel
import ESPImage
import MonotonicTime

/// Joins a sketch's NimBLE calls and callbacks (messages of the firmware channel) with the board's host and GATT
/// server: the board's Bluetooth.
///
/// A machine without clock or radio: the owner passes packets and time, and sends every ``nextOutput()``.
final class NimBLEBridge {
    /// The handle of the GAP service's device name, in NimBLE's layout.
    private static let deviceNameHandle: UInt16 = 3
    /// Of more events that wait for a callback, PDUs are dropped, as ``GATTServer`` drops them.
    private static let maximumWaitingCount = 128

    let runtime: FirmwareRuntime
    let host = Host(configuration: .nimble)
    let store: NimBLEBondStore
    /// `nil` until the sketch has registered its services.
    var server: GATTServer?
    var deviceName = ""
    var preferredMTU = 255
    var isStarting = false
    /// Which of the sketch's callbacks are there, by attribute handle.
    var callbacks: [UInt16: Int] = [:]
    /// The links as the sketch's host core knows them.
    var told: [ConnectionInfo] = []
    /// The callback that the server waits for.
    private var pendingToken: GATTCallbackToken?
    private var tokenNumber: UInt32 = 0
    /// What has happened on the air and the sketch has not heard of, oldest first.
    private var waitingEvents: [HostEvent] = []
    /// The time of the last call.
    private(set) var now = MonotonicInstant.zero

    init(runtime: FirmwareRuntime, storage: BoardStorage) {
        self.runtime = runtime
        store = NimBLEBondStore(storage)
        host.keepsEndedLinks = true
    }

    // MARK: Owner's side

    /// Takes a packet from the controller.
    func receive(_ packet: HCIPacket, now: MonotonicInstant) {
        self.now = now
        host.receive(packet, now: now)
        pump(now)
    }

    /// When ``advance(to:)`` is next needed.
    var nextDeadline: MonotonicInstant? {
        switch (host.nextDeadline, server?.nextDeadline) {
        case (let first?, let second?): min(first, second)
        case (let first, let second): first ?? second
        }
    }

    /// Does what is due at `now`.
    func advance(to now: MonotonicInstant) {
        self.now = now
        host.advance(to: now)
        server?.advance(to: now)
        pump(now)
    }

    /// The next packet for the controller.
    func nextOutput() -> HCIPacket? { host.nextOutput() }

    private func pump(_ now: MonotonicInstant) {
        var hasWorked = true
        while hasWorked {
            hasWorked = false
            collectEvents()
            while let event = waitingEvents.first, server?.isInCallback != true || event.isAttributePDU {
                hasWorked = true
                waitingEvents.removeFirst()
                take(event, now)
                collectEvents()
            }
            while let action = server?.nextAction() {
                hasWorked = true
                perform(action, now)
            }
        }
    }

    /// Carries out at once what has become of bonds, and lets the other events wait in order: NimBLE's one task takes
    /// them when the sketch has returned from its callback, in which it may have removed a bond that one of them is about.
    func collectEvents() {
        while let event = host.nextEvent() {
            switch event {
            case .bondRemoved, .bondsChanged, .identityKeyMade, .synchronized, .failed: take(event, now)
            case .attributePDU where waitingEvents.count >= Self.maximumWaitingCount: break
            default: waitingEvents.append(event)
            }
        }
    }

    // MARK: The sketch's calls

    /// Carries out what the sketch asks for. Returns false when the message is not Bluetooth's.
    func take(_ message: FirmwareMessage, now: MonotonicInstant) -> Bool {
        self.now = now
        switch message.type {
        case CFC_BLE_INIT: start(now)
        case CFC_BLE_DEINIT:
            for connection in host.connections { try? host.disconnect(connection.handle, now: now) }
            if host.isReady { try? host.stopAdvertising(now: now) }
            runtime.reply()
        case CFC_BLE_NAME:
            deviceName = String(decoding: message.payload, as: UTF8.self)
            server?.setValue(message.payload, of: Self.deviceNameHandle)
        case CFC_BLE_PREFERRED_MTU:
            guard let number = message.fields(cfc_number.self), (23...527).contains(number.value) else { break }
            preferredMTU = Int(number.value)
            server?.setPreferredMTU(preferredMTU)
        case CFC_GATT_REGISTER: register(message, now)
        case CFC_GATT_CALLBACKS:
            guard let fields = message.fields(cfc_gatt_callbacks.self) else { break }
            callbacks[fields.attribute] = Int(fields.mask)
            server?.setHasCallbacks(fields.mask != 0, of: fields.attribute)
        case CFC_GATT_VALUE:
            guard let fields = message.fields(cfc_gatt_value.self) else { break }
            server?.setValue(Array(message.tail(after: cfc_gatt_value.self)), of: fields.attribute)
        case CFC_GATT_NOTIFY: notify(message, now)
        case CFC_CALLBACK_DONE:
            guard let fields = message.fields(cfc_callback_done.self), fields.token == tokenNumber,
                let token = pendingToken
            else { break }
            pendingToken = nil
            server?.resume(token, now: now)
        default:
            guard takeConnectionCall(message, now) || takeSecurityCall(message, now) else { return false }
        }
        pump(now)
        return true
    }

    private func start(_ now: MonotonicInstant) {
        do throws(NVSError) {
            // NimBLE-Arduino starts no host without storage.
            try store.load(now: now)
        } catch {
            return runtime.reply(status: NimBLEStatus.controller)
        }
        isStarting = true
        host.setBonds(store.bonds)
        host.setIdentityKey(store.identityKey)
        host.start(now: now)
    }

    // MARK: Callbacks

    /// The number under which the sketch confirms a callback that the server waits for; 0 when it does not wait.
    func wait(for token: GATTCallbackToken?) -> UInt32 {
        guard let token else { return 0 }
        pendingToken = token
        tokenNumber = max(1, tokenNumber &+ 1)
        return tokenNumber
    }

    /// Tells the sketch of an event of a connection. `security`: how it is protected, where `info` is from before.
    func send(
        _ type: Int, _ info: ConnectionInfo, security: LinkSecurity? = nil, value: Int32 = 0, detail: Int = 0,
        token: UInt32 = 0, _ now: MonotonicInstant
    ) {
        if let place = told.firstIndex(where: { $0.handle == info.handle }) { told[place] = info }
        let event = cfc_connection_event(
            token: token, value: value,
            connection: cfc_connection(info, security ?? info.security, mtu: server?.mtu(of: info.handle)),
            detail: UInt32(detail))
        runtime.send(type, event, now: now)
    }

    /// Sees to it that the sketch knows how a connection is protected: a write may come before the keys are exchanged,
    /// which is when NimBLE calls it authenticated.
    func tellLinkState(_ handle: UInt16, _ now: MonotonicInstant) {
        guard let info = host.connection(handle), let place = told.firstIndex(where: { $0.handle == handle }),
            told[place].security != info.security || told[place].identity != info.identity
        else { return }
        send(CFC_BLE_LINK_STATE, info, now)
    }
}

extension HostEvent {
    /// Whether the server puts it in order itself.
    fileprivate var isAttributePDU: Bool {
        if case .attributePDU = self { true } else { false }
    }
}
