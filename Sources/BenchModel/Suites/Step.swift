public import BLECore

/// One step of a suite.
public struct Step: Sendable {
    /// What to do.
    public var action: Action
    /// Where the step is in the file.
    public var position: SourcePosition
    /// The step's line in the file, for reports.
    public var source: String

    /// A step.
    public init(action: Action, position: SourcePosition, source: String) {
        self.action = action
        self.position = position
        self.source = source
    }

    /// Whether links, subscriptions or the board's power differ after the step from before it, so that the state
    /// that `before` made no longer stands.
    public var changesState: Bool {
        switch action {
        case .power, .reset, .connect, .disconnect, .subscribe, .mtu: true
        case .scan, .write, .read, .discover, .expect, .advance, .console: false
        }
    }
}

/// What a step does.
public enum Action: Sendable {
    /// Switches the board's supply.
    case power(PowerAction)
    /// Pulls the board's EN low and lets it go.
    case reset
    /// Looks for advertisements.
    case scan(ScanStep)
    /// Scans, connects and discovers.
    case connect(ConnectStep)
    /// Ends a connection.
    case disconnect(ClientReference)
    /// Writes a Client Characteristic Configuration.
    case subscribe(SubscribeStep)
    /// Writes a value.
    case write(WriteStep)
    /// Reads a value.
    case read(ReadStep)
    /// Exchanges the ATT MTU.
    case mtu(MTUStep)
    /// Compares the discovered database.
    case discover(DiscoverStep)
    /// Waits for something to have happened.
    case expect(Expectation, within: Duration)
    /// Lets time pass.
    case advance(Duration)
    /// Types a line into the board's console.
    case console(TextTemplate)
}

/// What a `power` step does.
public enum PowerAction: String, Hashable, Sendable, CaseIterable {
    /// Supplies the board.
    case on
    /// Cuts the supply.
    case off
    /// Cuts it and supplies it again.
    case cycle
}

/// Which advertisement a step looks for; all given conditions hold for one sighting.
public struct AdvertisementFilter: Hashable, Sendable {
    /// Services that are all advertised.
    public var services: [UUIDReference]
    /// The local name.
    public var name: String?
}

/// A `scan` step.
public struct ScanStep: Hashable, Sendable {
    /// What to look for.
    public var filter: AdvertisementFilter
    /// Who looks.
    public var client: ClientReference
    /// Whether it must be seen, or must not.
    public var isExpected: Bool
    /// The longest search; when it must not be seen, the whole search.
    public var duration: Duration
}

/// A `connect` step.
public struct ConnectStep: Hashable, Sendable {
    /// What to connect to.
    public var filter: AdvertisementFilter
    /// Who connects.
    public var client: ClientReference
    /// The longest time for the search and the connection together.
    public var timeout: Duration
}

/// A `subscribe` or `unsubscribe` step.
public struct SubscribeStep: Sendable {
    /// The characteristic.
    public var characteristic: UUIDReference
    /// Whose subscription.
    public var client: ClientReference
    /// Notifications, indications or nothing.
    public var kind: SubscriptionKind
    /// The ATT error that must come.
    public var expectedError: Expression?
}

/// What a `subscribe` step asks for.
public enum SubscriptionKind: String, Hashable, Sendable, CaseIterable {
    /// Nothing any more.
    case none
    /// Notifications.
    case notifications
    /// Indications.
    case indications
}

/// A `write` step.
public struct WriteStep: Sendable {
    /// The characteristic.
    public var characteristic: UUIDReference
    /// Who writes.
    public var client: ClientReference
    /// What is written.
    public var value: ValueTemplate
    /// Whether the server acknowledges.
    public var hasResponse: Bool
    /// The ATT error that must come.
    public var expectedError: Expression?
}

/// A `read` step.
public struct ReadStep: Sendable {
    /// The characteristic.
    public var characteristic: UUIDReference
    /// Who reads.
    public var client: ClientReference
    /// What must be read; `nil`: anything.
    public var value: ValueTemplate?
    /// The ATT error that must come.
    public var expectedError: Expression?
}

/// An `mtu` step.
public struct MTUStep: Hashable, Sendable {
    /// The MTUs there are: from LE's least to what the longest attribute value needs.
    public static let range = 23...517

    /// Who asks.
    public var client: ClientReference
    /// What it offers.
    public var offer: Expression
    /// What must come out; `nil`: anything.
    public var effective: Expression?
}

/// A `discover` step: services that must be there.
public struct DiscoverStep: Hashable, Sendable {
    /// One service that must be there, with exactly these characteristics in this order.
    public struct Service: Hashable, Sendable {
        /// Its UUID.
        public var uuid: UUIDReference
        /// Its characteristics with exactly these properties.
        public var characteristics: [Characteristic]
    }

    /// One characteristic that must be there.
    public struct Characteristic: Hashable, Sendable {
        /// Its UUID.
        public var uuid: UUIDReference
        /// Its properties.
        public var properties: CharacteristicProperties
    }

    /// Who looks.
    public var client: ClientReference
    /// What must be there.
    public var services: [Service]
}
