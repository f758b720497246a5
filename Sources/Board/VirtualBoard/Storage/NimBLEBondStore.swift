import BLECore
import BLEHost
import CFirmwareChannel
import ESPImage
import MonotonicTime

/// What the board's NimBLE host keeps of its peers, in the namespace and under the keys that NimBLE uses: `our_sec_1` …
/// `our_sec_3` and `peer_sec_…` for bonds, `cccd_sec_…` and `csfc_sec_…` for what clients set in the GATT server,
/// `local_irk_1` for the device's own key.
///
/// As NimBLE does, each record goes into the first number that is free, and a bond's records one after the other:
/// where the power fails between them, the bond has this side's key alone. What a client subscribed to is written once:
/// a reset brings back what it was when new (``NimBLERecordTable``).
final class NimBLEBondStore {
    private static let namespace = "nimble_bond"
    /// The library's own; a sketch's build flags may say others.
    private static let defaultBonds = 3
    private static let defaultSubscriptions = 8
    private static let defaultFeatures = 3

    private let storage: BoardStorage
    private var ownKeys = NimBLERecordTable<NimBLESecurityRecord>("our_sec", count: defaultBonds)
    private var peerKeys = NimBLERecordTable<NimBLESecurityRecord>("peer_sec", count: defaultBonds)
    private var subscriptionRecords = NimBLERecordTable<StoredSubscription>("cccd_sec", count: defaultSubscriptions)
    private var featureRecords = NimBLERecordTable<StoredFeatures>("csfc_sec", count: defaultFeatures)
    private var identities = NimBLERecordTable<NimBLEIdentityRecord>("local_irk", count: 1)
    /// The number of the latest bond; it only rises until the next reset.
    private var lastBondCount: UInt16 = 0

    init(_ storage: BoardStorage) {
        self.storage = storage
    }

    /// Reads what is kept. What is no record of NimBLE's counts as not there.
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
    }

    /// Says how many bonds there is room for, and how many subscriptions and supported features of clients.
    func setRoom(bonds: Int, subscriptions: Int, features: Int) {
        ownKeys.count = bonds
        peerKeys.count = bonds
        subscriptionRecords.count = subscriptions
        featureRecords.count = features
    }

    /// Reads what any firmware may have kept.
    func loadAll(now: MonotonicInstant) throws(NVSError) {
        setRoom(bonds: Int(CFC_MAXIMUM_BONDS), subscriptions: Int(UInt8.max), features: Int(UInt8.max))
        try load(now: now)
    }

    /// Forgets a peer (`nil`: every one).
    func forget(_ peer: DeviceAddress?, now: MonotonicInstant) {
        keep(bonds.filter { peer != nil && $0.peer != peer }, now: now)
        keep(
            subscriptions.filter { peer != nil && $0.peer != peer }, features.filter { peer != nil && $0.peer != peer },
            now: now)
    }

    // MARK: Contents

    /// How many subscriptions there is room for.
    var maximumSubscriptions: Int { subscriptionRecords.count }
    /// How many clients' supported features there is room for.
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

    /// What clients subscribed to.
    var subscriptions: [StoredSubscription] { subscriptionRecords.records }
    /// What clients said of themselves.
    var features: [StoredFeatures] { featureRecords.records }
    /// The device's own Identity Resolving Key.
    var identityKey: [UInt8]? { identities.records.first?.irk }

    // MARK: Keeping

    /// Keeps these bonds and no others.
    func keep(_ bonds: [Bond], now: MonotonicInstant) {
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
            store.ownKeys.keep(own, &nvs, namespace)
            store.peerKeys.keep(peers, &nvs, namespace)
        }
    }

    /// Keeps what clients set in the GATT server.
    func keep(_ subscriptions: [StoredSubscription], _ features: [StoredFeatures], now: MonotonicInstant) {
        try? use(now) { (store, nvs, namespace) in
            store.subscriptionRecords.drop(&nvs, namespace, except: subscriptions)
            store.featureRecords.drop(&nvs, namespace, except: features)
            store.subscriptionRecords.keep(subscriptions, &nvs, namespace)
            store.featureRecords.keep(features, &nvs, namespace)
        }
    }

    /// Keeps the device's own key.
    func keep(identityKey: [UInt8], of address: DeviceAddress, now: MonotonicInstant) {
        try? use(now) { (store, nvs, namespace) in
            store.identities.keep([NimBLEIdentityRecord(address: address, irk: identityKey)], &nvs, namespace)
        }
    }

    private func use(
        _ now: MonotonicInstant,
        _ body: (NimBLEBondStore, inout NVSStorage<PartitionFlash>, NVSNamespace) -> Void
    ) throws(NVSError) {
        try storage.use(now: now) { (nvs) throws(NVSError) in
            body(self, &nvs, try nvs.openNamespace(Self.namespace, readOnly: false))
        }
    }
}

/// What NimBLE stores under one kind of key.
protocol NimBLERecord: Equatable {
    /// What tells one record of a table from another; a record with the same takes the other's place.
    associatedtype Subject: Hashable
    var subject: Subject { get }
    /// Whether NimBLE removes a record that changes and writes it anew. One that it does not stays in storage as it was.
    static var isWrittenAnew: Bool { get }
    var bytes: [UInt8] { get }
    /// `nil` for bytes that are no such record.
    init?(_ bytes: [UInt8])
}

extension NimBLERecord {
    static var isWrittenAnew: Bool { true }
}

/// The records of one kind, in the host's memory and, each under the kind's name and a number from 1 on, in storage.
///
/// The two may differ, as NimBLE's do (`ble_store_config_persist_cccds` and its like): it compares how many there are. A
/// record that was added is written, one that changed is not, and for one that was removed it erases the first in
/// storage that equals none in memory: where another has changed, that one.
struct NimBLERecordTable<Record: NimBLERecord> {
    private let name: String
    private var slots: [Record?]
    /// What the host holds, oldest first.
    private(set) var records: [Record] = []

    init(_ name: String, count: Int) {
        self.name = name
        slots = [Record?](repeating: nil, count: count)
    }

    /// How many records there is room for. What is beyond it stays in storage, unseen, as NimBLE leaves it.
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

    /// Takes over what is left of the records in `kept`, and erases one record for each that is gone.
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

    /// Stores the records that are new, as far as there is room.
    mutating func keep(
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
