package import BLECore
package import ByteCodec

/// The command Get Connection Information and its answer: the strength of a connection. The kernel queries the
/// controller at most once a second, and answers with cached values in between.
package enum GetConnectionInformation {
    package static let code: UInt16 = 0x0031
    private static let success: UInt8 = 0x00
    /// The status when the controller refused one of the kernel's commands.
    package static let failed: UInt8 = 0x03

    /// The kernel's answer.
    package struct Answer: Hashable {
        package var controller: UInt16
        /// The peer; `nil` if the kernel rejected the command.
        package var address: DeviceAddress?
        /// In dBm, 127 if it is not known; or the status of the failure.
        package var rssi: Result<Int, Failure>
    }

    /// The status of a command that failed (BlueZ's doc/mgmt-api.txt, "Error Codes"), e.g. 0x02: not connected.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package var status: UInt8

        package var description: String {
            let names: [UInt8: String] = [
                0x01: "unknown command", 0x02: "not connected", 0x03: "failed", 0x0A: "busy", 0x0B: "rejected",
                0x0D: "invalid parameters", 0x0F: "not powered", 0x11: "invalid index", 0x14: "permission denied",
            ]
            let number = Hexadecimal.number(status, digits: 2, uppercase: true)
            return names[status].map { "\($0) (\(number))" } ?? number
        }
    }

    /// The command for a connection of a controller.
    package static func command(_ address: DeviceAddress, on controller: UInt16) -> ManagementPacket {
        ManagementPacket(code, controller: controller, parameters: address.managementBytes)
    }

    /// The kernel's answer; `nil` if the packet is another one.
    package static func answer(_ packet: ManagementPacket) throws(CodecError) -> Answer? {
        guard packet.code == ManagementPacket.commandComplete || packet.code == ManagementPacket.commandStatus else {
            return nil
        }
        var reader = ByteReader(packet.parameters, subject: "Get Connection Information")
        guard try reader.uint16() == code else { return nil }
        let status = try reader.uint8()
        var answer = Answer(controller: packet.controller, address: nil, rssi: .failure(Failure(status: status)))
        guard packet.code == ManagementPacket.commandComplete else { return answer }
        answer.address = try DeviceAddress(management: &reader)
        let rssi = try reader.int8()
        if status == success { answer.rssi = .success(Int(rssi)) }
        return answer
    }
}
