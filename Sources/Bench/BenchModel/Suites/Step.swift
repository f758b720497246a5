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
        case .power, .cutPower, .reset, .reboot, .button, .connect, .disconnect, .subscribe, .mtu, .pair, .encrypt,
            .forget, .fault, .radio, .attribute:
            true
        case .scan, .write, .read, .discover, .expect, .advance, .console: false
        case .repeated(let block): block.steps.contains { $0.changesState }
        }
    }

    /// The step, and those inside it.
    var withInnerSteps: [Step] {
        guard case .repeated(let block) = action else { return [self] }
        return [self] + block.steps.flatMap(\.withInnerSteps)
    }
}

/// What a step does.
public enum Action: Sendable {
    /// Switches the board's supply.
    case power(PowerAction)
    /// Cuts the supply later, when something happens.
    case cutPower(at: PowerCutPoint)
    /// Pulls the board's EN low and lets it go.
    case reset
    /// Cuts the supply and gives it again; what is stored stays, or is lost.
    case reboot(erasesNVS: Bool)
    /// Presses or releases a button of the board.
    case button(ButtonStep)
    /// Looks for advertisements.
    case scan(ScanStep)
    /// Scans, connects and, unless it says otherwise, discovers.
    case connect(ConnectStep)
    /// Ends a connection.
    case disconnect(ClientReference)
    /// Writes a Client Characteristic Configuration.
    case subscribe(SubscribeStep)
    /// Writes a value.
    case write(WriteStep)
    /// Reads a value.
    case read(ReadStep)
    /// Sends an ATT PDU as it is.
    case attribute(AttributePDUStep)
    /// Pairs.
    case pair(PairStep)
    /// Encrypts with the keys of the bond.
    case encrypt(EncryptStep)
    /// Deletes bonds.
    case forget(ForgetStep)
    /// Plants a fault on the air.
    case fault(FaultStep)
    /// Sets how well the air carries.
    case radio(RadioStep)
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
    /// Carries out steps several times.
    case repeated(RepeatStep)
}

/// A `repeat` step.
public struct RepeatStep: Sendable {
    /// How often.
    public var times: Expression
    /// What, in order.
    public var steps: [Step]

    /// How often steps can be repeated.
    public static let range: ClosedRange<Int64> = 1...10_000
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
    /// Whether the step ends after the discovery of the services; else with Connection Complete, and the steps behind
    /// it use what was discovered last.
    public var discovers: Bool
}
