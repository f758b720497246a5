import BLECore
import BLEHost
import ByteCodec
import MonotonicTime
import Testing

/// A GATT server with an application on it, for tests: callbacks are answered at once by `application`, unless
/// `holdsCallbacks` says to leave them open.
final class GATTServerBoard {
    let server: GATTServer
    var now = MonotonicInstant.zero
    /// Called for every action; callbacks are resumed after it.
    var application: (GATTServerBoard, GATTServerAction) -> Void = { _, _ in }
    var holdsCallbacks = false
    var openCallbacks: [GATTCallbackToken] = []
    /// Every action since the last ``take()``.
    private var actions: [GATTServerAction] = []

    init(_ database: GATTDatabase) {
        server = GATTServer(database: database)
    }

    /// Sends a PDU; returns what the server sent until it was idle or waited, in hexadecimal.
    @discardableResult
    func exchange(_ hexadecimal: String, on connection: UInt16 = 0) throws -> [String] {
        let bytes = try #require(Hexadecimal.bytes(hexadecimal))
        server.handle(bytes[...], on: connection, now: now)
        return sent()
    }

    /// What the server has sent, to any connection, in hexadecimal.
    func sent() -> [String] {
        take().compactMap { action in
            guard case .send(_, let pdu) = action else { return nil }
            return Hexadecimal.string(pdu)
        }
    }

    /// Performs what the server asks for; returns it.
    func take() -> [GATTServerAction] {
        var taken: [GATTServerAction] = []
        while let action = server.nextAction() {
            taken.append(action)
            application(self, action)
            guard let token = action.token else { continue }
            if holdsCallbacks {
                openCallbacks.append(token)
            } else {
                server.resume(token, now: now)
            }
        }
        return taken
    }

    /// Returns from the oldest open callback.
    func resume() throws {
        let token = try #require(openCallbacks.first)
        openCallbacks.removeFirst()
        server.resume(token, now: now)
    }
}

extension GATTServerAction {
    /// The callback that the server waits for.
    var token: GATTCallbackToken? {
        switch self {
        case .readRequested(let token, _, _): token
        case .written(let token, _, _, _), .subscribed(let token, _, _, _), .mtuChanged(let token, _, _): token
        case .send, .sent, .disconnect, .closed, .startSecurity, .subscriptionsStored: nil
        }
    }
}

extension AttributeType {
    /// From a UUID's text.
    init(_ text: String) throws {
        self.init(try #require(BLEUUID(text)))
    }
}
