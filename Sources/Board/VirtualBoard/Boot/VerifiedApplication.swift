import ESPImage
import Synchronization

/// The application last started from a flash and its copies. Benches are made from one flash, and each case restarts its
/// board: verifying an unchanged image again would take longer than the rest of the start.
final class VerifiedApplication: Sendable {
    private struct Known {
        let partition: Partition
        let key: HostProgramKey
        /// The sectors of the partition. They are kept, so that equal addresses mean equal contents.
        let sectors: ArraySlice<[UInt8]>
        let application: BootedApplication
    }

    private let known = Mutex<Known?>(nil)

    /// The application in `partition` of `contents`, if that has not changed since it was verified with `key`.
    func application(
        in partition: Partition, of contents: FlashContents, key: HostProgramKey
    ) -> BootedApplication? {
        guard let known = known.withLock({ $0 }), known.partition == partition, known.key == key,
            let sectors = contents.sectors(of: partition), sectors.count == known.sectors.count,
            zip(sectors, known.sectors).allSatisfy(Self.areSame)
        else { return nil }
        return known.application
    }

    /// Remembers an application that has been verified.
    func remember(
        _ application: BootedApplication, in partition: Partition, of contents: FlashContents, key: HostProgramKey
    ) {
        guard let sectors = contents.sectors(of: partition) else { return }
        known.withLock {
            $0 = Known(partition: partition, key: key, sectors: sectors, application: application)
        }
    }

    /// True if both are the same storage; false for equal bytes in different storage.
    private static func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.withUnsafeBufferPointer(\.baseAddress) == other.withUnsafeBufferPointer(\.baseAddress)
    }
}

extension FlashContents {
    /// The sectors of a partition; `nil` if it is not in the flash.
    fileprivate func sectors(of partition: Partition) -> ArraySlice<[UInt8]>? {
        let first = Int(partition.offset) / NORFlash.sectorSize
        let end = (Int(partition.offset) + Int(partition.size) + NORFlash.sectorSize - 1) / NORFlash.sectorSize
        return end <= sectors.count ? sectors[first..<end] : nil
    }
}
