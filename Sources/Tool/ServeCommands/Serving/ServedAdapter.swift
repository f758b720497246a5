#if canImport(VirtualBoard)
    internal import BLECore
    import BLERadio
    import BLERadioServing
    import CommandSupport

    /// An adapter of this machine's kernel, whose controller is on a served air.
    struct ServedAdapter: Sendable {
        private let adapter: VHCIAdapter
        private let kind: ControllerKind
        private let address: DeviceAddress

        /// Creates the adapter; ``run(on:_:)`` must follow within 2 s.
        ///
        /// - Throws: ``CommandFailure`` when the kernel has no virtual controllers, or this user may not make one.
        init(_ kind: ControllerKind, _ address: DeviceAddress) throws(CommandFailure) {
            do throws(VHCIError) {
                adapter = try VHCIAdapter()
            } catch {
                throw CommandFailure(error)
            }
            self.kind = kind
            self.address = address
        }

        /// The output: the adapter, the kind of its controller and its address.
        var served: ServedAddress {
            ServedAddress(address: adapter.name, controller: kind.rawValue, bluetooth: "\(address)")
        }

        /// Serves the kernel until ``stop()`` is called.
        func run(on radio: Radio, _ output: Output) async {
            let port = await radio.attach(address: address, personality: kind.personality)
            let reason = await adapter.run(port)
            await radio.detach(port)
            if let reason { output.note("error: \(adapter.name): \(reason)") }
        }

        /// Removes the adapter.
        func stop() { adapter.stop() }
    }
#endif
