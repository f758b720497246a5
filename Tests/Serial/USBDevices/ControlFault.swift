/// What goes wrong with a control request.
package enum ControlFault: String, Sendable, CaseIterable {
    /// The device refuses it.
    case stall
    /// The device does not answer.
    case silence
    /// The device does what is asked for, but its answer is damaged on the way.
    case loss
    /// The device is unplugged with it.
    case unplug
}
