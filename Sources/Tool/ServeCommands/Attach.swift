import ArgumentParser
internal import BenchExecutor
internal import BLECentral
import BLECentralBackends
import BLEH4
import BLERadioServing
import CommandSupport

/// `espbench attach`.
struct Attach: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Attach a Bluetooth controller to this machine's kernel, as an adapter.",
        discussion: """
            The controller speaks H4: it is served by 'espbench serve --h4' on this or another machine, or is on a \
            serial line with RTS and CTS. Prints the adapter's name, e.g. hci0; bluetoothd and its clients can use the \
            adapter until Ctrl-C, or until the connection is lost. Linux, as root, with the kernel's module hci_vhci.
            """)

    @Argument(
        help: ArgumentHelp(
            "h4:HOST:PORT or h4:/dev/TTY[,BAUD].", valueName: "controller"),
        transform: Self.place(of:))
    var controller: H4Address

    private static func place(of text: String) throws -> H4Address {
        guard case .h4(let place) = try CentralAddress(text) else {
            throw ValidationError("Expected h4:HOST:PORT or h4:/dev/TTY[,BAUD], got '\(text)'.")
        }
        return place
    }

    func run() throws {
        #if os(Linux)
            let output = Output(Environment.process)
            let place = controller
            try CommandRunner.run(output) { executor in
                let port = try await Self.open(place)
                let controller = H4Transport(port, on: executor)
                let lost = try await Self.attach(controller, output)
                await controller.close()
                if let lost { throw CommandFailure(.portFailed, "h4:\(place): \(lost)", code: "port.disconnected") }
                return .passed
            }
        #else
            throw CommandFailure(.nothingRan, "only Linux has adapters with controllers of programs")
        #endif
    }
}

#if os(Linux)
    import SerialPort

    extension Attach {
        private static func open(_ place: H4Address) async throws(CommandFailure) -> any SerialPort {
            do throws(CentralOpenError) {
                return try await H4Port.open(place)
            } catch {
                throw CommandFailure(.portFailed, error.description, code: "central.\(error.code.rawValue)")
            }
        }

        /// Serves the kernel until the user ends the program, or either end is lost; reports the loss.
        private static func attach(_ controller: H4Transport, _ output: Output) async throws -> String? {
            let adapter: VHCIAdapter
            do throws(VHCIError) {
                adapter = try VHCIAdapter()
            } catch {
                throw CommandFailure(error)
            }
            EndingSignals.watch { _ in adapter.stop() }
            defer { EndingSignals.end() }
            output.data(adapter.name + "\n")
            try output.checkData()
            return await adapter.run(controller)
        }
    }

    extension CommandFailure {
        /// The failure to attach a controller to the kernel.
        package init(_ error: VHCIError) {
            self.init(.portFailed, error.description, code: "vhci.\(error.code.rawValue)")
        }
    }
#endif
