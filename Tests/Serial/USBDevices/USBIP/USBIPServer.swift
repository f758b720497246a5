package import BenchExecutor
internal import ByteCodec
internal import Synchronization
internal import TCP

/// Offers emulated devices over USB/IP: the protocol of Linux's `usbip` and `vhci-hcd`.
package final class USBIPServer: Sendable {
    /// The server could not listen.
    package struct ListenError: Error, CustomStringConvertible {
        /// What was being done and what happened instead, one line.
        package let description: String
    }

    /// The TCP port of the listening socket.
    package let port: UInt16
    private let listener: TCPListener
    private let stations: [USBStation]
    private let log: @Sendable (String) -> Void
    private let executor: BenchExecutor
    private let nextID = Mutex<UInt64>(1)

    /// Listens; hosts are served while ``run()`` runs. Port 0 lets the system choose.
    package init(
        _ stations: [USBStation], host: String = "127.0.0.1", port: UInt16 = 0, on executor: BenchExecutor,
        log: @escaping @Sendable (String) -> Void
    ) throws(ListenError) {
        self.stations = stations
        self.executor = executor
        self.log = log
        do throws(TCPError) {
            listener = try TCPListener(host: host, port: port, name: "usbip://\(host):\(port)", log: log)
        } catch {
            throw ListenError(description: error.description)
        }
        self.port = listener.port
    }

    /// Serves hosts until ``stop()`` is called or the task is cancelled. Must run on the bench's executor.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for station in stations { group.addTask { await station.run() } }
            for await client in listener.clients {
                group.addTask { await self.serve(client) }
            }
            group.cancelAll()
        }
        listener.close()
    }

    /// Stops listening and ends ``run()``. Idempotent.
    package func stop() {
        listener.close()
    }

    private func serve(_ client: TCPListener.Client) async {
        let inbox = TCPInbox(name: client.peer)
        let connection = TCPConnection(client.descriptor, name: client.peer, receiver: inbox)
        let id = nextID.withLock { id in
            defer { id += 1 }
            return id
        }
        var session = USBIPSession(id: id, connection, inbox, stations)
        let reason = await session.run()
        await session.end()
        connection.finishSending()
        connection.close()
        log("\(client.peer) \(reason)")
    }
}
