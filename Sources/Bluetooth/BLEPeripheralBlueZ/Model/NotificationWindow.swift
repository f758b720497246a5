/// How many values are on the way to bluetoothd, which has no flow control of its own: after some values it is asked for
/// a sign of life, which it gives in order. A pure state machine.
package struct NotificationWindow {
    /// The number of values that may be on the way.
    package static let limit = 32

    private var onTheWay = 0
    /// The number of those that the asked sign covers; 0: none is asked for.
    private var covered = 0
    private var isAwaitingRoom = false

    package init() {}

    /// True if another value may be sent; if not, ``answered()`` will say when.
    package mutating func hasRoom() -> Bool {
        guard onTheWay >= Self.limit else { return true }
        isAwaitingRoom = true
        return false
    }

    /// A value was sent; returns whether to ask for a sign now.
    package mutating func sent() -> Bool {
        onTheWay += 1
        return ask()
    }

    /// The sign has come; returns whether to ask for another, and whether there is room for those who wait.
    package mutating func answered() -> (asks: Bool, isRoomAvailable: Bool) {
        onTheWay -= covered
        covered = 0
        defer { isAwaitingRoom = false }
        return (ask(), isAwaitingRoom)
    }

    private mutating func ask() -> Bool {
        guard covered == 0, onTheWay > 0 else { return false }
        covered = onTheWay
        return true
    }
}
