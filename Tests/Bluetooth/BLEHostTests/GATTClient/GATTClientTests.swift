import BLECore
import BLEHost
import BLEPackets
import Testing

/// PDUs of the calculator in `nimble-calculator.jsonl`, and in the format of Core 5.4, Vol 3 Part F.
@Suite struct GATTClientTests {
    @Test func exchangesTheMTU() throws {
        var server = ScriptedServer(["020502": "03ff00"])
        let operation = try server.run { $0.exchangeMTU(517, now: $1) }
        #expect(server.result(of: operation) == .success(.mtu(255)))
        #expect(server.client.mtu == 255)
        guard case .mtuChanged(255) = server.events.first else {
            Issue.record("expected mtuChanged first, got \(server.events)")
            return
        }
        server.expectFinished()
    }

    @Test func discoversServicesCharacteristicsAndDescriptors() throws {
        var server = ScriptedServer([
            "100100ffff0028": "110601000500001806000d000118",
            "100e00ffff0028": "11140e00ffff79500a0a8da0a894b744c32fc1fcc0eb",
            "08020005000328": "09070200020300002a0400020500012a",
            "0807000d000328": "09070700200800052a0a00020b003a2b0c000a0d00292b",
            "0409000900": "050109000229",
            "080f00ffff0328": "09150f000c1000e52f255e9c875bb840411479552cabc1",
            "081100ffff0328": "09151100121200b07dce9091495c825c45cca6a4543964",
            "081300ffff0328": "010813000a",
            "041300ffff": "050113000229",
            "041400ffff": "010414000a",
        ])
        let operation = try server.run { $0.discoverServices(now: $1) }
        server.expectFinished()
        guard case .success(.services(let services)) = server.result(of: operation) else {
            Issue.record("expected services, got \(String(describing: server.result(of: operation)))")
            return
        }
        #expect(services.map(\.uuid.description) == ["1800", "1801", "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"])
        #expect(services.map(\.handles) == [1...5, 6...13, 14...0xFFFF])
        #expect(services.map { $0.characteristics.map(\.value.rawValue) } == [[3, 5], [8, 11, 13], [16, 18]])
        #expect(services[1].characteristics[0].properties == .indicate)
        #expect(services[1].characteristics[0].descriptors.map(\.handle) == [9])
        let output = try #require(services[2].characteristics.last)
        #expect(output.uuid == BLEUUID("643954A4-A6CC-455C-825C-499190CE7DB0"))
        #expect(output.properties == [.read, .notify])
        #expect(output.descriptors.map(\.uuid) == [BLEUUID(0x2902)])
    }

    @Test func anEmptyServerHasNoServices() throws {
        var server = ScriptedServer(["100100ffff0028": "011001000a"])
        let operation = try server.run { $0.discoverServices(now: $1) }
        #expect(server.result(of: operation) == .success(.services([])))
    }

    @Test func readsAShortValueWithOneRequest() throws {
        var server = ScriptedServer(["0a1200": "0b2a"])
        let operation = try server.run { $0.read(0x12, now: $1) }
        #expect(server.result(of: operation) == .success(.value([42])))
        server.expectFinished()
    }

    @Test func longValuesAreReadWithReadBlob() throws {
        let full = String(repeating: "aa", count: 22)
        var server = ScriptedServer([
            "0a1200": "0b" + full, "0c12001600": "0d" + full, "0c12002c00": "0dbb",
        ])
        let operation = try server.run { $0.read(0x12, now: $1) }
        #expect(server.result(of: operation) == .success(.value(Array(repeating: 0xAA, count: 44) + [0xBB])))
        server.expectFinished()
    }

    @Test(arguments: ["0d", "010c120007", "010c12000b"]) func aRefusedReadBlobEndsAValueThatFillsOneResponse(
        end: String
    ) throws {
        var server = ScriptedServer([
            "0a1200": "0b" + String(repeating: "aa", count: 22), "0c12001600": end,
        ])
        let operation = try server.run { $0.read(0x12, now: $1) }
        #expect(server.result(of: operation) == .success(.value(Array(repeating: 0xAA, count: 22))))
    }

