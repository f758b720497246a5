import BLECore
import BLEPackets
import Bench
import BenchSuites
import Testing

@Suite("Reading steps about security, the board and faults")
struct SecurityStepTests {
    private func steps(_ steps: String, centrals: String = "{}") throws -> (suite: Suite, steps: [Step]) {
        let suite = try Suite(
            yaml: SuiteReaderTests.head + """
                centrals: \(centrals)
                before:
                  - connect: {advertising: service}
                  - connect: {advertising: service, as: second}
                cases:
                  - name: x
                    each: {n: 1...3}
                    steps:
                \(steps)
                """, file: "c.yaml")
        return (suite, suite.cases[0].steps)
    }

    private func expected<Expectation>(_ step: Step, _ type: Expectation.Type) throws -> Expectation {
        try #require(step.action(as: ExpectStep.self)?.expectation(as: type))
    }

    @Test("accepts a pairing with the defaults, and with every key")
    func pairings() throws {
        let (_, steps) = try steps(
            """
                  - pair
                  - pair: second
                  - pair:
                      on: second
                      passkey: '/^Passkey: (\\d+)/'
                      confirm: true
                      io: display yes/no
                      bonding: false
                      mitm: false
                      secure connections: off
                      key size: 7
                  - expect: {error: repeated attempts}
                  - pair: {passkey: not /(\\d+)/}
                  - expect: {error: 4}
                  - pair: {passkey: 000000}
                  - expect: {error: disconnected}
                  - pair: {passkey: refused}
                  - pair: {passkey: unanswered}
                  - expect: {error: timeout}
                  - pair: {passkey: overheard}
                  - pair: {passkey: refused}
                  - expect: {error: any}
            """)
        let pairs = steps.compactMap { $0.action(as: PairStep.self) }
        #expect(pairs.count == 9 && steps.count == 9)
        #expect(pairs.map(\.central.index) == [0, 1, 1, 0, 0, 0, 0, 0, 0])
        let plain = pairs[0]
        #expect(plain.capability == .keyboardDisplay && plain.secureConnections == .preferred)
        #expect(plain.isBonding && plain.isProtected && plain.keySize.constant == 16 && plain.confirmation == nil)
        let full = pairs[2]
        #expect(full.capability == .displayYesNo && full.secureConnections == .off)
        #expect(!full.isBonding && !full.isProtected && full.keySize.constant == 7 && full.confirmation == true)
        #expect(full.expectedError == .pairing(.repeatedAttempts))
        #expect(pairs[4].expectedError == .disconnected)
        #expect(pairs[6].expectedError == .timeout)
        #expect(pairs[8].expectedError == .any)
        let passkeys = pairs.map { pair in
            switch pair.passkey {
            case .fixed(.unexpected): "-"
            case .fixed(.number(let number)): "fixed \(number)"
            case .fixed(.console(let pattern)): pattern
            case .fixed(.wrongConsole(let pattern)): "not \(pattern)"
            case .fixed(.refused): "refused"
            case .fixed(.unanswered): "unanswered"
            case .number(let number): "\(number.constant ?? -1)"
            case .overheard: "overheard"
            }
        }
        #expect(
            passkeys == [
                "-", "-", "^Passkey: (\\d+)", "not (\\d+)", "0", "refused", "unanswered", "overheard", "refused",
            ])
    }

    @Test("maps the reasons of a failed pairing to the specification's numbers")
    func reasons() {
        #expect(PairingFailure.passkeyEntryFailed.code == 0x01)
        #expect(PairingFailure.confirmValueFailed.code == 0x04)
        #expect(PairingFailure.repeatedAttempts.code == 0x09)
        #expect(PairingFailure.numericComparisonFailed.code == 0x0C)
    }

    @Test("accepts steps for bonds and the security of a link")
    func bonds() throws {
        let (_, steps) = try steps(
            """
                  - encrypt
                  - expect: {error: key missing}
                  - encrypt: second
                  - expect: {error: no bond}
                  - forget: board
                  - forget: {on: board, of: second}
                  - forget: second
                  - expect: {bonds: n, of: board}
                  - expect: {bonds: [second, first], of: board}
                  - expect: {bonds: 0, of: second}
                  - expect: {security: none}
                  - expect: {security: [encrypted, bonded], key size: 16, on: second, within: 2 s}
            """)
        let first = try #require(steps[0].action(as: EncryptStep.self))
        let second = try #require(steps[1].action(as: EncryptStep.self))
        let all = try #require(steps[2].action(as: ForgetStep.self))
        let one = try #require(steps[3].action(as: ForgetStep.self))
        let own = try #require(steps[4].action(as: ForgetStep.self))
        let bonds = try steps[5...7].map { try expected($0, BondExpectation.self) }
        let none = try expected(steps[8], SecurityExpectation.self)
        let some = try expected(steps[9], SecurityExpectation.self)
        let within = steps[9].action(as: ExpectStep.self)?.timeout
        guard case .count(let count) = bonds[0].bonds, case .peers(let peers) = bonds[1].bonds,
            case .count = bonds[2].bonds
        else {
            Issue.record("other bonds: \(bonds)")
            return
        }
        let board = all.holder
        #expect(bonds.map(\.holder) == [board, board, .central(some.central)])
        #expect(first.expectedError == .keyMissing && second.expectedError == .notBonded && second.central.index == 1)
        #expect(all.holder.board?.index == 0 && all.peer == nil)
        #expect(one.holder == board && one.peer == .central(second.central))
        #expect(own.holder == .central(some.central) && own.peer == nil)
        #expect(count.source == "n" && peers == [.central(second.central), .central(first.central)])
        #expect(none.properties.isEmpty && none.keySize == nil)
        #expect(some.properties == [.encrypted, .bonded] && some.keySize?.constant == 16)
        #expect(some.central.index == 1 && within == .seconds(2))
    }

    @Test("accepts steps for the board")
    func board() throws {
        let (_, steps) = try steps(
            """
                  - reboot
                  - reboot: {nvs: erased}
                  - button: press
                  - button: {press: 5 s, pin: 27}
                  - button: {hold: 0}
                  - button: release
                  - power: {cut: {console: /Adv/}}
                  - power: {cut: {nvs write: n}}
                  - power: {cut: {pdu: pairing random, nth: 2, from: central}}
                  - expect: {power: off}
                  - expect: {servo: 90, pin: 13}
                  - expect: {servo: {from: 0, to: 90}}
                  - expect: {servo: detached}
                  - expect: {nothing: 1 s, of: servo}
            """)
        #expect(steps[...1].compactMap { $0.action(as: RebootStep.self)?.erasesNVS } == [false, true])
        let buttons = try steps[2...5].map { try #require($0.action(as: ButtonStep.self)) }
        let (press, long, hold, release) = (buttons[0], buttons[1], buttons[2], buttons[3])
        let cuts = try steps[6...8].map { try #require($0.action(as: PowerStep.self)).action }
        _ = try expected(steps[9], PowerCutExpectation.self)
        let servos = try steps[10...12].map { try expected($0, ServoExpectation.self) }
        #expect(servos.map { $0.pin?.constant } == [13, nil, nil])
        #expect(try expected(steps[13], NothingExpectation.self).classes == [.servo])
        guard case .cut(.console(.regex("Adv"))) = cuts[0], case .cut(.storageWrite(let count)) = cuts[1],
            case .cut(.pdu(let pdu)) = cuts[2], case .angle(let angle) = servos[0].movement,
            case .sweep(let from, let to) = servos[1].movement, case .detached = servos[2].movement
        else {
            Issue.record("other cuts and movements: \(cuts) \(servos)")
            return
        }
        #expect(press.pin.constant == 0 && press.action == .press(.milliseconds(100)))
        #expect(long.pin.constant == 27 && long.action == .press(.seconds(5)))
        #expect(hold.action == .hold && release.action == .release)
        #expect(count.source == "n" && pdu.count.constant == 2 && pdu.sender == .central)
        #expect(pdu.kind == .securityManager(.pairingRandom))
        #expect(angle.constant == 90 && from.constant == 0 && to.constant == 90)
    }

    @Test("accepts faults, the radio path and raw PDUs")
    func faults() throws {
        let (_, steps) = try steps(
            """
                  - fault: {drop: response, nth: 3}
                  - fault: {alter: write request, byte: 3}
                  - fault: {delay: notification, by: 20 ms}
                  - fault: {replay: write request, from: central}
                  - fault: {corrupt: ATT PDU}
                  - fault: {cut: pairing public key}
                  - fault: {cut: SMP PDU, reason: 0x13}
                  - fault: none
                  - radio: {loss: 20, path loss: 90}
                  - att: {send: [0x16, {handle: input, plus: 1}, 0, 0, "'x'"], answer: [0x17], on: second}
                  - att: {send: [0x52], answer: none, within: 200 ms}
                  - att: {send: [0x0a, {handle: output}]}
                  - expect: {error: 5}
            """)
        let faults = steps.compactMap { $0.action(as: FaultStep.self)?.fault }
        #expect(
            faults[0].pattern.count.constant == 3 && faults[0].pattern.kind == .attributeResponse
                && faults[2].pattern.kind == .attribute(.handleValueNotification)
                && faults[4].pattern.kind == .attribute(nil)
                && faults[5].pattern.kind == .securityManager(.pairingPublicKey))
        guard case .fixed(.drop) = faults[0].action, case .alter(let byte) = faults[1].action,
            case .fixed(.delay(.milliseconds(20))) = faults[2].action, case .fixed(.replay) = faults[3].action,
            case .fixed(.corrupt) = faults[4].action, case .fixed(.cut) = faults[5].action,
            case .disconnect(let reason) = faults[6].action
        else {
            Issue.record("other faults: \(faults)")
            return
        }
        let clear = try #require(steps[7].action(as: FaultStep.self))
        #expect(clear.fault == nil)
        let radio = try #require(steps[8].action(as: RadioStep.self))
        let prepare = try #require(steps[9].action(as: ATTStep.self))
        let command = try #require(steps[10].action(as: ATTStep.self))
        let read = try #require(steps[11].action(as: ATTStep.self))
        #expect(byte.constant == 3 && reason.constant == 0x13 && faults[3].pattern.sender == .central)
        #expect(radio.loss?.constant == 20 && radio.pathLoss?.constant == 90)
        guard case .pdu = prepare.answer, case .silence = command.answer, case .any = read.answer,
            case .code = read.expectedError
        else {
            Issue.record("other answers: \(prepare) \(command) \(read)")
            return
        }
        #expect(command.timeout == .milliseconds(200) && prepare.central.index == 1)
        var context = EvaluationContext(parameters: [1])
        context.handles = [nil, 0x0110, nil]
        var bytes: [UInt8] = []
        try prepare.pdu.evaluate(&context, into: &bytes)
        #expect(bytes == [0x16, 0x11, 0x01, 0, 0, 0x78])
        let error = #expect(throws: EvaluationError.self) { try read.pdu.evaluate(&context, into: &bytes) }
        #expect(error?.message == "the board has no such characteristic")
    }

    @Test("accepts centrals with given addresses")
    func centrals() throws {
        let (suite, _) = try steps(
            "      - advance: 1 s",
            centrals: "{clone: {address: first}, guest: {address: 'C0:00:00:00:00:01', privacy: true}}")
        #expect(suite.centrals.map(\.name) == ["clone", "first", "guest", "second"])
        guard case .of(let owner) = suite.centrals[0].address else {
            Issue.record("not a clone")
            return
        }
        #expect(owner == 1)
        #expect(suite.centrals[2].address == .fixed(DeviceAddress(0xC000_0000_0001, .random)))
        #expect(suite.centrals.map(\.usesPrivacy) == [false, false, true, false])
    }

    @Test("has a unique name for every PDU")
    func names() {
        let names = PDUKind.named.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(PDUKind.named.first { $0.name == "pairing DHKey check" }?.kind == .securityManager(.pairingDHKeyCheck))
        #expect(PDUKind.named.first { $0.name == "security request" }?.kind == .securityManager(.securityRequest))
    }
}
