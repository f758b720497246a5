import BLECore
import BLEHost
import ByteCodec
import Testing

@Suite struct GATTServerSecurityTests {
    typealias Fixture = GATTServerFixture

    static let unencrypted = GATTSecurity()
    static let bonded = GATTSecurity(hasStoredKey: true)
    static let justWorks = GATTSecurity(isEncrypted: true)
    static let passkey = GATTSecurity(isEncrypted: true, isAuthenticated: true, hasStoredKey: true)

    /// Recorded: `Tests/Bluetooth/Traces/README.md`, item 17. Nil: access is given.
    static let table: [(GATTSecurity, encryption: UInt8?, authentication: UInt8?, authorization: UInt8?)] = [
        (unencrypted, 0x05, 0x05, 0x08), (bonded, 0x0F, 0x0F, 0x08), (justWorks, nil, 0x05, 0x08),
        (passkey, nil, nil, 0x08),
    ]

    /// With `sm_sc_only` NimBLE requires level 4 for every protected attribute (`ble_att_svr_check_perms`).
    @Test func secureConnectionsOnlyRequiresAnAuthenticatedKeyOf16Bytes() throws {
        let board = try Fixture.board()
        board.server.isSecureConnectionsOnly = true
        let states: [(GATTSecurity, [String])] = [
            (Self.unencrypted, ["05", "05", "05"]), (Self.bonded, ["05", "05", "05"]),
            (Self.justWorks, ["05", "05", "05"]), (Self.passkey, ["", "", "08"]),
            (GATTSecurity(isEncrypted: true, isAuthenticated: true, keySize: 15), ["0c", "0c", "0c"]),
        ]
        for (security, codes) in states {
            board.server.setSecurity(security, of: 0)
            for ((handle, _), code) in zip(Fixture.protected, codes) {
                let name = Hexadecimal.string([UInt8(handle), 0])
                #expect(try board.exchange("0a" + name) == [code.isEmpty ? "0bd0" : "010a\(name)\(code)"])
            }
        }
    }

    @Test(arguments: table)
    func protectedAttributesRequireSecurity(
        security: GATTSecurity, encryption: UInt8?, authentication: UInt8?, authorization: UInt8?
    ) throws {
        let board = try Fixture.board()
        board.server.setSecurity(security, of: 0)
        for (handle, need) in Fixture.protected {
            let code =
                switch need {
                case .encryption: encryption
                case .authentication: authentication
                case .authorization: authorization
                }
            let name = Hexadecimal.string([UInt8(handle), 0])
            let error = { (opcode: String) in code.map { "01\(opcode)\(name)" + Hexadecimal.string([$0]) } }
            #expect(try board.exchange("0a" + name) == [error("0a") ?? "0bd0"])
            #expect(try board.exchange("12" + name + "d1") == [error("12") ?? "13"])
            #expect(try board.exchange("16" + name + "0000d2") == [error("16") ?? "17\(name)0000d2"])
            #expect(try board.exchange("52" + name + "d0") == [])
            // A command without permission has no effect.
            #expect(board.server.value(of: handle) == [0xD0])
        }
    }

    @Test func securityPropertiesWithoutReadOrWritePermitNothing() throws {
        let board = try Fixture.board()
        board.server.setSecurity(Self.passkey, of: 0)
        #expect(try board.exchange("0a2400") == ["010a240002"])
        #expect(try board.exchange("12240001") == ["0112240003"])
    }

    @Test func findByTypeValueRefusesWithTheStartOfTheRange() throws {
        let board = try Fixture.board()
        #expect(try board.exchange("061000ffff06aad0") == ["0106100005"])
        #expect(try board.exchange("081000ffff06aa") == ["01081e0005"])
        board.server.setSecurity(Self.justWorks, of: 0)
        // Read By Type sends the values before the refusal.
        #expect(try board.exchange("081000ffff06aa") == ["09031e00d0"])
    }

    @Test func anotherConnectionHasItsOwnSecurity() throws {
        let board = try Fixture.board()
        board.server.connect(1, security: Self.passkey)
        #expect(try board.exchange("0a2000") == ["010a200005"])
        #expect(try board.exchange("0a2000", on: 1) == ["0bd0"])
    }
}
