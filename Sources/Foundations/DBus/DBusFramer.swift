/// Splits a stream of bytes into messages. A pure state machine.
package struct DBusFramer {
    private var buffer: [UInt8] = []
    private var descriptors: [DBusFileDescriptor] = []

    package init() {}

    /// Adds received bytes, and the file descriptors that came with them; returns the complete messages.
    ///
    /// - Throws: code `protocolViolation`; the stream cannot be used further.
    package mutating func receive(
        _ bytes: some Sequence<UInt8>, _ descriptors: [DBusFileDescriptor]
    ) throws(DBusError) -> [DBusMessage] {
        buffer.append(contentsOf: bytes)
        if !descriptors.isEmpty { self.descriptors += descriptors }
        var messages: [DBusMessage] = []
        var start = 0
        while buffer.count - start >= DBusMessage.fixedHeaderSize {
            let length = try DBusMessage.length(buffer[start..<start + DBusMessage.fixedHeaderSize])
            guard buffer.count - start >= length else { break }
            messages.append(try DBusMessage(buffer[start..<start + length], &self.descriptors))
            start += length
        }
        if start == buffer.count { buffer.removeAll(keepingCapacity: true) } else { buffer.removeFirst(start) }
        return messages
    }
}
