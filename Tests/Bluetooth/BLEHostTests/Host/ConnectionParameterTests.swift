import BLEHost
import BLEPackets
import MonotonicTime
import Testing

@Suite struct ConnectionParameterTests {
    private let wanted = ConnectionParameters(intervalMin: 24, intervalMax: 40, latency: 0, supervisionTimeout: 200)

    private func peripheral(features: String) throws -> ScriptedController {
        var controller = ScriptedController(.nimble)
        try controller.bringUp()
        try controller.send("043e1301000100010001f0f0f0f0f00a0000000a0007")
        try controller.status("1d04")
        try controller.send("040c080001000b4c000000")
        try controller.status("1620")
        try controller.send("043e0c04000100" + features + "00000000000000")
        try controller.complete("2220", "000100")
        _ = controller.drainSent()
        _ = controller.drainEvents()
        return controller
    }

    @Test func aPeripheralUsesTheLinkLayerProcedureIfThePeerSupportsIt() throws {
        var controller = try peripheral(features: "02")
        try controller.host.updateParameters(wanted, on: 1, now: controller.now)
        controller.drain()
        #expect(controller.drainSent() == ["0113200e0100180028000000c80000000000"])
        #expect(throws: HostError.self) {
            try controller.host.updateParameters(wanted, on: 1, now: controller.now)
        }
        try controller.status("1320")
        try controller.send("043e0a03000100280000 00c800".compact)
        #expect(controller.drainEvents() == ["parametersUpdated 40 0 200"])
        #expect(controller.host.connection(1)?.interval == 40)
    }

    @Test func otherwiseItSendsAnL2CAPRequest() throws {
        var controller = try peripheral(features: "00")
        try controller.host.updateParameters(wanted, on: 1, now: controller.now)
        controller.drain()
        #expect(controller.drainSent() == ["020100 1000 0c000500 12010800 180028000000c800".compact])
        controller.sendACL([6, 0, 5, 0, 0x13, 1, 2, 0, 0, 0])
        #expect(controller.drainEvents().isEmpty)
        try controller.send("043e0a0300010028000000c800")
        #expect(controller.drainEvents() == ["parametersUpdated 40 0 200"])
    }

    @Test func aRejectionAndATimeOutAreReported() throws {
        var controller = try peripheral(features: "00")
        try controller.host.updateParameters(wanted, on: 1, now: controller.now)
        controller.sendACL([6, 0, 5, 0, 0x13, 1, 2, 0, 1, 0])
        #expect(
            controller.drainEvents() == ["parameterUpdateFailed 0x3B unacceptable connection parameters"])
        try controller.host.updateParameters(wanted, on: 1, now: controller.now)
        controller.advance(by: .seconds(30))
        #expect(controller.drainEvents() == ["parameterUpdateFailed 0x22 link layer response timeout"])
        let requests = controller.drainSent().filter { $0.hasPrefix("02") }
        #expect(requests.map { $0.dropFirst(18).prefix(4) } == ["1201", "1202"])
    }

    @Test func invalidParametersAreErrors() throws {
        let controller = try peripheral(features: "00")
        for parameters in [
            ConnectionParameters(intervalMin: 5, intervalMax: 6), ConnectionParameters(intervalMin: 7, intervalMax: 6),
            ConnectionParameters(latency: 500), ConnectionParameters(supervisionTimeout: 9),
            ConnectionParameters(intervalMin: 3200, intervalMax: 3200, supervisionTimeout: 800),
        ] {
            #expect(throws: HostError.self) {
                try controller.host.updateParameters(parameters, on: 1, now: controller.now)
            }
        }
    }

    @Test func aCentralAcceptsAnL2CAPRequest() throws {
        var controller = ScriptedController(.central(.none))
        try controller.bringUp()
        try controller.connectAsCentral()
        controller.sendACL([12, 0, 5, 0, 0x12, 7, 8, 0, 24, 0, 40, 0, 0, 0, 200, 0])
        #expect(
            controller.drainSent().sorted() == [
                "0113200e0100180028000000c80000000000", "020100 0a00 06000500 130702000000".compact,
            ])
        controller.sendACL([12, 0, 5, 0, 0x12, 8, 8, 0, 5, 0, 40, 0, 0, 0, 200, 0])
        #expect(controller.drainSent() == ["020100 0a00 06000500 130802000100".compact])
    }

    @Test func aLinkLayerRequestIsAccepted() throws {
        var controller = ScriptedController(.central(.none))
        try controller.bringUp()
        try controller.connectAsCentral()
        try controller.send("043e0b060100180028000000c800")
        #expect(controller.drainSent() == ["0120200e0100180028000000c80000000000"])
    }
}
