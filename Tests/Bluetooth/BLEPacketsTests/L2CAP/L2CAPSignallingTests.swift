import BLEPackets
import ByteCodec
import Testing

/// One packet from the specification or a recording.
private struct Vector: CustomTestStringConvertible, Sendable {
    var hex: String
    var identifier: UInt8
    var command: any L2CAPSignallingCommand
    var testDescription: String { "\(type(of: command).name) \(hex)" }

    init(_ hex: String, _ identifier: UInt8, _ command: any L2CAPSignallingCommand) {
        self.hex = hex
        self.identifier = identifier
        self.command = command
    }
}

/// The rejects and the requests are from `nimble-smp-l2cap.jsonl`; the rest are the layouts of Core 5.4, Vol 3 Part A 4.
private let vectors = [
    Vector("01 01 0200 0000", 1, L2CAPCommandReject(.commandNotUnderstood)),
    Vector("01 07 0400 0100 1700", 7, L2CAPCommandReject(.signallingMTUExceeded(actualMTU: 23))),
    Vector(
        "01 00 0600 0200 2000 0000", 0,
        L2CAPCommandReject(
            .invalidChannel(local: L2CAPChannelID(rawValue: 0x20), remote: L2CAPChannelID(rawValue: 0)))),
    Vector("01 09 0200 0300", 9, L2CAPCommandReject(.other(3))),
    Vector(
        "12 01 0800 0600 0c00 0000 c800", 1,
        L2CAPConnectionParameterUpdateRequest(intervalMin: 6, intervalMax: 12, latency: 0, timeout: 200)),
    Vector("13 02 0200 0000", 2, L2CAPConnectionParameterUpdateResponse(result: 0)),
    Vector("13 03 0200 0100", 3, L2CAPConnectionParameterUpdateResponse(result: 1)),
]

@Suite struct L2CAPSignallingTests {
    @Test(arguments: vectors) private func matchesItsVector(_ vector: Vector) throws {
        try check(vector.command, vector)
    }

    private func check<Command: L2CAPSignallingCommand>(_ command: Command, _ vector: Vector) throws {
        let bytes = try #require(Hexadecimal.bytes(vector.hex))
        var reader = ByteReader(bytes, subject: "vector")
        let packet = try L2CAPSignallingPacket(from: &reader)
        #expect(packet.code == Command.code)
        #expect(packet.identifier == vector.identifier)
        #expect(try Command(decoding: packet.data) == command)

        var writer = ByteWriter()
        L2CAPSignallingPacket(command, identifier: vector.identifier).write(to: &writer)
        #expect(writer.bytes == bytes)
    }

    @Test func everyCommandHasAVectorAndAUniqueCode() {
        let codes = L2CAPSignallingCode.commands.map { $0.code }
        #expect(Set(codes).count == codes.count)
        #expect(Set(codes) == Set(vectors.map { type(of: $0.command).code }))
    }

    @Test(arguments: vectors) private func everyShorterCutIsAnError(_ vector: Vector) throws {
        let bytes = try #require(Hexadecimal.bytes(vector.hex))
        for count in bytes.indices {
            var reader = ByteReader(bytes[..<count], subject: "cut")
            #expect(throws: CodecError.self) { try L2CAPSignallingPacket(from: &reader) }
        }
        let data = bytes[4...]
        for count in data.indices {
            #expect(throws: CodecError.self) {
                try type(of: vector.command).init(decoding: data[..<count])
            }
        }
    }

    @Test func bytesAfterAPacketAreAnError() {
        var reader = ByteReader([0x13, 2, 2, 0, 0, 0, 0x13], subject: "L2CAP signalling packet")
        #expect {
            try L2CAPSignallingPacket(from: &reader)
        } throws: {
            "\($0)" == "L2CAP signalling packet: expected the end, got 1 more byte (at offset 6)"
        }
    }

    @Test func surplusDataIsAnErrorThatNamesTheCommand() {
        #expect {
            try L2CAPConnectionParameterUpdateResponse(decoding: [0, 0, 0])
        } throws: {
            "\($0)" == "L2CAP Connection Parameter Update Response: expected the end, got 1 more byte (at offset 2)"
        }
    }
}
