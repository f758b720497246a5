import BLECore
import BLEHost
internal import CFirmwareChannel
import ESPImage
import MonotonicTime

/// The persistent store of the board's NimBLE host, with NimBLE's namespace and keys: `our_sec_1` … `our_sec_3` and
/// `peer_sec_…` for bonds, `cccd_sec_…` for subscriptions and `csfc_sec_…` for client supported features, `local_irk_1`
/// for the device's own key.
///
/// As in NimBLE, each record gets the first free number, and a bond's records are written one after the other: after a
/// power loss between them the bond has only this side's key. A subscription is written only once: after a reset it has
/// its first value again (``NimBLERecordTable``).
final class NimBLEBondStore {
    private static let namespace = "nimble_bond"
    /// The library's default numbers; a sketch's build flags may change them.
    private static let defaultBonds = 3
    private static let defaultSubscriptions = 8
    private static let defaultFeatures = 3

    private let storage: BoardStorage
    private var ownKeys = NimBLERecordTable<NimBLESecurityRecord>("our_sec", count: defaultBonds)
    private var peerKeys = NimBLERecordTable<NimBLESecurityRecord>("peer_sec", count: defaultBonds)
    private var subscriptionRecords = NimBLERecordTable<StoredSubscription>("cccd_sec", count: defaultSubscriptions)
    private var featureRecords = NimBLERecordTable<StoredFeatures>("csfc_sec", count: defaultFeatures)
    private var identities = NimBLERecordTable<NimBLEIdentityRecord>("local_irk", count: 1)
    /// The time at which the host's last writes are in flash; set while the host waits for them.
    var writesCompleted: MonotonicInstant?
    /// The number of the latest bond; it only rises until the next reset.
    private var lastBondCount: UInt16 = 0

    init(_ storage: BoardStorage) {
        self.storage = storage
    }

    /// Loads the records; ignores values that are not NimBLE records.
    ///
    /// - Throws: ``NVSError`` when there is no storage.
    func load(now: MonotonicInstant) throws(NVSError) {
        try use(now) { (store, nvs, namespace) in
            store.ownKeys.load(nvs, namespace)
            store.peerKeys.load(nvs, namespace)
            store.subscriptionRecords.load(nvs, namespace)
            store.featureRecords.load(nvs, namespace)
            store.identities.load(nvs, namespace)
            store.lastBondCount = (store.ownKeys.records + store.peerKeys.records).map(\.bondCount).max() ?? 0
        }
        // The host does not wait for the creation of the namespace.
        writesCompleted = nil
    }

    /// Sets the capacity: bonds, subscriptions, and supported features of clients.
    func setRoom(bonds: Int, subscriptions: Int, features: Int) {
        ownKeys.count = bonds
        peerKeys.count = bonds
        subscriptionRecords.count = subscriptions
        featureRecords.count = features
    }

    /// Loads the records of any firmware, whatever its capacity.
    func loadAll(now: MonotonicInstant) throws(NVSError) {
        setRoom(bonds: Int(CFC_MAXIMUM_BONDS), subscriptions: Int(UInt8.max), features: Int(UInt8.max))
        try load(now: now)
    }

    /// Deletes a peer's records (`nil`: of all peers).
    func forget(_ peer: DeviceAddress?, now: MonotonicInstant) {
        save(bonds.filter { peer != nil && $0.peer != peer }, now: now)
        save(
            subscriptions.filter { peer != nil && $0.peer != peer }, features.filter { peer != nil && $0.peer != peer },
            now: now)
    }

    // MARK: Contents

    /// The capacity for subscriptions.
    var maximumSubscriptions: Int { subscriptionRecords.count }
    /// The capacity for supported features of clients.
    var maximumFeatures: Int { featureRecords.count }

    /// The bonds, oldest first.
    var bonds: [Bond] {
        var counts: [DeviceAddress: UInt16] = [:]
        var bonds: [DeviceAddress: Bond] = [:]
        for record in ownKeys.records {
            counts[record.peer] = record.bondCount
            bonds[record.peer, default: Bond(peer: record.peer)].localKey = record.key
            bonds[record.peer]?.localCSRK = record.csrk
        }
        for record in peerKeys.records {
            counts[record.peer] = counts[record.peer] ?? record.bondCount
            bonds[record.peer, default: Bond(peer: record.peer)].peerKey = record.key
            bonds[record.peer]?.peerIRK = record.irk
            bonds[record.peer]?.peerCSRK = record.csrk
        }
        return bonds.values.filter { $0.localKey != nil || $0.peerKey != nil }
            .sorted { (counts[$0.peer] ?? 0, $0.peer.value) < (counts[$1.peer] ?? 0, $1.peer.value) }
    }

    /// The stored subscriptions.
    var subscriptions: [StoredSubscription] { subscriptionRecords.records }
    /// The stored client supported features.
    var features: [StoredFeatures] { featureRecords.records }
    /// The device's own Identity Resolving Key.
    var identityKey: [UInt8]? { identities.records.first?.irk }

    // MARK: Storing

