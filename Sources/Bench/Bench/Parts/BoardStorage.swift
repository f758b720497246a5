public import BLECore

/// What the firmware stores, read and changed behind its back.
public protocol BoardStorage: Actor {
    /// Erases everything that the firmware keeps. The board has no power.
    func eraseNVS() async throws

    /// The identity addresses of the centrals that the board has bonds with, the oldest first.
    func bonds() async throws -> [DeviceAddress]

    /// Deletes the board's bond with a central, or all bonds.
    func forgetBonds(with peer: DeviceAddress?) async throws
}
