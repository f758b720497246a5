internal import BLECore
package import BLECentral

/// The peers heard by a scan, in the order of their first advertisement. A pure state machine.
package struct ScanList: Sendable {
    /// The most peers that are kept: private addresses change all the time.
    static let limit = 10_000

    /// The latest advertisement of each.
    package private(set) var records: [ScanRecord] = []
    private var places: [PeerID: Int] = [:]
    private let nameFilter: String?

    /// A list of the peers whose name contains `name`, in upper or lower case; `nil`: of all.
    package init(name: String? = nil) {
        nameFilter = name?.lowercased()
    }

    /// Handles an advertisement.
    ///
    /// - Returns: its record, unless the filter drops it or the list is full.
    package mutating func receive(_ advertisement: Advertisement) -> ScanRecord? {
        if let nameFilter {
            guard let name = advertisement.data.localName, name.lowercased().contains(nameFilter) else { return nil }
        }
        let record = ScanRecord(advertisement)
        if let place = places[advertisement.peer] {
            records[place] = record
            return record
        }
        guard records.count < Self.limit else { return nil }
        places[advertisement.peer] = records.count
        records.append(record)
        return record
    }
}