    /// Stores these bonds, in place of all others.
    func save(_ bonds: [Bond], now: MonotonicInstant) {
        let known = Dictionary((peerKeys.records + ownKeys.records).map { ($0.peer, $0.bondCount) }) { $1 }
        var own: [NimBLESecurityRecord] = []
        var peers: [NimBLESecurityRecord] = []
        for bond in bonds {
            let key = bond.localKey ?? bond.peerKey
            var record = NimBLESecurityRecord(
                peer: bond.peer, bondCount: known[bond.peer] ?? lastBondCount &+ 1,
                isAuthenticated: key?.isAuthenticated ?? false, isSecureConnections: key?.isSecureConnections ?? false)
            lastBondCount = max(lastBondCount, record.bondCount)
            record.key = bond.localKey
            record.csrk = bond.localCSRK
            if bond.localKey != nil { own.append(record) }
            record.key = bond.peerKey
            record.irk = bond.peerIRK
            record.csrk = bond.peerCSRK
            peers.append(record)
        }
        try? use(now) { (store, nvs, namespace) in
            store.ownKeys.drop(&nvs, namespace, except: own)
            store.peerKeys.drop(&nvs, namespace, except: peers)
            store.ownKeys.store(own, &nvs, namespace)
            store.peerKeys.store(peers, &nvs, namespace)
        }
    }

    /// Stores the clients' subscriptions and supported features.
    func save(_ subscriptions: [StoredSubscription], _ features: [StoredFeatures], now: MonotonicInstant) {
        try? use(now) { (store, nvs, namespace) in
            store.subscriptionRecords.drop(&nvs, namespace, except: subscriptions)
            store.featureRecords.drop(&nvs, namespace, except: features)
            store.subscriptionRecords.store(subscriptions, &nvs, namespace)
            store.featureRecords.store(features, &nvs, namespace)
        }
    }

    /// Stores the device's own key.
    func save(identityKey: [UInt8], of address: DeviceAddress, now: MonotonicInstant) {
        try? use(now) { (store, nvs, namespace) in
            store.identities.store([NimBLEIdentityRecord(address: address, irk: identityKey)], &nvs, namespace)
        }
    }

    private func use(
        _ now: MonotonicInstant,
        _ body: (NimBLEBondStore, inout NVSStorage<PartitionFlash>, NVSNamespace) -> Void
    ) throws(NVSError) {
        let former = storage.changes
        try storage.use(now: now) { (nvs) throws(NVSError) in
            body(self, &nvs, try nvs.openNamespace(Self.namespace, readOnly: false))
        }
        if storage.changes != former { writesCompleted = storage.writesCompleted }
    }
}

/// A record of NimBLE's store.
protocol NimBLERecord: Equatable {
    /// The unique key of a record in its table; a record with the same subject replaces the other.
    associatedtype Subject: Hashable
    var subject: Subject { get }
    /// True if NimBLE deletes a changed record and writes it again. Otherwise the stored record remains unchanged.
    static var isWrittenAnew: Bool { get }
    var bytes: [UInt8] { get }
    /// `nil` when the bytes are not such a record.
    init?(_ bytes: [UInt8])
}

extension NimBLERecord {
    static var isWrittenAnew: Bool { true }
}

/// The records of one kind, in the host's memory and in storage, there under the kind's name and a number from 1.
///
/// The two may differ, as in NimBLE (`ble_store_config_persist_cccds` and similar functions), which compares only the
/// counts: an added record is written, a changed one is not, and for a removed one NimBLE erases the first stored
/// record without an equal in memory, which may be a changed record.
struct NimBLERecordTable<Record: NimBLERecord> {
    private let name: String
    private var slots: [Record?]
    /// The records in memory, oldest first.
    private(set) var records: [Record] = []

    init(_ name: String, count: Int) {
        self.name = name
        slots = [Record?](repeating: nil, count: count)
    }

    /// The capacity. Stored records beyond it stay in storage and are ignored, as in NimBLE.
    var count: Int {
        get { slots.count }
        set {
            guard newValue != slots.count else { return }
            slots = Array(slots.prefix(newValue)) + [Record?](repeating: nil, count: max(0, newValue - slots.count))
            records = slots.compactMap(\.self)
        }
    }

    private func key(_ slot: Int) -> String { "\(name)_\(slot + 1)" }

    mutating func load(_ nvs: NVSStorage<PartitionFlash>, _ namespace: NVSNamespace) {
        for slot in slots.indices {
            let value = try? nvs.value(of: key(slot), type: .blob, in: namespace)
            slots[slot] = value.flatMap { Record($0.bytes) }
        }
        records = slots.compactMap(\.self)
    }

    /// Replaces the records in memory by `kept`, and erases one stored record for each that was removed.
    mutating func drop(
        _ nvs: inout NVSStorage<PartitionFlash>, _ namespace: NVSNamespace, except kept: [Record]
    ) {
        let former = records
        var remaining = kept
        records = former.compactMap { record in
            guard let place = remaining.firstIndex(where: { $0.subject == record.subject }) else { return nil }
            let now = remaining.remove(at: place)
            return now == record || !Record.isWrittenAnew ? now : nil
        }
        for _ in records.count..<former.count {
            let stale = slots.indices.first { slot in slots[slot].map { !records.contains($0) } ?? false }
            guard let stale else { return }
            try? nvs.erase(key(stale), in: namespace)
            slots[stale] = nil
        }
    }

    /// Stores new records, up to the capacity.
    mutating func store(
        _ kept: [Record], _ nvs: inout NVSStorage<PartitionFlash>, _ namespace: NVSNamespace
    ) {
        drop(&nvs, namespace, except: kept)
        var known = records
        for record in kept {
            if let place = known.firstIndex(of: record) {
                known.remove(at: place)
                continue
            }
            guard let slot = slots.firstIndex(of: nil) else { continue }
            try? nvs.set(key(slot), to: .blob(record.bytes), in: namespace)
            slots[slot] = record
        }
        records = kept
    }
}
