import BLECentral
public import BLECore
public import Bench
import BenchExecutor
import BenchModel
public import ESPFlasher
public import ESPImage
import BLEHost
import VirtualBoard

extension VirtualBench: Board {
    /// The board, and the centrals, can do everything.
    public nonisolated var abilities: Set<BenchAbility> {
        let board: Set<BenchAbility> = [
            .power, .reset, .flash, .console, .buttons, .servo, .centralAddresses,
        ]
        return board.union(CentralAbility.allCases.map(BenchAbility.central))
    }

    /// Powers the board, writes `layout` through its serial bootloader, verifies it, and switches the board off again.
    ///
    /// - Throws: `FlasherError` or `SerialPortError`.
    public func flash(_ layout: FlashLayout, progress: @escaping @Sendable (FlashProgress) -> Void) async throws {
        await listen()
        let port = try await board.line.open()
        await board.powerOn()
        let flasher = Flasher(port: port, clock: BenchClock(executor))
        try await flasher.connect()
        let found = try await flasher.identify()
        try await flasher.changeBaudRate(to: 921_600, of: found)
        try await flasher.write(layout, to: found, progress: progress)
        await port.close()
        for region in layout.regions {
            post(FlashWritten(count: region.bytes.count, address: Int(region.offset)))
        }
        try await setPower(false)
    }

    /// Makes the board as it was.
    public func restore() async throws {
        cut = nil
        if eavesdropper != nil { eavesdropper = PasskeyEavesdropper() }
        await observeRadio()
        await board.releaseAllButtons()
        try await board.eraseNVS()
    }

    /// Switches the board's supply.
    public func setPower(_ isOn: Bool) async throws {
        if isOn { await board.powerOn() } else { try await board.powerOff() }
    }

    /// Switches the board's supply off at once.
    public func cutPower() throws {
        try board.assumeIsolated { try $0.powerOff() }
    }

    /// Pulls EN low and lets it go.
    public func reset() async {
        await board.reset()
    }

    /// Types into the board's console.
    public func type(_ bytes: [UInt8]) async {
        await board.type(bytes)
    }

    /// Presses or releases a button.
    public func setButton(pin: Int, isPressed: Bool) async {
        if isPressed { await board.pressButton(pin: pin) } else { await board.releaseButton(pin: pin) }
    }
}

extension VirtualBench: BoardStorage {
    /// Erases what the firmware keeps.
    public func eraseNVS() async throws {
        try await board.eraseNVS()
    }

    /// With whom the board has bonds.
    public func bonds() async -> [DeviceAddress] {
        await board.bonds
    }

    /// Deletes bonds of the board.
    public func forgetBonds(with peer: DeviceAddress?) async {
        await board.forgetBonds(with: peer)
    }
}
