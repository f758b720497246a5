#if os(Linux)
    package import BLEPackets
    import Synchronization

    /// A Bluetooth adapter of this machine's kernel, whose controller is at the other end of a transport.
    public final class VHCIAdapter: Sendable {
        /// The device of the driver.
        public static let path = "/dev/vhci"

        private let device: VHCIDevice
        private let (ends, end) = AsyncStream.makeStream(of: String?.self)

        /// Creates the adapter; call ``run(_:)`` soon to connect its controller: the kernel waits 2 s for answers.
        ///
        /// - Throws: ``VHCIError``.
        public init(path: String = VHCIAdapter.path) throws(VHCIError) {
            device = try VHCIDevice(path: path)
        }

        /// The adapter's name: `hci0`.
        package var name: String { "hci\(device.index)" }

        /// Passes packets between the kernel and `controller` until ``stop()`` is called, the task is cancelled, or either end
        /// is lost; then removes the adapter.
        ///
        /// - Returns: the lost end and the reason; `nil` if neither end was lost.
        package func run(_ controller: some HCITransport) async -> String? {
            controller.setReceiver { [device] packet in device.send(packet.h4) }
            controller.setLossHandler { [end] reason in
                end.yield("the controller is gone: \(reason)")
            }
            device.start { bytes in
                guard let kind = bytes.first.flatMap(HCIPacket.Kind.init) else { return }
                controller.send(HCIPacket(kind, Array(bytes.dropFirst())))
            } onEnd: { [end] reason in
                end.yield(reason)
            }
            var lost: String?
            for await reason in ends {
                lost = reason
                break
            }
            device.close()
            return lost
        }

        /// Ends ``run(_:)``. Idempotent.
        public func stop() {
            end.yield(nil)
        }
    }
#endif
