import BLECore
import BLEHost
import BLEPackets
internal import CFirmwareChannel
import MonotonicTime

/// Calls for pairing, bonds and private addresses.
extension NimBLEBridge {
    /// Handles a call; returns false if the message is not a call about security.
    func handleSecurityCall(_ message: FirmwareMessage, _ now: MonotonicInstant) -> Bool {
        switch message.type {
        case CFC_SECURITY:
            guard let fields = message.fields(cfc_security.self) else { break }
            configure(fields)
        case CFC_OWN_ADDRESS_TYPE: setOwnAddressType(message.fields(cfc_number.self)?.value ?? -1, now)
        case CFC_START_SECURITY:
            let handle = UInt16(truncatingIfNeeded: message.fields(cfc_number.self)?.value ?? -1)
            runtime.reply(status: status { () throws(HostError) in try host.startSecurity(on: handle, now: now) })
        case CFC_PASSKEY_ANSWER:
            guard let fields = message.fields(cfc_passkey_answer.self) else { break }
            runtime.reply(status: answer(fields, now))
        case CFC_BONDS: runtime.reply(withBytes(of: cfc_bonds(host.bonds)))
        case CFC_DELETE_BOND:
            guard let fields = message.fields(cfc_address.self) else { break }
            replyWhenStored(status: Int32(host.removeBond(of: DeviceAddress(fields), now: now).rawValue))
        case CFC_RECORD:
            guard let fields = message.fields(cfc_record_query.self) else { break }
            answer(fields)
        case CFC_DELETE_RECORDS:
            guard let fields = message.fields(cfc_address.self) else { break }
            deleteRecords(of: DeviceAddress(fields), now)
        default: return false
        }
        return true
    }

    /// `ble_store_iterate`, one record at a time. Before the host starts, only the store has the records.
    private func answer(_ query: cfc_record_query) {
        let index = Int(query.index)
        let subscriptions = server?.storedSubscriptions ?? store.subscriptions
        let features = server?.storedFeatures ?? store.features
        switch Int(query.type) {
        case CFC_RECORD_SUBSCRIPTION where subscriptions.indices.contains(index):
            runtime.reply(withBytes(of: cfc_record(subscriptions[index])))
        case CFC_RECORD_FEATURES where features.indices.contains(index):
            runtime.reply(withBytes(of: cfc_record(features[index])))
        default: runtime.reply(status: NimBLEStatus.noEntry)
        }
    }

    /// `ble_store_util_delete_peer`
    private func deleteRecords(of peer: DeviceAddress, _ now: MonotonicInstant) {
        host.setBonds(host.bonds.filter { $0.peer != peer })
        if let server {
            server.forgetSubscriptions(of: peer)
        } else {
            store.save(
                store.subscriptions.filter { $0.peer != peer }, store.features.filter { $0.peer != peer }, now: now)
        }
        replyWhenStored(status: 0)
    }

    private func configure(_ fields: cfc_security) {
        var security = host.security
        security.ioCapability = IOCapability(rawValue: fields.io_capability)
        security.bonding = fields.bonding != 0
        security.mitm = fields.mitm != 0
        security.secureConnections = fields.secure_connections != 0
        security.secureConnectionsOnly = fields.secure_connections_only != 0
        security.localKeys = SMPKeyDistribution(rawValue: fields.our_keys)
        security.remoteKeys = SMPKeyDistribution(rawValue: fields.their_keys)
        host.security = security
        host.maximumBonds = min(max(Int(fields.maximum_bonds), 1), Int(CFC_MAXIMUM_BONDS))
        maximumPairings = max(Int(fields.maximum_pairings), 1)
        limitPairings()
        store.setRoom(
            bonds: host.maximumBonds, subscriptions: Int(fields.maximum_subscriptions),
            features: Int(fields.maximum_features))
        host.pool = NimBLEBuffers(count: Int(fields.block_count), size: Int(fields.block_size))
        if let server { configure(server) }
    }

    /// Deletes the bond of a peer, or all bonds, without notifying the sketch.
    func forgetBonds(with peer: DeviceAddress?, now: MonotonicInstant) {
        let lost = host.bonds.filter { peer == nil || peer == $0.peer }
        host.setBonds(host.bonds.filter { bond in !lost.contains(bond) })
        for bond in lost { server?.forgetSubscriptions(of: bond.peer) }
        // Queues all writes at once: the owner completes them.
        store.forget(peer, now: now)
        advance(to: now)
    }

    private func status(_ body: () throws(HostError) -> Void) -> Int32 {
        do throws(HostError) {
            try body()
            return 0
        } catch {
            switch error.code {
            case .notConnected: return NimBLEStatus.notConnected
            case .alreadyActive: return NimBLEStatus.alreadyDone
            case .tooManyPairings: return NimBLEStatus.noMemory
            case .notAwaited: return NimBLEStatus.invalidArguments
            default: return NimBLEStatus.controller
            }
        }
    }

    /// `ble_sm_inject_io`
    private func answer(_ fields: cfc_passkey_answer, _ now: MonotonicInstant) -> Int32 {
        let answer: PairingAnswer
        switch Int(fields.action) {
        case CFC_PASSKEY_INPUT, CFC_PASSKEY_DISPLAY:
            guard fields.value <= 999_999 else { return NimBLEStatus.invalidArguments }
            answer = .passkey(fields.value)
        case CFC_PASSKEY_COMPARE: answer = .confirm(fields.value != 0)
        default: return NimBLEStatus.invalidArguments
        }
        let status = status { () throws(HostError) in
            try host.answerPairing(answer, on: fields.connection, now: now)
        }
        // NimBLE reports a missing connection like a connection without a pairing.
        return status == NimBLEStatus.notConnected ? NimBLEStatus.noEntry : status
    }

    /// `setOwnAddrType` of NimBLE-Arduino on an original ESP32. A static random own address is not supported.
    private func setOwnAddressType(_ type: Int32, _ now: MonotonicInstant) {
        guard (0...3).contains(type) else { return runtime.reply(status: NimBLEStatus.notSupported) }
        var address: DeviceAddress?
        let status = status { () throws(HostError) in
            try host.setPrivacy(type > 1, now: now)
            // The identity of a private address is public (`ble_host_rpa_enabled`).
            address = try host.setStaticAddress(type == 1)
        }
        address = host.privateAddress ?? address
        runtime.reply(status: status, address.map { withBytes(of: cfc_address($0)) } ?? [])
    }
}
