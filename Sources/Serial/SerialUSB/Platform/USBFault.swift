import CLibUSB
package import SerialPort

/// A failure of libusb.
package struct USBFault: Error, Hashable {
    /// What it means for a port.
    package enum Kind: Hashable {
        case accessDenied, busy, gone, stalled, timedOut, cancelled, other
    }

    package var kind: Kind
    /// libusb's text.
    package var text: String

    package init(_ kind: Kind, _ text: String) {
        (self.kind, self.text) = (kind, text)
    }

    /// The failure of a call that returned `status`, a negative `libusb_error`.
    init(status: Int32) {
        kind =
            switch status {
            case LIBUSB_ERROR_ACCESS.rawValue: .accessDenied
            case LIBUSB_ERROR_BUSY.rawValue: .busy
            case LIBUSB_ERROR_NO_DEVICE.rawValue, LIBUSB_ERROR_NOT_FOUND.rawValue: .gone
            case LIBUSB_ERROR_PIPE.rawValue: .stalled
            case LIBUSB_ERROR_TIMEOUT.rawValue: .timedOut
            default: .other
            }
        text = libusb_error_name(status).map { String(cString: $0) } ?? "status \(status)"
    }

    /// The failure of a transfer that ended with `status`; `nil` for success.
    init?(transfer status: libusb_transfer_status) {
        switch status {
        case LIBUSB_TRANSFER_COMPLETED: return nil
        case LIBUSB_TRANSFER_CANCELLED: self.init(.cancelled, "cancelled")
        case LIBUSB_TRANSFER_TIMED_OUT: self.init(.timedOut, "timed out")
        case LIBUSB_TRANSFER_STALL: self.init(.stalled, "refused by the device (STALL)")
        case LIBUSB_TRANSFER_NO_DEVICE: self.init(.gone, "the device is gone")
        case LIBUSB_TRANSFER_OVERFLOW: self.init(.other, "the device sent more than the host asked for")
        default: self.init(.other, "transfer error")
        }
    }

    /// The error of the port called `port`; `action` is what was being done.
    package func error(_ port: String, _ action: String) -> SerialPortError {
        switch kind {
        case .accessDenied:
            SerialPortError(
                .accessDenied, port: port,
                "this user may not open the USB device; install the udev rule with Scripts/setup --udev, then plug the "
                    + "board in again")
        case .busy:
            SerialPortError(
                .busy, port: port, "another program has the USB device; close its serial monitor and try again")
        case .gone: .unplugged(port)
        case .stalled: SerialPortError(.unsupported, port: port, "\(action): the device refused the request (STALL)")
        case .timedOut: SerialPortError(.system, port: port, "\(action): the device did not answer in time")
        case .cancelled: .closed(port)
        case .other: SerialPortError(.system, port: port, "\(action): \(text)")
        }
    }
}

extension SerialPortError {
    /// The device was removed.
    package static func unplugged(_ port: String) -> SerialPortError {
        SerialPortError(.disconnected, port: port, "the device is gone; was it unplugged?")
    }

    /// The port was closed at this end.
    package static func closed(_ port: String) -> SerialPortError {
        SerialPortError(.disconnected, port: port, "the port was closed")
    }
}
