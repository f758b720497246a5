public import BLECore
public import BLEPeripheral
public import Bench
import BenchExecutor
public import ESPImage
import VirtualBoard

/// The bench without hardware: boards, and centrals with espbench's own host, on one radio and one clock.
public enum VirtualBench {
    /// The bench whose board is a virtual ESP32, which runs images that are sealed with `key`.
    ///
    /// Its boards can be flashed in advance: one board is flashed through its bootloader, and the others get a copy of
    /// its flash.
    ///
    /// - Parameter macAddress: the MAC address of the first board, from which its addresses on the air follow; `nil`:
    ///   the usual one.
    public static func kind(key: HostProgramKey, macAddress: [UInt8]? = nil) -> BenchKind {
        let processors = Processors()
        return BenchKind(name: "virtual", pace: .virtual, boardLimit: nil) { seed, executor in
            try await bench(
                key: key, [(BenchBoard.onlyName, nil)], seed: seed, macAddress: macAddress, processors, executor)
        } flashed: { images, executor in
            // Boards with the same sketch are flashed once.
            var flashed: [FlashLayout: FlashContents?] = [:]
            for layout in images.map(\.layout) where flashed[layout] == nil {
                let air = VirtualAir(seed: 0, executor)
                let model = try SketchBoard(key: key, flash: nil, seed: 0, processors, on: air)
                try await model.flash(layout) { _ in }
                flashed[layout] = await model.flashContents
            }
            let boards = images.map { ($0.name, flashed[$0.layout] ?? nil) }
            return { seed, executor in
                try await bench(key: key, boards, seed: seed, macAddress: macAddress, processors, executor)
            }
        }
    }

    /// The bench whose board is a peripheral written in Swift. The board has power and a reset, and stores its bonds,
    /// but has no console, flash or buttons.
    ///
    /// - Parameters:
    ///   - behaviour: the peripheral's behaviour where the specification leaves a choice, and its violations of the
    ///     specification.
    ///   - definition: makes the peripheral; called again whenever the board is switched on or reset, so that state
    ///     shared by the handlers is new.
    public static func kind(
        _ behaviour: HostBehaviour = .specification,
        peripheral definition: @escaping @Sendable () -> PeripheralDefinition
    ) -> BenchKind {
        BenchKind(name: "virtual", pace: .virtual) { seed, executor in
            let air = VirtualAir(seed: seed, executor)
            let board = PeripheralBoard(behaviour, on: air, definition)
            return await air.bench(with: [
                BenchBoard(name: BenchBoard.onlyName, board: board, storage: board)
            ])
        }
    }

    private static func bench(
        key: HostProgramKey, _ boards: [(name: String, flash: FlashContents?)], seed: UInt64,
        macAddress: [UInt8]?, _ processors: Processors, _ executor: BenchExecutor
    ) async throws -> Bench {
        let air = VirtualAir(seed: seed, executor)
        var placed: [BenchBoard] = []
        for (index, (name, flash)) in boards.enumerated() {
            let board = try SketchBoard(
                BoardID(index: index), key: key, flash: flash, seed: seed,
                macAddress: index == 0 ? macAddress : nil, processors, on: air)
            await board.observe()
            placed.append(BenchBoard(name: name, board: board, storage: board, instruments: board, world: board))
        }
        return await air.bench(with: placed)
    }
}
