import BLECore
import BLEPackets
import BLERadio
import MonotonicTime
import Testing

@Suite struct EncryptionFuzzTests {
    /// Links that start, refresh and fail encryption while PDUs are dropped, altered, replayed, delayed and cut:
    /// received data equal the sent data; and every link ends.
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func receivedDataAlwaysEqualsSentData(seed: UInt64) throws {
        let bench = AirBench(seed: seed)
        let ids = [bench.add(), bench.add()]
        var random = SeededRandom(seed: seed)
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        var faults: [RadioFaultID] = []
        var (encryptions, ends) = (0, 0)
        var isConnected = false
        for _ in 0..<800 {
            if !isConnected {
                try bench.connect(ids[0], ids[1], interval: 6, timeout: 50)
                isConnected = true
            }
            switch below(6) {
            case 0:
                let key = below(8) == 0 ? [UInt8](repeating: 1, count: 16) : EncryptionTests.key
                bench.send(
                    HCILEEnableEncryption(
                        handle: 0, randomNumber: 0, encryptedDiversifier: 0, longTermKey: key[...]), from: ids[0])
            case 1 where below(4) == 0:
                let actions: [PDUFault.Action] = [
                    .drop, .corrupt, .replay, .delay(.milliseconds(below(700))), .cut,
                    .disconnect(.remoteUserTerminatedConnection),
                ]
                let subjects: [PDUKind] = [.frame, .attribute(nil), .linkControl(opcodes: [])]
                faults.append(
                    bench.air.add(
                        PDUFault(
                            actions[below(6)], subjects[below(3)],
                            from: below(2) == 0 ? nil : [.central, .peripheral][below(2)])))
            case 2 where below(16) == 0:
                bench.send(HCIDisconnect(handle: 0, reason: .remoteUserTerminatedConnection), from: ids[below(2)])
            default:
                // Each byte is the length of the PDU, so that other data are detected.
                let length = 1 + below(100)
                bench.sendACL(
                    [UInt8(length), 0, 4, 0] + Array(repeating: UInt8(length), count: length), from: ids[below(2)])
            }
            bench.run(for: .milliseconds(below(40)))
            var replies: [any HCICommand] = []
            for id in ids {
                for packet in bench.take(id) {
                    if packet.kind == .acl {
                        let length = packet.bytes[4]
                        #expect(packet.bytes[8...].allSatisfy { $0 == length } && packet.bytes.count == Int(length) + 8)
                        continue
                    }
                    let event = try HCIAnyEvent(decoding: packet.bytes[...])
                    if event.subevent == .longTermKeyRequest {
                        replies.append(
                            below(6) == 0
                                ? HCILELongTermKeyRequestNegativeReply(handle: 0)
                                : HCILELongTermKeyRequestReply(handle: 0, longTermKey: EncryptionTests.key[...]))
                    } else if event.code == .encryptionChange, event.parameters.last == 1 {
                        encryptions += 1
                    } else if event.code == .disconnectionComplete {
                        ends += 1
                        isConnected = false
                    }
                }
            }
            for reply in replies { bench.send(reply, from: ids[1]) }
            if !isConnected {
                for fault in faults { bench.air.remove(fault) }
                faults.removeAll()
                // Both ends detect it.
                bench.run(for: .seconds(2))
                for id in ids { _ = bench.take(id) }
            }
        }
        #expect(encryptions > 5)
        #expect(ends > 3)
        for id in ids { bench.send(HCIReset(), from: id) }
        bench.run(for: .seconds(60))
        #expect(bench.air.nextDeadline == nil)
    }
}
