public import BLECore
import BLEHost
public import BLERadio
import BenchExecutor
import MonotonicTime

/// The board's bonds, for tests and benches.
extension VirtualBoard {
    /// The identity addresses of bonded peers, oldest first.
    public var bonds: [DeviceAddress] {
        if let bluetooth = application?.bluetooth, bluetooth.host.isReady { return bluetooth.host.bonds.map(\.peer) }
        return storedBonds?.bonds.map(\.peer) ?? []
    }

    /// The bonds in storage, while no NimBLE host uses it.
    private var storedBonds: NimBLEBondStore? {
        let store = NimBLEBondStore(storage)
        do {
            try store.loadAll(now: executor.now)
            return store
        } catch {
            return nil
        }
    }

    /// Deletes the bond of a peer, or all bonds, without notifying sketch or peer; links remain. A host in the firmware
    /// has its bonds in memory, too, and deletes them itself: this takes the time of the host's writes to the flash.
    ///
    /// - Throws: `CancellationError`, when the task is cancelled while the firmware's host deletes bonds;
    ///   ``BondsNotForgotten`` when the host does not delete them.
    public func forgetBonds(with peer: DeviceAddress?) async throws {
        if let application, application.hci.isRunning {
            let former = application.hci.forgettings
            application.hci.forgetBonds(with: peer, now: executor.now)
            processPendingWork()
            let deadline = executor.now.advanced(by: BondsNotForgotten.limit)
            while self.application === application, application.hci.isRunning {
                if application.hci.forgettings > former { return }
                guard executor.now < deadline else { throw BondsNotForgotten() }
                try await BenchClock(executor).sleep(for: Self.forgettingPoll)
            }
        }
        forgetStoredBonds(with: peer)
    }

    /// The interval at which the board checks whether the firmware's host has deleted its bonds.
    private static let forgettingPoll = Duration.milliseconds(1)

    private func forgetStoredBonds(with peer: DeviceAddress?) {
        if let bluetooth = application?.bluetooth, bluetooth.host.isReady {
            bluetooth.forgetBonds(with: peer, now: executor.now)
        } else if let store = storedBonds {
            store.forget(peer, now: executor.now)
            // Without power the flash is written at once, as by a flasher.
            try? storage.completeOperations()
        }
        // The writes are complete when this function returns, like a flasher's.
        try? storage.completeOperations()
    }

    /// The board's current controller, while a sketch runs; a new one after each boot.
    public var controller: ControllerID? { application?.port.id }

    /// True if the last advertisement of the board's firmware came from this address, public or random.
    public func advertises(from address: DeviceAddress) -> Bool {
        guard let controller else { return false }
        return radio.assumeIsolated { $0.advertises(controller, from: address) }
    }
}

/// A host in the firmware was asked to delete bonds, and did not.
public struct BondsNotForgotten: Error, CustomStringConvertible {
    /// The longest wait for the host: each record takes the time of a write to the flash.
    static let limit = Duration.seconds(10)

    /// The expected and the found state.
    public var description: String {
        """
        expected the firmware's Bluetooth host to delete its bonds within 10 s, got no answer: its tasks get no \
        processor time
        """
    }
}