    @Test func anErrorResponseNamesRequestErrorAndHandle() throws {
        var server = ScriptedServer(["0a1000": "010a100002"])
        let operation = try server.run { $0.read(0x10, now: $1) }
        let error = try #require(server.error(of: operation))
        #expect(error.code == .attError(.readNotPermitted))
        #expect(
            error.description
                == "0x0A ATT Read Request: expected a response, got error 0x02 read not permitted (handle 0x0010)")
        #expect(server.client.closeReason == nil)
    }

    @Test func writesInOneRequestUpToTheMTU() throws {
        let value = [UInt8](repeating: 7, count: 20)
        var server = ScriptedServer(["121000" + String(repeating: "07", count: 20): "13"])
        let operation = try server.run { $0.write(value[...], to: 0x10, now: $1) }
        #expect(server.result(of: operation) == .success(.done))
        server.expectFinished()
    }

    @Test func writesLongerValuesInParts() throws {
        let value = [UInt8](0..<21)
        let first = "000102030405060708090a0b0c0d0e0f1011"
        var server = ScriptedServer([
            "1610000000" + first: "1710000000" + first, "1610001200121314": "1710001200121314", "1801": "19",
        ])
        let operation = try server.run { $0.write(value[...], to: 0x10, now: $1) }
        #expect(server.result(of: operation) == .success(.done))
        server.expectFinished()
    }

    @Test func aReliableWriteIsPreparedHoweverShortItIs() throws {
        var server = ScriptedServer(["161000000007": "171000000007", "1801": "19"])
        let operation = try server.run { $0.write([7], to: 0x10, isReliable: true, now: $1) }
        #expect(server.result(of: operation) == .success(.done))
        server.expectFinished()
        var wrong = ScriptedServer(["161000000007": "171000000008", "1800": "19"])
        let failing = try wrong.run { $0.write([7], to: 0x10, isReliable: true, now: $1) }
        #expect(wrong.error(of: failing)?.code == .protocolViolation)
        wrong.expectFinished()
    }

    @Test func aWrongPrepareWriteResponseCancelsTheLongWrite() throws {
        let first = "000102030405060708090a0b0c0d0e0f1011"
        var server = ScriptedServer(["1610000000" + first: "171000000000", "1800": "19"])
        let operation = try server.run { $0.write([UInt8](0..<21)[...], to: 0x10, now: $1) }
        #expect(server.error(of: operation)?.code == .protocolViolation)
        #expect(server.client.closeReason == nil)
        server.expectFinished()
    }

    @Test func aRefusedPartCancelsTheQueuedWrites() throws {
        let first = "000102030405060708090a0b0c0d0e0f1011"
        var server = ScriptedServer([
            "1610000000" + first: "1710000000" + first, "1610001200121314": "0116100009", "1800": "19",
        ])
        let operation = try server.run { $0.write([UInt8](0..<21)[...], to: 0x10, now: $1) }
        #expect(server.error(of: operation)?.code == .attError(.prepareQueueFull))
        server.expectFinished()
    }

    @Test func aWriteCommandIsSentAfterQueuedOperations() throws {
        var server = ScriptedServer()
        _ = server.client.read(0x12, now: server.now)
        let command = server.client.writeCommand([1, 2], to: 0x10, now: server.now)
        #expect(server.client.nextOutput() == [0x0A, 0x12, 0x00])
        #expect(server.client.nextOutput() == nil)
        server.client.receive([0x0B], now: server.now)
        #expect(server.client.nextOutput() == [0x52, 0x10, 0x00, 1, 2])
        try server.send("1b1200")
        #expect(server.result(of: command) == .success(.done))
    }

    @Test func aWriteCommandThatDoesNotFitIsAnErrorOfTheClient() throws {
        var server = ScriptedServer()
        let operation = try server.run { $0.writeCommand([UInt8](0..<21)[...], to: 0x10, now: $1) }
        #expect(server.error(of: operation)?.code == .invalidArgument)
        #expect(
            server.error(of: operation)?.description
                == "ATT Write Command: expected at most 20 bytes at MTU 23, got 21 (handle 0x0010)")
    }

    @Test func notificationsAndIndicationsAreReportedInOrderAndIndicationsConfirmed() throws {
        var server = ScriptedServer(["1e": "", "0a1200": "1b120001|0b05|1b120002"])
        try server.send("1b1200aa")
        try server.send("1d1400bbcc")
        let operation = try server.run { $0.read(0x12, now: $1) }
        #expect(server.result(of: operation) == .success(.value([5])))
        #expect(
            server.notifications == [
                "notification 18 aa", "indication 20 bbcc", "notification 18 01", "notification 18 02",
            ])
    }

    @Test func requestsOfTheServerAreAnswered() throws {
        var server = ScriptedServer(["030502": "", "010a000006": "", "0110000006": ""])
        try server.send("026400")
        #expect(server.client.mtu == 100)
        try server.send("0a0300")
        try server.send("100100ffff0028")
        try server.send("520300aa")
        try server.send("1e")
        server.expectFinished()
        #expect(server.client.closeReason == nil)
    }

    @Test func aMissingResponseClosesTheBearerAfterThirtySeconds() throws {
        var server = ScriptedServer(["0a1200": ""])
        let first = try server.run { $0.read(0x12, now: $1) }
        let second = try server.run { $0.read(0x13, now: $1) }
        server.advance(by: .nanoseconds(29_999_999_999))
        #expect(server.result(of: first) == nil)
        server.advance(by: .nanoseconds(1))
        #expect(server.error(of: first)?.code == .timedOut)
        #expect(
            server.error(of: first)?.description
                == "0x0A ATT Read Request: expected a response within 30 s, got none")
        #expect(server.error(of: second)?.code == .bearerClosed)
        let third = try server.run { $0.read(0x14, now: $1) }
        #expect(server.error(of: third)?.code == .bearerClosed)
        #expect(server.client.nextDeadline == nil)
    }

    @Test func aDisconnectionEndsAllOperationsWithItsReason() throws {
        var server = ScriptedServer(["0a1200": ""])
        let first = try server.run { $0.read(0x12, now: $1) }
        let second = try server.run { $0.discoverServices(now: $1) }
        server.close(GATTClientError(.disconnected(.remoteUserTerminatedConnection), "gone"))
        #expect(server.error(of: first)?.code == .disconnected(.remoteUserTerminatedConnection))
        #expect(server.error(of: second)?.code == .disconnected(.remoteUserTerminatedConnection))
    }
}
