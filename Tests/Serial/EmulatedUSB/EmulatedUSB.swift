#if canImport(VirtualBoard)
    import BLERadio
    import BenchExecutor
    import FirmwareBuild
    import Foundation
    import USBDevices
    import VirtualBoard

    /// Serves emulated USB devices over USB/IP, each wired to a virtual board or to a loopback; for tests.
    @main
    enum EmulatedUSB {
        private static let usage = """
            usage: EmulatedUSB [--port N] [--listen ADDRESS] {[--reenumeration MS] [--ports 1.4.2] DEVICE}…
            DEVICE is KIND[~DESCRIPTOR-FAULT][:SERIAL][=loopback|=source:BYTES|=FLASH-FILE].
            Kinds: \(DeviceOffer.kinds.joined(separator: ", ")).
            Descriptor faults: \(DescriptorFault.allCases.map(\.rawValue).joined(separator: ", ")).
            Without a wiring a device has a virtual board with an erased flash of its own. Boards run images of this user's
            espbench. Prints "port N", then "BUSID KIND" for each device. Commands on standard input, each answered by a
            line: plug BUSID, unplug BUSID, become BUSID DEVICE (the next that is plugged in there),
            fault BUSID stall|silence|loss|unplug|none REQUEST (the class and vendor requests of this number, in
            hexadecimal), quit; the end of the input changes nothing.
            """

        static func main() {
            signal(SIGPIPE, SIG_IGN)
            do {
                let options = try Options(CommandLine.arguments.dropFirst())
                let executor = BenchExecutor(pace: .real)
                try executor.run { try await serve(options, executor) }
            } catch {
                FileHandle.standardError.write(Data("EmulatedUSB: \(error)\n\(usage)\n".utf8))
                exit(2)
            }
        }

        private static func serve(_ options: Options, _ executor: BenchExecutor) async throws {
            let log: @Sendable (String) -> Void = { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
            let radio = Radio(executor, seed: 1)
            var stations: [USBStation] = []
            var boards: [VirtualBoard] = []
            for (index, offer) in options.devices.enumerated() {
                let peer: any UARTPeer
                switch offer.wiring {
                case .loopback:
                    peer = LoopbackPeer()
                case .source(let count):
                    peer = SourcePeer(count: count, on: executor)
                case .board(let path):
                    let key = try SealingKey.load(path: try UserFolders(ProcessInfo.processInfo.environment).sealingKey)
                    let configuration = VirtualBoard.Configuration(
                        name: "virtual ESP32 \(index + 1)", flashPath: path, number: UInt32(index) + 1, key: key,
                        seed: 1)
                    let board = try VirtualBoard(configuration, on: radio, executor)
                    await board.powerOn()
                    boards.append(board)
                    peer = BoardPeer(board, hasUART: offer.hasUART, settings: offer.chip().settings, on: executor)
                }
                stations.append(
                    USBStation(
                        USBPlace(device: UInt16(index) + 1, ports: offer.ports), peer: peer,
                        reenumeration: offer.reenumeration, on: executor, log: log,
                        { offer.chip() }))
            }
            let server = try USBIPServer(stations, host: options.address, port: options.port, on: executor, log: log)
            say("port \(server.port)")
            for (station, offer) in zip(stations, options.devices) { say("\(station.place.busID) \(offer.kind)") }
            let served = stations
            let commands = lines()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await server.run() }
                group.addTask {
                    for await line in commands {
                        let words = line.split(separator: " ").map(String.init)
                        guard words.first != "quit" else { break }
                        let station = words.count > 1 ? served.first { $0.place.busID == words[1] } : nil
                        var answer: String?
                        if let station { answer = await perform(words, on: station) }
                        say(answer ?? "error: not a command: \(line)")
                    }
                    server.stop()
                }
                await group.waitForAll()
            }
            for board in boards { try await board.powerOff() }
        }

        /// The answer to a command; `nil` when it is not one.
        private static func perform(_ words: [String], on station: USBStation) async -> String? {
            switch (words[0], words.count) {
            case ("plug", 2), ("unplug", 2):
                await station.setPlugged(words[0] == "plug")
                return "\(words[0])ged \(words[1])"
            case ("become", 3):
                guard let offer = DeviceOffer(words[2], reenumeration: nil) else { return nil }
                await station.become { offer.chip() }
            case ("fault", 4):
                let fault = ControlFault(rawValue: words[2])
                guard fault != nil || words[2] == "none", let request = UInt8(words[3], radix: 16) else { return nil }
                await station.setFault(fault, request: request)
            default: return nil
            }
            return "done \(words[1])"
        }

        /// Prints a line at once, also into a pipe.
        private static func say(_ line: String) {
            FileHandle.standardOutput.write(Data("\(line)\n".utf8))
        }

        /// The lines of standard input; stays open at its end.
        private static func lines() -> AsyncStream<String> {
            let (stream, continuation) = AsyncStream.makeStream(of: String.self)
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
            }
            return stream
        }
    }
#else
    /// Nothing: this system has no virtual board to put behind a device.
    @main
    enum EmulatedUSB {
        static func main() {
            fatalError("this system has no virtual board")
        }
    }
#endif
