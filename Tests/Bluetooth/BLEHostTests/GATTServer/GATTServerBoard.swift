import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import MonotonicTime
import Testing

/// A GATT server with an application on it, for tests: `application` answers callbacks at once, unless
/// `holdsCallbacks`.
final class GATTServerBoard {
    let server: GATTServer
    var now = MonotonicInstant.zero
    /// Called for every action; callbacks are resumed after it.
    var application: (GATTServerBoard, GATTServerAction) -> Void = { _, _ in }
    var holdsCallbacks = false
    var openCallbacks: [GATTCallbackToken] = []
    /// Every action since the last ``take()``.
    private var actions: [GATTServerAction] = []

    /// The error with which a callback refuses its request.
    var refusal: ATTErrorCode?

    init(_ database: GATTDatabase, _ behaviour: HostBehaviour = .nimble) {
        server = GATTServer(database: database, behaviour: behaviour)
    }

    /// Sends a PDU; returns the server's PDUs until it was idle or waiting, in hexadecimal.
    @discardableResult
    func exchange(_ hexadecimal: String, on connection: UInt16 = 0) throws -> [String] {
        let bytes = try #require(Hexadecimal.bytes(hexadecimal))
        server.handle(bytes[...], on: connection, now: now)
        return sent()
    }

    /// The server's PDUs, to any connection, in hexadecimal.
    func sent() -> [String] {
        take().compactMap { action in
            guard case .send(_, let pdu) = action else { return nil }
            return Hexadecimal.string(pdu)
        }
    }

    /// Performs and returns the server's actions.
    func take() -> [GATTServerAction] {
        var taken: [GATTServerAction] = []
        while let action = server.nextAction() {
            taken.append(action)
            application(self, action)
            guard let token = action.token else { continue }
            if holdsCallbacks {
                openCallbacks.append(token)
            } else {
                server.resume(token, refusing: refusal, now: now)
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
    /// From the text of a UUID.
    init(_ text: String) throws {
        self.init(try #require(BLEUUID(text)))
    }
}
