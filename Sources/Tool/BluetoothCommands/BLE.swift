import ArgumentParser

/// `espbench ble`.
struct BLE: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ble",
        abstract: "Scan, connect, read, write, get notified, pair: a BLE central on the command line.",
        discussion: """
            The same verbs without 'ble' do the same, except 'read': 'espbench read' reads a board's flash, unless its \
            first word is a Bluetooth address, or it has --central.
            """,
        subcommands: [
            Adapters.self, Scan.self, GATT.self, BLERead.self, BLEWrite.self, Notify.self, Pair.self, Forget.self,
        ])
}
