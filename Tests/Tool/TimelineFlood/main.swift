// A live page with nothing but a timeline, for tests in a browser and figures: of events that come fast, or of a file.
//
//   TimelineFlood ROWS PER-SECOND   ROWS events at that rate, from the first line read from standard input on; 0: at once
//   TimelineFlood FILE              the stored timeline
//
// Prints the page's address, and "done" after the last event. Ends with standard input.

import BenchModel
import Foundation
import LivePage
import MonotonicTime
import SystemPackage

/// An event of a run with a busy board: what tests look for has the event's number.
func event(_ number: Int) -> BenchEvent {
    let (source, payload): (String, any EventPayload) =
        switch number % 8 {
        case 0: ("console", ConsoleLineReceived("[\(number)] temperature 21.\(number % 100) °C, heap 187432"))
        case 1, 5:
            (
                "controller 0",
                HCIPacketObserved(
                    isFromHost: false,
                    packet: [2, 0x40, 0x20, 8, 0, 4, 0, 4, 0, 0x1B, 20, 0, UInt8(truncatingIfNeeded: number)])
            )
        case 2:
            (
                "phone",
                NotificationReceived(
                    EventAttribute(handle: 20, name: "output"), value: [UInt8(truncatingIfNeeded: number)])
            )
        case 3: ("board", PinChanged(pin: 13, isHigh: number % 16 == 3))
        case 4: ("suite", StepBegan(line: number % 90, step: "write: {to: input, bytes: [9, 6, 2]}"))
        case 6:
            (
                "phone",
                ValueWritten(EventAttribute(handle: 18, name: "input"), value: [9, 6, 2], hasResponse: false)
            )
        default: ("console", ConsoleLineReceived("[\(number)] Sending response:   \(String(number % 256, radix: 16))"))
        }
    return BenchEvent(
        time: MonotonicInstant(nanoseconds: Int64(number) * 100_000), source: source, payload: payload)
}

/// Writes a line at once.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let arguments = CommandLine.arguments.dropFirst()
let clock = ContinuousClock()
let time = LiveTime(clock)
let hub = LiveHub(run: "\(getpid())")
let numbers = arguments.compactMap { Int($0) }
let isFlood = numbers.count == 2
let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
let store =
    isFlood
    ? TimelineStore(
        run: hub.run,
        recordingTo: try FileDescriptor.open(
            path, .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite))
    : TimelineStore(run: hub.run)
if isFlood { unlink(path) }
var generator = SystemRandomNumberGenerator()
var routes = LiveRoutes()
routes.addTimeline(store)
let server = try LiveServer(port: 0, token: AccessToken(using: &generator), hub: hub, routes: routes, time: time)
say(server.address)
Task.detached { try await server.run() }
Task.detached { try await store.publish(to: hub, time: time) }
if isFlood {
    let (rows, rate) = (numbers[0], numbers[1])
    if rate > 0 { _ = readLine() }
    let start = clock.now
    var sent = 0
    while sent < rows {
        let due = rate == 0 ? rows : Int((clock.now - start) / .seconds(1) * Double(rate))
        while sent < min(due, rows) {
            store.receive(.event(event(sent)))
            sent += 1
        }
        try await clock.sleep(for: .milliseconds(5))
    }
    say("done")
} else {
    let file = FilePath(arguments.first ?? "")
    Task.detached { try await store.follow(file) { try await clock.sleep(for: .milliseconds(100)) } }
}
while readLine() != nil {}
