/// The part of a flash chip that holds an NVS partition: NOR flash, where programming only clears bits and erasing sets
/// all bits of a sector.
///
/// Each ``program(_:at:)`` and ``eraseSector(at:)`` is a point where a power loss can occur: the operation is then
/// incomplete or not begun, and throws.
public protocol NVSFlash {
    /// The size in bytes; a multiple of 4096.
    var size: Int { get }

    /// The `count` bytes at `offset`.
    ///
    /// - Throws: ``NVSError``: `flashOperationFailed`.
    func read(at offset: Int, count: Int) throws(NVSError) -> [UInt8]

    /// Clears, from `offset` on, the bits that are 0 in `bytes`.
    ///
    /// - Throws: ``NVSError``: `flashOperationFailed`.
    mutating func program(_ bytes: [UInt8], at offset: Int) throws(NVSError)

    /// Sets every bit of the 4096 bytes at `offset`, a multiple of 4096.
    ///
    /// - Throws: ``NVSError``: `flashOperationFailed`.
    mutating func eraseSector(at offset: Int) throws(NVSError)
}
