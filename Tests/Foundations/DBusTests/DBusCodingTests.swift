import Testing

import DBus

@Suite struct DBusCodingTests {
    private static let values: [DBusValue] = [
        .byte(7), .boolean(true), .int16(-2), .uint16(65_535), .int32(-70_000), .uint32(.max), .int64(.min),
        .uint64(.max), .double(-0.5), .string("Grüße"), .objectPath("/org/bluez/hci0"), .signature("a{sv}"),
        .variant(.variant(.bytes([1, 2, 3]))), .bytes([]), .array(.string, []),
        .array(
            .structure([.byte, .uint64]), [.structure([.byte(1), .uint64(2)]), .structure([.byte(3), .uint64(4)])]),
        .structure([.byte(1), .structure([.string(""), .boolean(false)])]),
        .dictionary(.uint16, .variant, [.init(.uint16(0x004C), .variant(.bytes([2, 21])))]),
        .options(["offset": .uint16(0), "type": .string("request")]),
    ]

    private func decoded(_ bytes: [UInt8]) throws -> [DBusMessage] {
        var framer = DBusFramer()
        return try framer.receive(bytes, [])
    }

    @Test func allTypesAreReadAsTheyWereWritten() throws {
        var message = DBusMessage(call: "org.example.Peer", "/a/b", "org.example.Peer", "Echo", Self.values)
        message.serial = 42
        let bytes = try message.encoded()
        let read = try #require(try decoded(bytes).first)
        #expect(read.body == Self.values)
        #expect(read.signature == message.signature)
        #expect(read.kind == .methodCall && read.serial == 42 && read.expectsReply)
        #expect(read.path == "/a/b" && read.interface == "org.example.Peer" && read.member == "Echo")
        #expect(read.destination == "org.example.Peer" && read.sender == nil)
    }

    /// The first message of dbus-daemon 1.14.10's clients, as `busctl capture` has it.
    @Test func helloIsThatOfOtherClients() throws {
        var hello = DBusMessage(call: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")
        hello.serial = 1
        let bytes = try hello.encoded()
        #expect(bytes.prefix(16) == [0x6C, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0x6D, 0, 0, 0])
        #expect(bytes.count == 128)
        #expect(bytes[16..<24] == [1, 1, 0x6F, 0, 21, 0, 0, 0])
    }

    /// A signal of serial 9 with the array 5, -2 of 16-bit integers.
    @Test func bigEndianMessagesAreRead() throws {
        let header: [UInt8] = [0x42, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0, 8]
        let fields: [UInt8] = [8, 1, 0x67, 0, 2, 0x61, 0x6E, 0]
        let read = try #require(try decoded(header + fields + [0, 0, 0, 4, 0, 5, 0xFF, 0xFE]).first)
        #expect(read.kind == .signal && read.serial == 9)
        #expect(read.body == [.array(.int16, [.int16(5), .int16(-2)])])
    }

    @Test func messagesAreFramedAtAnyBoundary() throws {
        var first = DBusMessage(call: "a.b", "/", "a.b", "One", [.bytes([1, 2, 3])])
        first.serial = 1
        var second = DBusMessage(call: "a.b", "/", "a.b", "Two")
        second.serial = 2
        let bytes = try first.encoded() + second.encoded()
        for split in 0...bytes.count {
            var framer = DBusFramer()
            let messages = try framer.receive(Array(bytes[..<split]), []) + framer.receive(Array(bytes[split...]), [])
            #expect(messages.map(\.member) == ["One", "Two"])
        }
    }

    @Test func noByteStopsTheReader() throws {
        var message = DBusMessage(call: "org.example.Peer", "/a/b", "org.example.Peer", "Echo", Self.values)
        message.serial = 42
        let bytes = try message.encoded()
        for position in bytes.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var broken = bytes
                broken[position] = value
                // An error, or another message: no trap.
                do {
                    _ = try decoded(broken)
                } catch let error as DBusError {
                    #expect(error.code == .protocolViolation)
                }
            }
        }
    }

    @Test(arguments: [
        (DBusValue.objectPath("a"), "object path: expected /NAME/…, got \"a\""),
        (.objectPath("/a/"), "object path: expected /NAME/…, got \"/a/\""),
        (.string("a\u{0}b"), "string: expected no zero in it, got one"),
        (.array(.byte, [.string("a")]), "an element: expected type y, got s"),
    ])
    func whatCannotBeSentIsRefused(value: DBusValue, detail: String) {
        let message = DBusMessage(call: "a.b", "/", "a.b", "C", [value])
        let error = #expect(throws: DBusError.self) { try message.encoded() }
        #expect(error == DBusError(.invalidMessage, detail))
    }

    @Test func accessorsAreNilForOtherTypes() {
        let options = DBusValue.options(["a": .byte(1), "b": .string("x")])
        #expect(options.members == ["a": .byte(1), "b": .string("x")])
        #expect(DBusValue.variant(.uint64(.max)).integer == nil)
        #expect(DBusValue.variant(.int16(-5)).integer == -5)
        #expect(DBusValue.byte(1).text == nil && DBusValue.string("").bool == nil && options.octets == nil)
    }

    @Test func authenticationAnswersLineByLine() throws {
        #expect(DBusAuthentication.greeting(userID: 1000) == [0] + Array("AUTH EXTERNAL 31303030\r\n".utf8))
        var state = DBusAuthentication()
        let input = Array("OK 1234\r\nAGREE_UNIX_FD\r\nrest".utf8)
        var rest = input[...]
        var replies: [String] = []
        while !state.isDone {
            let (reply, used) = try state.receive(rest.prefix(5))
            rest = rest.dropFirst(used)
            if !reply.isEmpty { replies.append(String(decoding: reply, as: UTF8.self)) }
        }
        #expect(replies == ["NEGOTIATE_UNIX_FD\r\n", "BEGIN\r\n"])
        #expect(state.passesDescriptors)
        #expect(String(decoding: rest, as: UTF8.self) == "rest")
    }
}
