import CLibUSB
internal import SerialPort

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The strings of a device.
///
/// Linux keeps them in sysfs, where everybody may read them and no transfer disturbs the device; elsewhere the device
/// is opened and asked.
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
        /// A line of a device's folder in sysfs, whose name is its location.
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
