import BLERadio
import Bench

/// A board of the virtual bench: a virtual ESP32 that runs a sketch, or a peripheral written in Swift.
protocol BoardOnAir: Board, BoardStorage {
    /// The board's controller; `nil` while it has none.
    var controller: ControllerID? { get }
}
