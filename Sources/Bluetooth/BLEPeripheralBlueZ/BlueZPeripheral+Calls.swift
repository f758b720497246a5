import BLECentral
import BLECentralBlueZ
internal import BLECore
internal import BLEPeripheral
import BenchExecutor
internal import DBus

/// Calls and signals from bluetoothd.
extension BlueZPeripheral {
    private static let folder = "/io/espbench"

    /// Handles a method call to one of our objects; returns false if the method does not exist.
    func called(_ call: DBusMessage) -> Bool {
        guard let publication, let path = call.path, path.hasPrefix(Self.folder) else { return false }
        let bus = publication.bus
        // Only centrals with the required security may access values, not other programs on this machine.
        guard call.sender == publication.owner else {
            bus.reply(
                to: call, error: "org.freedesktop.DBus.Error.AccessDenied", "\(path) answers to bluetoothd only")
            return true
        }
        if path == Self.agentPath { return agentCalled(call) }
        do throws(CallRefusal) {
            bus.reply(to: call, try answer(ApplicationCall(call, of: publication.objects)))
        } catch {
            bus.reply(to: call, error: error.name, error.text)
        }
        return true
    }

    private func answer(_ call: ApplicationCall) throws(CallRefusal) -> [DBusValue] {
        guard let publication else { return [] }
        switch call {
        case .managedObjects: return [publication.objects.managed]
        case .advertisementProperties:
            return [(try? AdvertisementProperties.options(publication.objects.definition)) ?? .options([:])]
        case .released:
            // Only after answering the call.
            executor.post { [weak self] in
                self?.assumeIsolated { $0.lost("bluetoothd has withdrawn the advertisement", nil) }
            }
        case .read(let path, let offset, let device): return [.bytes(try read(path, offset, device))]
        case .write(let bytes, let path, let offset, let device): try write(bytes, to: path, offset, device)
        case .authorize: break
        case .startNotify(let path): subscriptionChanged(path, isOn: true)
        case .stopNotify(let path): subscriptionChanged(path, isOn: false)
        case .confirmed(let path): if publication.indicated == path { endIndication() }
        }
        return []
    }

    private func read(_ path: AttributePath, _ offset: Int, _ device: String) throws(CallRefusal) -> [UInt8] {
        let central = use(by: device)
        if offset == 0, let handlers = publication?.handlers {
            do {
                if let value = try handlers.onRead(path, central) {
                    try publication?.objects.setValue(value, of: path)
                }
            } catch {
                throw CallRefusal(error)
            }
        }
        return try publication?.objects.value(of: path, from: offset) ?? []
    }

    private func write(
        _ bytes: [UInt8], to path: AttributePath, _ offset: Int, _ device: String
    ) throws(CallRefusal) {
        guard let objects = publication?.objects, let handlers = publication?.handlers else { return }
        let former = try objects.value(of: path, from: 0)
        let value = try objects.value(writing: bytes, to: path, at: offset)
        let central = use(by: device)
        do {
            // Store the value before calling the handler, which may set another value.
            try publication?.objects.setValue(value, of: path)
            try handlers.onWrite(value, path, central)
        } catch {
            try? publication?.objects.setValue(former, of: path)
            throw CallRefusal(error)
        }
    }

    private func subscriptionChanged(_ path: AttributePath, isOn: Bool) {
        guard let publication, publication.subscribed.contains(path) != isOn,
            let properties = publication.objects.definition.characteristic(at: path)?.properties
        else { return }
        if isOn {
            self.publication?.subscribed.insert(path)
        } else {
            self.publication?.subscribed.remove(path)
            if publication.indicated == path { endIndication() }
        }
        let subscription: Subscription = properties.contains(.notify) ? .notifications : .indications
        publication.handlers.onSubscribe(isOn ? subscription : .none, path, nil)
    }

    private func use(by device: String) -> RemoteCentral {
        publication?.users.insert(device)
        return Self.central(device)
    }

    /// The central behind an object's path, `/org/bluez/hci0/dev_24_0A_C4_00_01_10`.
    static func central(_ device: String) -> RemoteCentral {
        let name = BlueZCentral.name(device)
        guard name.hasPrefix("dev_") else { return RemoteCentral(name) }
        return RemoteCentral(String(name.dropFirst(4).map { $0 == "_" ? ":" : $0 }))
    }

    // MARK: Pairing

    private func agentCalled(_ call: DBusMessage) -> Bool {
        guard let publication, let request = AgentRequest(call) else { return false }
        let (bus, handlers) = (publication.bus, publication.handlers)
        switch request {
        case .input(let device, let input):
            switch AgentRequest.reply(handlers.onPairingInput(input, Self.central(device)), to: input) {
            case .success(let body): bus.reply(to: call, body)
            case .failure(let refusal): bus.reply(to: call, error: refusal.name, "the pairing was refused")
            case nil: bus.reply(to: call, error: BlueZ.Fault.rejected, "there is no answer to \(input)")
            }
        case .displayed(let device, let passkey):
            bus.reply(to: call, [])
            guard publication.passkeys[device] != passkey else { return true }
            self.publication?.passkeys[device] = passkey
            handlers.onEvent(.passkeyDisplayed(passkey, Self.central(device)))
        case .authorization where call.member == "RequestAuthorization": bus.reply(to: call, [])
        case .authorization, .unsupported:
            // Requests of BR/EDR services, and PIN codes.
            bus.reply(to: call, error: BlueZ.Fault.rejected, "espbench is a peripheral with LE only")
        case .cancelled, .released:
            self.publication?.passkeys = [:]
            bus.reply(to: call, [])
        }
        return true
    }

    // MARK: Signals

    /// Handles a signal of the bus.
    func received(_ signal: DBusMessage) {
        if signal.member == "NameOwnerChanged" { return ownerChanged(signal) }
        guard let publication else {
            // While the adapter is being chosen.
            _ = tree.receive(signal)
            return
        }
        guard signal.sender == publication.owner else { return }
        for change in tree.receive(signal) { handle(change, publication) }
    }

    private func ownerChanged(_ signal: DBusMessage) {
        guard signal.body.count == 3, signal.body[0].text == BlueZ.service, signal.body[1].text == publication?.owner
        else { return }
        lost("bluetoothd has ended: \(BlueZ.service) has left the bus", .service)
    }

    private func handle(_ change: ObjectTree.Change, _ publication: Publication) {
        let name = BlueZCentral.name(publication.adapter)
        switch change {
        case .removed(publication.adapter, BlueZ.adapter): lost("the adapter \(name) was removed", .adapter)
        case .changed(publication.adapter, BlueZ.adapter, let properties):
            if properties.contains("Powered"), Adapter(tree, publication.adapter)?.isPowered == false {
                lost("the adapter \(name) was powered off or unplugged", .power)
            }
        case .added(let path, BlueZ.device): connectionChanged(path, publication, isNew: true)
        case .changed(let path, BlueZ.device, let properties) where properties.contains("Connected"):
            connectionChanged(path, publication)
        default: break
        }
    }

    private func connectionChanged(_ path: String, _ publication: Publication, isNew: Bool = false) {
        guard path.hasPrefix(publication.adapter + "/"), let device = Device(tree, path) else { return }
        if device.isConnected {
            publication.handlers.onEvent(.connected(Self.central(path)))
        } else if !isNew {
            self.publication?.passkeys[path] = nil
            // As far as known, no central is left to confirm.
            endIndication()
            publication.handlers.onEvent(.disconnected(Self.central(path)))
        }
    }
}
