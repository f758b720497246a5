package import BLECore

/// The cryptographic functions of the Security Manager (Core 5.4, Vol 3 Part H 2.2).
///
/// 128-bit values are numbers, little-endian in PDUs. Coordinates are 32 bytes in the order of PDUs, least significant
/// first.
package enum SecurityToolbox {
    /// The input of AES-CMAC: the specification concatenates values with the most significant octet first.
    private struct Message {
        var octets: [UInt8] = []

        init(capacity: Int) {
            octets.reserveCapacity(capacity)
        }

        mutating func append(_ value: UInt128) {
            withUnsafeBytes(of: value.bigEndian) { octets.append(contentsOf: $0) }
        }

        mutating func append(coordinate: some BidirectionalCollection<UInt8>) {
            octets.append(contentsOf: coordinate.reversed())
        }

        /// 56 bits: the type, then the address.
        mutating func append(_ address: DeviceAddress) {
            let value = UInt64(address.kind.rawValue) << 48 | address.value
            withUnsafeBytes(of: value.bigEndian) { octets.append(contentsOf: $0.dropFirst()) }
        }
    }

    // MARK: Privacy

    /// ah: the hash part of a resolvable private address (2.2.2), 24 bits.
    package static func ah(irk: UInt128, prand: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: AESBlock.encrypt(UInt128(prand & 0xFF_FFFF), key: irk)) & 0xFF_FFFF
    }

    // MARK: LE legacy pairing

    /// c1: the confirm value (2.2.3). `request` and `response` are the 7 bytes of the PDUs as numbers, the opcode
    /// the least significant.
    package static func c1(
        temporaryKey: UInt128, random: UInt128, request: UInt64, response: UInt64, initiator: DeviceAddress,
        responder: DeviceAddress
    ) -> UInt128 {
        let kinds = UInt128(responder.kind.rawValue) << 8 | UInt128(initiator.kind.rawValue)
        let first = UInt128(response) << 72 | UInt128(request) << 16 | kinds
        let second = UInt128(initiator.value) << 48 | UInt128(responder.value)
        return AESBlock.encrypt(AESBlock.encrypt(random ^ first, key: temporaryKey) ^ second, key: temporaryKey)
    }

    /// s1: the Short Term Key (2.2.4).
    package static func s1(temporaryKey: UInt128, responderRandom: UInt128, initiatorRandom: UInt128) -> UInt128 {
        let low = UInt128(UInt64.max)
        return AESBlock.encrypt((responderRandom & low) << 64 | initiatorRandom & low, key: temporaryKey)
    }

    // MARK: LE Secure Connections

    /// f4: the confirm value (2.2.6).
    package static func f4(
        u: some BidirectionalCollection<UInt8>, v: some BidirectionalCollection<UInt8>, x: UInt128, z: UInt8
    ) -> UInt128 {
        var message = Message(capacity: 65)
        message.append(coordinate: u)
        message.append(coordinate: v)
        message.octets.append(z)
        return AESBlock.cmac(message.octets, key: x)
    }

    /// f5: MacKey and Long Term Key of the DHKey, 32 bytes in the order of PDUs (2.2.7).
    package static func f5(
        dhKey: some BidirectionalCollection<UInt8>, n1: UInt128, n2: UInt128, a1: DeviceAddress, a2: DeviceAddress
    ) -> (macKey: UInt128, longTermKey: UInt128) {
        let salt: UInt128 = 0x6C88_8391_AAF5_A538_6037_0BDB_5A60_83BE
        let temporary = AESBlock.cmac(dhKey.reversed(), key: salt)
        func half(_ counter: UInt8) -> UInt128 {
            var message = Message(capacity: 53)
            message.octets.append(counter)
            message.octets.append(contentsOf: [0x62, 0x74, 0x6C, 0x65])
            message.append(n1)
            message.append(n2)
            message.append(a1)
            message.append(a2)
            message.octets.append(contentsOf: [0x01, 0x00])
            return AESBlock.cmac(message.octets, key: temporary)
        }
        return (half(0), half(1))
    }

    /// f6: the DHKey check (2.2.8). `ioCapabilities` is 24 bits: AuthReq, OOB flag, IO capability.
    package static func f6(
        macKey: UInt128, n1: UInt128, n2: UInt128, r: UInt128, ioCapabilities: UInt32, a1: DeviceAddress,
        a2: DeviceAddress
    ) -> UInt128 {
        var message = Message(capacity: 65)
        message.append(n1)
        message.append(n2)
        message.append(r)
        withUnsafeBytes(of: ioCapabilities.bigEndian) { message.octets.append(contentsOf: $0.dropFirst()) }
        message.append(a1)
        message.append(a2)
        return AESBlock.cmac(message.octets, key: macKey)
    }

    /// g2: the number that both users compare (2.2.9); its last six decimal digits are displayed.
    package static func g2(
        u: some BidirectionalCollection<UInt8>, v: some BidirectionalCollection<UInt8>, x: UInt128, y: UInt128
    ) -> UInt32 {
        var message = Message(capacity: 80)
        message.append(coordinate: u)
        message.append(coordinate: v)
        message.append(y)
        return UInt32(truncatingIfNeeded: AESBlock.cmac(message.octets, key: x))
    }

    // MARK: Cross-transport keys

    /// h6: converts a key for a purpose (2.2.10).
    package static func h6(key: UInt128, identifier: UInt32) -> UInt128 {
        AESBlock.cmac(withUnsafeBytes(of: identifier.bigEndian) { Array($0) }, key: key)
    }

    /// h7: converts a key with a salt (2.2.11).
    package static func h7(salt: UInt128, key: UInt128) -> UInt128 {
        AESBlock.cmac(AESBlock.octets(key), key: salt)
    }
}
