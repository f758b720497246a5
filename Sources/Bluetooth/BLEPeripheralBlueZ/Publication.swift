internal import BLEPeripheral
import BenchExecutor
internal import DBus

/// The state that ``BlueZPeripheral/publish(_:_:)`` has set up.
struct Publication {
    let number: Int
    let bus: DBusConnection
    /// The unique name of bluetoothd.
    let owner: String
    /// The path of the adapter.
    let adapter: String
    /// The former state of the adapter: whether it was powered on, and whether other devices could pair with it.
    let wasPowered: Bool
    let wasPairable: Bool
    /// The devices that bluetoothd already used before.
    let formerDevices: Set<String>
    let handlers: PeripheralHandlers
    var objects: PublishedObjects
    /// True if bluetoothd has registered everything.
    var isComplete = false
    /// The characteristics with subscribers.
    var subscribed: Set<AttributePath> = []
    /// The devices that have used the attributes.
    var users: Set<String> = []
    /// The passkeys shown, by device: bluetoothd repeats them for each key pressed.
    var passkeys: [String: UInt32] = [:]
    var window = NotificationWindow()
    /// The characteristic with an unconfirmed indication.
    var indicated: AttributePath?
    var indicationTimer: BenchExecutor.Event?
    var isAwaitingConfirmation = false
}
