import ArgumentParser

/// The Bluetooth verbs, in the order of the help.
package enum BluetoothVerbs {
    package static let all: [any ParsableCommand.Type] = [
        Scan.self, GATT.self, BLEWrite.self, Notify.self, Pair.self, Forget.self, Adapters.self, BLE.self,
        BLESerialCommand.self, Describe.self, Simulate.self, CalculatorCommand.self, LockVerb.self,
    ]
}
