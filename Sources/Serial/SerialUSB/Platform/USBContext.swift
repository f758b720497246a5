import CLibUSB
import Dispatch
import Synchronization

/// A libusb context: a list of the devices at the time of its making, and, once started, the thread that runs the
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

    /// Calls `changed` on the event thread whenever a device is plugged in or removed; the result ends that when it is
    /// released. `nil` where the system does not tell.
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
    /// Signalled when nothing outside the thread uses the context any more.
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
