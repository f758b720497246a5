public import BLECore

/// What the firmware stores, read and changed behind its back.
public protocol BoardStorage: Actor {
    /// What it can do: ``BenchAbility/boardStorage``, ``BenchAbility/storageErase``.
    nonisolated var storageAbilities: Set<BenchAbility> { get }

    /// Erases everything that the firmware keeps. The board has no power.
    func eraseNVS() async throws

    /// The identity addresses of the centrals that the board has bonds with, the oldest first.
    func bonds() async throws -> [DeviceAddress]

    /// Deletes the board's bond with a central, or all bonds.
    func forgetBonds(with peer: DeviceAddress?) async throws
}

extension BoardStorage {
    /// Both.
    public nonisolated var storageAbilities: Set<BenchAbility> { [.boardStorage, .storageErase] }

    /// Throws ``UnsupportedByBench``.
    public func bonds() async throws -> [DeviceAddress] { throw UnsupportedByBench(.boardStorage) }

    /// Throws ``UnsupportedByBench``.
    public func forgetBonds(with peer: DeviceAddress?) async throws { throw UnsupportedByBench(.boardStorage) }
}
