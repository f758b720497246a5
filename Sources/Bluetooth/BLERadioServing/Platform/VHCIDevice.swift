#if os(Linux)
    import Dispatch
    import Glibc

    /// A virtual controller of this machine's kernel, created by the driver hci_vhci: the kernel's host sends H4
    /// packets to it.
    ///
    /// The driver answers `ff 00` with `ff 00` and the adapter's index; from then on each read and each write is one
    /// packet (Linux, drivers/bluetooth/hci_vhci.c). The adapter exists until the file is closed, at the latest at the
    /// end of the process.
    // SAFETY: every stored `var` and the dispatch source are touched on `queue` only (and in `deinit`, when no other
    // reference is left).
    final class VHCIDevice: @unchecked Sendable {
        private static let vendorPacket: UInt8 = 0xFF
        private static let createPrimary: UInt8 = 0
        /// More than any packet of a controller whose ACL data have at most 251 bytes.
        private static let packetLimit = 8192
        /// How long the driver may take to answer, in milliseconds.
        private static let answerLimit: Int32 = 10_000

        /// The number of the adapter: 0 is hci0.
        let index: UInt16
        private let descriptor: Int32
        private let queue = DispatchQueue(label: "espbench.vhci")
        private let source: any DispatchSourceRead
        /// Packets that arrived before the driver's answer.
        private var early: [[UInt8]]
        private var onPacket: (@Sendable ([UInt8]) -> Void)?
        private var onEnd: (@Sendable (String) -> Void)?
        private var isStarted = false
        private var isClosed = false

        /// Creates an adapter. The kernel sends packets at once; they are queued until ``start(_:onEnd:)``.
        init(path: String) throws(VHCIError) {
            let descriptor = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { throw Self.notOpened(path, errno) }
            do throws(VHCIError) {
                (index, early) = try Self.create(descriptor, path)
            } catch {
                Glibc.close(descriptor)
                throw error
            }
            self.descriptor = descriptor
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setCancelHandler { Glibc.close(descriptor) }
            source.setEventHandler { [weak self] in self?.readAll() }
        }

        deinit { shut("closed") }

        private static func create(_ descriptor: Int32, _ path: String) throws(VHCIError) -> (UInt16, [[UInt8]]) {
            let request = [vendorPacket, createPrimary]
            guard write(descriptor, request, request.count) == request.count else {
                throw VHCIError(.refused, "\(path): the kernel refused a controller: \(text(errno))")
            }
            var early: [[UInt8]] = []
            while true {
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                let count = poll(&entry, 1, answerLimit)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    throw VHCIError(
                        .refused, "\(path): expected the index of an adapter from the kernel, got no answer")
                }
                switch read(descriptor) {
                case .packet(let packet) where packet.first == vendorPacket:
                    guard packet.count == 4 else {
                        throw VHCIError(
                            .refused, "\(path): expected ff 00 and an index in 4 bytes, got \(packet.count) bytes")
                    }
                    return (UInt16(packet[2]) | UInt16(packet[3]) << 8, early)
                case .packet(let packet): early.append(packet)
                case .none: continue
                case .failed(let code):
                    throw VHCIError(.system, "\(path): reading failed: \(text(code))")
                }
            }
        }

        private enum Input {
            case packet([UInt8])
            case none
            case failed(Int32)
        }

        private static func read(_ descriptor: Int32) -> Input {
            var code: Int32 = 0
            let packet = [UInt8](unsafeUninitializedCapacity: packetLimit) { pointer, count in
                let received = Glibc.read(descriptor, pointer.baseAddress, packetLimit)
                if received < 0 { code = errno }
                count = max(0, received)
            }
            if code == EAGAIN || code == EINTR { return .none }
            return packet.isEmpty ? .failed(code) : .packet(packet)
        }

        /// Delivers packets from now on, in order, on a queue of the device; `onEnd` is called once, with the reason.
        func start(_ onPacket: @escaping @Sendable ([UInt8]) -> Void, onEnd: @escaping @Sendable (String) -> Void) {
            queue.async { [self] in
                guard !isStarted, !isClosed else { return }
                isStarted = true
                self.onPacket = onPacket
                self.onEnd = onEnd
                for packet in early { onPacket(packet) }
                early = []
                source.resume()
            }
        }

        private func readAll() {
            while !isClosed {
                switch Self.read(descriptor) {
                case .packet(let packet): onPacket?(packet)
                case .none: return
                case .failed(let code): shut("reading from the kernel failed: \(Self.text(code))")
                }
            }
        }

        /// Sends an H4 packet to the kernel.
        func send(_ packet: [UInt8]) {
            queue.async { [self] in
                guard !isClosed, write(descriptor, packet, packet.count) < 0 else { return }
                let code = errno
                // The driver does not wait, and refuses packets for an adapter that is off (ENXIO), e.g. a last event
                // after power-off. A refused packet is lost.
                guard ![EAGAIN, EINTR, ENXIO].contains(code) else { return }
                shut("writing to the kernel failed: \(Self.text(code))")
            }
        }

        /// Removes the adapter. Idempotent.
        func close() {
            queue.sync { shut("closed") }
        }

        private func shut(_ reason: String) {
            guard !isClosed else { return }
            isClosed = true
            // A suspended source does not call its cancel handler.
            if !isStarted { source.resume() }
            source.cancel()
            onEnd?(reason)
            onPacket = nil
            onEnd = nil
        }

        private static func text(_ code: Int32) -> String {
            code == 0 ? "it has ended" : String(cString: strerror(code))
        }

        private static func notOpened(_ path: String, _ code: Int32) -> VHCIError {
            switch code {
            case ENOENT where access("/sys/class/misc/vhci", F_OK) == 0:
                VHCIError(
                    .notInContainer,
                    "\(path): expected the device of hci_vhci, got no such file although the kernel has the module")
            case ENOENT, ENODEV, ENXIO:
                VHCIError(.noDevice, "\(path): expected the device of the kernel's module hci_vhci, got \(text(code))")
            case EACCES, EPERM: VHCIError(.accessDenied, "\(path): opening it failed: \(text(code))")
            default: VHCIError(.system, "\(path): opening it failed: \(text(code))")
            }
        }
    }
#endif
