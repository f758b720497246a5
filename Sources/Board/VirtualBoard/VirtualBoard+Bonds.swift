public import BLECore
import BLEHost
public import BLERadio
import BenchExecutor

/// The board's bonds, for whoever tests what becomes of them.
extension VirtualBoard {
    /// The identity addresses of the peers that the board has keys of, oldest first.
    public var bonds: [DeviceAddress] {
        if let bluetooth = application?.bluetooth, bluetooth.host.isReady { return bluetooth.host.bonds.map(\.peer) }
        return storedBonds?.bonds.map(\.peer) ?? []
    }

    /// What the storage holds while no host of NimBLE's has it.
    private var storedBonds: NimBLEBondStore? {
        let store = NimBLEBondStore(storage)
        do {
            try store.loadAll(now: executor.now)
            return store
        } catch {
            return nil
        }
    }

    /// Loses the keys of a peer, or of all; the sketch and the peer are not told.
    public func forgetBonds(with peer: DeviceAddress?) {
        if let bluetooth = application?.bluetooth, bluetooth.host.isReady {
            bluetooth.forgetBonds(with: peer, now: executor.now)
        } else if let store = storedBonds {
            store.forget(peer, now: executor.now)
            // Without power the chip is written by a flasher, at once.
            try? storage.settle()
        }
        // As a flasher's, this is done when it returns.
        try? storage.settle()
    }

    /// The controller that the board has now, while a sketch runs; another one after each boot.
    public var controller: ControllerID? { application?.port.id }
}
