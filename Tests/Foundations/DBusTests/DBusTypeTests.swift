import Testing

import DBus

@Suite struct DBusTypeTests {
    @Test(arguments: ["", "y", "ay", "a{sv}", "a{oa{sa{sv}}}", "(ii)", "a(yv)", "sa{sv}as", "aai", "((y)(s))", "gh"])
    func signaturesAreReadAndWritten(signature: String) throws {
        #expect(try DBusType.parse(signature).map(\.code).joined() == signature)
    }

    @Test(arguments: [
        ("a", "expected a type at position 1"), ("()", "expected a type at position 1"),
        ("(i", #"expected ")" at position 2"#), ("a{vs}", "expected a key of a basic type at position 3"),
        ("a{s}", "expected a type at position 3"), ("a{ssv}", #"expected "}" at position 4"#),
        ("{sv}", "expected a type at position 0"), ("z", "expected a type at position 0"),
        ("i)", "expected a type at position 1"),
        (String(repeating: "a", count: 34) + "y", "expected at most 32 levels of nesting"),
        (String(repeating: "(", count: 40) + "y", "expected at most 32 levels of nesting"),
        (String(repeating: "y", count: 256), "expected at most 255 codes, got 256"),
    ])
    func malformedSignaturesAreRefused(signature: String, detail: String) {
        let error = #expect(throws: DBusError.self) { try DBusType.parse(signature) }
        #expect(error?.code == .protocolViolation)
        #expect(error?.detail.contains(detail) == true, "\(error?.detail ?? "")")
    }

    @Test func addressesAreRead() throws {
        #expect(try DBusAddress("unix:path=/run/bus").socket == .path("/run/bus"))
        #expect(try DBusAddress("unix:abstract=/tmp/x,guid=12").socket == .abstract("/tmp/x"))
        #expect(try DBusAddress("tcp:host=a,port=1;unix:guid=1,path=/a%20b").socket == .path("/a b"))
        #expect(DBusAddress.system.description == "unix:path=/var/run/dbus/system_bus_socket")
        for text in ["", "tcp:host=a", "unix:", "unix:path=", "unix:path=%4", "/run/bus"] {
            let error = #expect(throws: DBusError.self) { try DBusAddress(text) }
            #expect(error?.code == .invalidAddress)
            #expect(
                error?.detail
                    == "address of a bus: expected unix:path=FILE or unix:abstract=NAME, got \"\(text)\"")
        }
    }

    @Test func rulesQuoteApostrophes() {
        #expect(
            DBusMatch(sender: "org.bluez", pathNamespace: "/a", interface: "b", member: "c", argument0: "it's").rule
                == #"type='signal',sender='org.bluez',path_namespace='/a',interface='b',member='c',arg0='it'\''s'"#)
    }
}
