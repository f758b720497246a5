internal import BLECentral
internal import BenchExecutor
internal import DBus

/// The reasons of disconnections, which bluetoothd hides, from the kernel's management socket.
extension BlueZCentral {
    /// Begins to receive the kernel's events, if it is permitted.
    func watchManagement() {
        guard let management, managementWatch == nil else { return }
        readManagement()
        managementWatch = executor.watch(management.descriptor, for: .input) { [weak self] in
            self?.assumeIsolated { $0.readManagement() }
        }
    }

    /// Ends it.
    func unwatchManagement() {
        if let managementWatch { executor.unwatch(managementWatch) }
        managementWatch = nil
    }

    private func readManagement() {
        while let packet = management?.receive() {
            // Malformed ones, and those of other controllers, do not matter.
            guard let session, Self.name(session.adapter) == "hci\(packet.controller)" else { continue }
            if let answer = try? GetConnectionInformation.answer(packet) { received(answer, session.adapter) }
            guard let event = try? DeviceDisconnected(packet) else { continue }
            reasons.receive(event, of: Device.path(event.address, on: session.adapter))
        }
    }

    /// The reason with which a connection to a device ended; of several, that of the first. `nil` if it is not known.
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
