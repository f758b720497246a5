internal import BLECentral
internal import BLECore
internal import BenchExecutor
internal import DBus

/// The reasons of disconnections, and which peers accept no connections, from the kernel's management socket: bluetoothd
/// hides both.
extension BlueZCentral {
    /// Begins to receive the kernel's events, if it is permitted.
    func watchManagement() {
        guard let management, managementWatch == nil else { return }
        readManagement()
        managementWatch = executor.watch(management.descriptor, for: .input) { [weak self] in
            self?.assumeIsolated { $0.readManagement() }
        }
    }

    /// Stops receiving the kernel's events.
    func unwatchManagement() {
        if let managementWatch { executor.unwatch(managementWatch) }
        managementWatch = nil
    }

    private func readManagement() {
        while let packet = management?.receive() {
            // Malformed events and events of other controllers are ignored.
            guard let session, session.controller == packet.controller else { continue }
            if let answer = try? GetConnectionInformation.answer(packet) { received(answer, session.adapter) }
            if let event = try? DeviceFound(packet) { connectability.receive(event, at: executor.now) }
            guard let event = try? DeviceDisconnected(packet) else { continue }
            reasons.receive(event, of: Device.path(event.address, on: session.adapter))
        }
    }

    /// False if the kernel has reported that a peer accepts no connections. The kernel reports a peer before
    /// bluetoothd, which hides this property.
    func isConnectable(_ address: DeviceAddress) -> Bool {
        readManagement()
        return connectability.isConnectable(address)
    }

    /// The reason for the end of a connection to a device, the earliest if there are several; `nil` if unknown.
    func takeReason(_ path: String) -> UInt8? {
        readManagement()
        return reasons.take(path)
    }

    /// Forgets the reasons of earlier connections.
    func forgetReasons(_ path: String) {
        readManagement()
        reasons.forget(path)
    }
}
