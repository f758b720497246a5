import BLECore
import BenchModel
import Foundation
import MonotonicTime
import Testing

@Suite("Timeline lines")
struct TimelineLineWriterTests {
    @Test(
        "are stable byte for byte",
        arguments: [
            (.timeline(version: 1, seed: .max), #""kind":"timeline","version":1,"seed":"18446744073709551615""#),
            (.suite(name: "S", file: "a/b.yaml"), #""kind":"suite","name":"S","file":"a/b.yaml""#),
            (.case(name: "x \"1\""), #""kind":"case","name":"x \"1\"""#),
            (.step(line: 12, text: "reset"), #""kind":"step","line":12,"text":"reset""#),
            (.verdict(cause: nil), #""kind":"verdict","verdict":"passed""#),
            (.verdict(cause: .linkLost), #""kind":"verdict","verdict":"linkLost""#),
            (.boot(text: "waits"), #""kind":"boot","text":"waits""#),
            (
                .hci(isFromHost: true, packet: [0x01, 0x03, 0x0C, 0x00]),
                #""kind":"hci","fromHost":true,"packet":"01030c00""#
            ),
            (.power(isOn: true), #""kind":"power","on":true"#),
            (.reset, #""kind":"reset""#),
            (.flash(bytes: 9, address: 0x10000), #""kind":"flash","bytes":9,"address":65536"#),
            (.console(line: "\u{1B}[0;32mI\t\\é\u{7F}"), #""kind":"console","text":"\u001b[0;32mI\u0009\\é\u007f""#),
            (.input(line: "hi"), #""kind":"input","text":"hi""#),
            (.panic(message: "Guru"), #""kind":"panic","text":"Guru""#),
            (.watchdog(message: "wdt"), #""kind":"watchdog","text":"wdt""#),
            (
                .advertisement(
                    address: "24:0A:C4:00:01:10", name: "N", services: [BLEUUID(0x180F), BLEUUID(1)], rssi: -40),
                #""kind":"advertisement","address":"24:0A:C4:00:01:10","name":"N","services":["180F","0001"],"rssi":-40"#
            ),
            (
                .advertisement(address: "A", name: nil, services: [], rssi: 0),
                #""kind":"advertisement","address":"A","services":[],"rssi":0"#
            ),
            (.connected(address: "A"), #""kind":"connected","address":"A""#),
            (.disconnected(reason: 0x13), #""kind":"disconnected","reason":19"#),
            (.mtu(185), #""kind":"mtu","mtu":185"#),
            (.discovered(services: 3, characteristics: 7), #""kind":"discovered","services":3,"characteristics":7"#),
            (
                .write(attribute: 16, value: [9, 6, 0xFE], hasResponse: false),
                #""kind":"write","attribute":16,"value":"0906fe","response":false"#
            ),
            (.read(attribute: 1, value: []), #""kind":"read","attribute":1,"value":"""#),
            (
                .subscription(attribute: 18, kind: .notifications),
                #""kind":"subscription","attribute":18,"to":"notifications""#
            ),
            (.notification(attribute: 18, value: [0x36]), #""kind":"notification","attribute":18,"value":"36""#),
            (.indication(attribute: 18, value: [0]), #""kind":"indication","attribute":18,"value":"00""#),
            (.attError(attribute: 18, code: 3), #""kind":"attError","attribute":18,"code":3"#),
        ] as [(BenchEvent.Payload, String)])
    func line(payload: BenchEvent.Payload, expected: String) throws {
        var writer = TimelineLineWriter()
        writer.append(BenchEvent(time: MonotonicInstant(nanoseconds: 1_200_300), source: "first", payload: payload))
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text == #"{"t":1200300,"source":"first","# + expected + "}\n")
        _ = try JSONSerialization.jsonObject(with: Data(writer.bytes))
    }
}
