package import SerialPort

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension SerialPortError {
    /// The error for a system call's `errno`, with advice for the user.
    package static func system(_ number: Int32, port: String, _ action: String) -> SerialPortError {
        let text = String(cString: strerror(number))
        switch number {
        case ENOENT:
            return SerialPortError(.notFound, port: port, "there is no such port")
        case EACCES, EPERM:
            return SerialPortError(
                .accessDenied, port: port,
                "this user may not open it; join the group that owns it (sudo usermod -aG dialout $USER), "
                    + "then log in again")
        case EBUSY, EWOULDBLOCK:
            return SerialPortError(
                .busy, port: port, "another program has it; close its serial monitor and try again")
        case EIO, ENXIO, ENODEV, EBADF:
            return disconnected(port)
        case ENOTTY:
            return SerialPortError(.noSerialPort, port: port, "expected a serial port, got another kind of file")
        case EISDIR:
            return SerialPortError(.noSerialPort, port: port, "expected a serial port, got a folder")
        default:
            return SerialPortError(.system, port: port, "\(action): \(text) (errno \(number))")
        }
    }

    /// The error for an `errno`; if another program has the port open, with the program's name if it can be found.
    static func busy(_ path: String, _ number: Int32, _ action: String) -> SerialPortError {
        var error = system(number, port: path, action)
        #if os(Linux)
            guard error.code == .busy else { return error }
            let real = SystemFiles.link(path).map { target in
                target.hasPrefix("/") ? target : "/dev/\(SystemFiles.lastPart(target))"
            }
            let file = real ?? path
            guard let holder = PortHolders(processes: "/proc").holders(of: [file])[file] else { return error }
            error.detail = "\(holder) has it open; end that program and try again"
        #endif
        return error
    }

    /// The device was removed.
    static func disconnected(_ port: String) -> SerialPortError {
        SerialPortError(.disconnected, port: port, "the device is gone; was it unplugged?")
    }

    /// The port was closed at this end.
    static func closed(_ port: String) -> SerialPortError {
        SerialPortError(.disconnected, port: port, "the port was closed")
    }
}
