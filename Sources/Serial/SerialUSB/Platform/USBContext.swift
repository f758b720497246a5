import CLibUSB
import Dispatch
package import SerialPort
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A libusb context: a list of the devices at the time of its creation and, once started, the thread that runs the
/// completions of transfers.
// SAFETY: libusb's functions may be called from any thread; the pointer is constant.
final class USBContext: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let events: EventThread

    /// A new context; enumerates the devices.
    init() throws(USBFault) {
        var made: OpaquePointer?
        let status = libusb_init(&made)
        guard status == 0, let made else { throw USBFault(status: status) }
        pointer = made
        events = EventThread(made)
    }

    deinit { events.end() }

    /// Starts the thread of completions; once.
    func start() { events.start() }

    /// The devices of the machine, without hubs.
    func devices() throws(USBFault) -> [USBDevice] {
        var list: UnsafeMutablePointer<OpaquePointer?>?
        let count = libusb_get_device_list(pointer, &list)
        guard count >= 0, let list else { throw USBFault(status: Int32(truncatingIfNeeded: count)) }
        defer { libusb_free_device_list(list, 1) }
        return (0..<count).compactMap { index in
            list[index].flatMap { USBDevice($0, context: self) }
        }
    }

    /// Calls `changed` on the event thread whenever a device is plugged in or removed; releasing the result ends the
    /// calls. `nil` where the system does not report it.
    func watch(_ changed: @escaping @Sendable () -> Void) -> USBWatchRegistration? {
        USBWatchRegistration(pointer, self, changed)
    }
}

/// Runs libusb's event handling on a thread, and ends the context afterwards.
// SAFETY: the pointer is constant, libusb's functions may be called from any thread, and the flags are atomic.
private final class EventThread: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let mustEnd = Atomic(false)
    private let isStarted = Atomic(false)
    /// Signalled when only the thread still uses the context.
    private let released = DispatchSemaphore(value: 0)

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    func start() {
        guard !isStarted.exchange(true, ordering: .acquiringAndReleasing) else { return }
        DispatchQueue(label: "usb events").async { [self] in
            while !mustEnd.load(ordering: .acquiring) {
                var limit = timeval(tv_sec: 3600, tv_usec: 0)
                libusb_handle_events_timeout_completed(pointer, &limit, nil)
            }
            released.wait()
            libusb_exit(pointer)
        }
    }

    /// Ends the thread, and the context after it.
    func end() {
        guard isStarted.load(ordering: .acquiring) else { return libusb_exit(pointer) }
        mustEnd.store(true, ordering: .releasing)
        libusb_interrupt_event_handler(pointer)
        released.signal()
    }
}

/// A registration for changes of the list of devices.
// SAFETY: all members are constant.
final class USBWatchRegistration: @unchecked Sendable {
    private final class Action: Sendable {
        let changed: @Sendable () -> Void
        init(_ changed: @escaping @Sendable () -> Void) { self.changed = changed }
    }

    private let pointer: OpaquePointer
    private let context: USBContext
    private let action: Action
    private let number: libusb_hotplug_callback_handle

    fileprivate init?(_ pointer: OpaquePointer, _ context: USBContext, _ changed: @escaping @Sendable () -> Void) {
        let action = Action(changed)
        let events = LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED.rawValue | LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT.rawValue
        let any = Int32(LIBUSB_HOTPLUG_MATCH_ANY)
        var number: libusb_hotplug_callback_handle = 0
        let status = libusb_hotplug_register_callback(
            pointer, Int32(events), 0, any, any, any,
            { _, _, _, data in
                if let data { Unmanaged<Action>.fromOpaque(data).takeUnretainedValue().changed() }
                return 0
            }, Unmanaged.passUnretained(action).toOpaque(), &number)
        guard status == 0 else { return nil }
        (self.pointer, self.context, self.action, self.number) = (pointer, context, action, number)
    }

    deinit { libusb_hotplug_deregister_callback(pointer, number) }
}

/// The machine's USB.
enum USBSystem {
    /// True if the machine may have USB devices. A Linux without USB in its kernel has none, and libusb may then refuse
    /// to start.
    static var isPresent: Bool {
        #if os(Linux)
            access("/sys/bus/usb/devices", F_OK) == 0
        #else
            true
        #endif
    }
}

/// The strings of a device.
///
/// Linux keeps them in sysfs, where everybody may read them and no transfer disturbs the device; elsewhere the device
/// must be opened to read them.
struct USBStrings {
    var product = ""
    var serialNumber: String?

    init(_ device: OpaquePointer, _ descriptor: libusb_device_descriptor, location: String) {
        #if os(Linux)
            product = Self.attribute("product", location) ?? ""
            serialNumber = Self.attribute("serial", location)
        #else
            var handle: OpaquePointer?
            guard libusb_open(device, &handle) == 0, let handle else { return }
            defer { libusb_close(handle) }
            product = Self.string(descriptor.iProduct, handle) ?? ""
            serialNumber = Self.string(descriptor.iSerialNumber, handle)
        #endif
    }

    #if os(Linux)
        /// An attribute of a device, from its folder in sysfs, which is named after its location.
        private static func attribute(_ name: String, _ location: String) -> String? {
            guard let file = fopen("/sys/bus/usb/devices/\(location)/\(name)", "re") else { return nil }
            defer { fclose(file) }
            var line = [UInt8](repeating: 0, count: 512)
            let count = fread(&line, 1, line.count, file)
            return DeviceText.printable(String(decoding: line.prefix(count), as: UTF8.self))
        }
    #else
        private static func string(_ index: UInt8, _ handle: OpaquePointer) -> String? {
            guard index != 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = libusb_get_string_descriptor_ascii(handle, index, &bytes, Int32(bytes.count))
            return count > 0 ? DeviceText.printable(String(decoding: bytes.prefix(Int(count)), as: UTF8.self)) : nil
        }
    #endif
}

/// A failure of libusb.
package struct USBFault: Error, Hashable {
    /// The kind of failure for a port.
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

    /// The error of the port called `port`; `action` is the failed operation.
    package func error(_ port: String, _ action: String) -> SerialPortError {
        switch kind {
        case .accessDenied:
            SerialPortError(
                .accessDenied, port: port,
                "this user may not open the USB device; install espbench's udev rule, then plug the board in again")
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
