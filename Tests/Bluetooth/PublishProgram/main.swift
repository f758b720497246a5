import BLECentralBackends
import BLEPeripheralBackends
import BenchExecutor
import Glibc

// Publishes a peripheral through a Bluetooth stack, and uses it from another one: what a backend of peripherals can do, end
// to end.
let usage = """
    usage: PublishProgram publish ADDRESS          publishes it until a central writes its end, e.g. bluez:hci0
           PublishProgram use ADDRESS LOG [hold]   uses it from another stack; LOG is what publish prints.
                                                   hold: only connects, and waits for the end of the connection
    """

/// Writes a line at once: scripts wait for some.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

let arguments = Array(CommandLine.arguments.dropFirst())
let systemBus = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
let executor = BenchExecutor(pace: .real)

do {
    switch (arguments.first, arguments.count) {
    case ("publish", 2):
        let address = try CentralAddress(arguments[1])
        try executor.run { try await publish(address, on: executor) }
    case ("use", 3), ("use", 4):
        let (address, log) = (try CentralAddress(arguments[1]), arguments[2])
        let isHolding = arguments.count == 4
        try executor.run { try await use(address, log, isHolding: isHolding, on: executor) }
    default:
        say(usage)
        exit(64)
    }
} catch {
    say("error: \(error)")
    exit(1)
}
