import BLECore
import DBus
import Testing

import BLECentralBlueZ

@Suite struct AgentRequestTests {
    private static let device = DBusValue.objectPath(ObjectTreeTests.device)

    private func request(_ member: String, _ body: [DBusValue] = [Self.device]) -> AgentRequest? {
        AgentRequest(DBusMessage(call: ":1.1", "/agent", BlueZ.agent, member, body))
    }

    @Test func callsAreRequests() {
        let path = ObjectTreeTests.device
        #expect(request("RequestPasskey") == .input(device: path, .enterPasskey))
        #expect(
            request("RequestConfirmation", [Self.device, .uint32(123)])
                == .input(device: path, .compareNumbers(123)))
        #expect(
            request("DisplayPasskey", [Self.device, .uint32(7), .uint16(0)]) == .displayed(device: path, passkey: 7))
        #expect(request("RequestAuthorization") == .authorization(device: path))
        #expect(request("AuthorizeService", [Self.device, .string("180f")]) == .authorization(device: path))
        #expect(request("RequestPinCode") == .unsupported)
        #expect(request("Cancel", []) == .cancelled)
        #expect(request("Release", []) == .released)
    }

    @Test func otherCallsAreNone() {
        #expect(request("RequestPasskey", []) == nil)
        #expect(request("RequestConfirmation") == nil)
        #expect(request("RequestConfirmation", [Self.device, .string("123")]) == nil)
        #expect(request("Unknown") == nil)
        #expect(AgentRequest(DBusMessage(call: ":1.1", "/agent", "org.bluez.Other1", "Cancel")) == nil)
    }

    @Test func answersFitTheirRequests() {
        #expect(AgentRequest.reply(.passkey(123_456), to: .enterPasskey) == .success([.uint32(123_456)]))
        #expect(AgentRequest.reply(.passkey(1_000_000), to: .enterPasskey) == nil)
        #expect(AgentRequest.reply(.confirm(true), to: .enterPasskey) == nil)
        #expect(AgentRequest.reply(.confirm(true), to: .compareNumbers(1)) == .success([]))
        #expect(
            AgentRequest.reply(.confirm(false), to: .compareNumbers(1))
                == .failure(AgentRefusal(name: BlueZ.Fault.rejected)))
        #expect(
            AgentRequest.reply(.cancel, to: .enterPasskey) == .failure(AgentRefusal(name: BlueZ.Fault.canceled)))
    }
}
