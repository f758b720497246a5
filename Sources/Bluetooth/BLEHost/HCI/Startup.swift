internal import BLECore
internal import BLEPackets
internal import ByteCodec
internal import MonotonicTime

/// Initializes a controller, one command after another, as the NimBLE host does (recorded in `nimble-hci-init.jsonl`);
/// later commands depend on earlier answers.
struct Startup {
    private enum Step: Int {
        case reset, version, commands, features, eventMask, eventMaskPage2, leEventMask, leBufferSize, bufferSize
        case leFeatures, address, identityKey, privateAddress, flowControl, hostBufferSize, random, randomAddress, done
    }

    private(set) var controller = ControllerInfo()
    private let configuration: HostConfiguration
    private var step = Step.reset
    private(set) var randomAddress: DeviceAddress?
    /// The Identity Resolving Key: as stored, or generated from random numbers.
    private(set) var identityKey: [UInt8]
    let makesIdentityKey: Bool
    /// Random numbers for private addresses. NimBLE draws two, one for each side of the device's own entry in the
    /// resolving list.
    private(set) var privateAddressSeeds: [UInt64] = []
    /// True if the controller accepted host flow control.
    private(set) var hasFlowControl = false

    init(_ configuration: HostConfiguration, identityKey: [UInt8]?) {
        self.configuration = configuration
        self.identityKey = identityKey ?? []
        makesIdentityKey = identityKey == nil
        if case .fixed(let address) = configuration.randomAddress { randomAddress = address }
    }

    // MARK: Commands

    /// The command of this step; `nil` when the startup is complete.
    mutating func command() -> HCIPacket? {
        while true {
            if step == .done { return nil }
            if let packet = packet { return packet }
            skip()
        }
    }

    private mutating func skip() {
        step = Step(rawValue: step.rawValue + 1) ?? .done
    }

    /// The command of this step; `nil` if it is not needed.
    private var packet: HCIPacket? {
        switch step {
        case .reset: HCIReset().packet
        case .version: HCIReadLocalVersionInformation().packet
        case .commands: HCIReadLocalSupportedCommands().packet
        case .features: HCIReadLocalSupportedFeatures().packet
        case .eventMask: HCISetEventMask(mask: Self.eventMask).packet
        case .eventMaskPage2:
            controller.hciVersion >= 7 && controller.supports(octet: 22, bit: 0x04)
                ? HCISetEventMaskPage2(mask: Self.eventMaskPage2).packet : nil
        case .leEventMask: HCILESetEventMask(mask: leEventMask).packet
        case .leBufferSize: HCILEReadBufferSize().packet
        case .bufferSize: controller.aclLength == 0 ? HCIReadBufferSize().packet : nil
        case .leFeatures: HCILEReadLocalSupportedFeatures().packet
        case .address: HCIReadBDADDR().packet
        case .identityKey: identityKey.count < 16 ? HCILERand().packet : nil
        case .privateAddress:
            privateAddressSeeds.count < configuration.privateAddressDraws ? HCILERand().packet : nil
        case .flowControl:
            configuration.aclBuffers == nil ? nil : HCISetControllerToHostFlowControl(enable: 1).packet
        case .hostBufferSize: hostBufferSize
        case .random: configuration.randomAddress == .generatedByController ? HCILERand().packet : nil
        case .randomAddress: randomAddress.map { HCILESetRandomAddress(address: $0).packet }
        case .done: nil
        }
    }

    private var hostBufferSize: HCIPacket? {
        guard hasFlowControl, let buffers = configuration.aclBuffers else { return nil }
        return HCIHostBufferSize(
            aclDataLength: buffers.length, synchronousDataLength: 0, aclPacketCount: buffers.count,
            synchronousPacketCount: 0
        ).packet
    }

    /// Disconnection Complete, Encryption Change, Read Remote Version Information Complete, Hardware Error, Data
    /// Buffer Overflow, Encryption Key Refresh Complete, LE Meta.
    private static let eventMask: UInt64 = 0x2000_8000_0200_8890
    /// Authenticated Payload Timeout Expired.
    private static let eventMaskPage2: UInt64 = 0x80_0000

    private var leEventMask: UInt64 {
        // Connection Complete, Advertising Report, Connection Update Complete, Read Remote Features Complete, Long
        // Term Key Request.
        var mask: UInt64 = 0x1F
        // 4.1: Remote Connection Parameter Request.
        if controller.hciVersion >= 7 { mask |= 0x20 }
        // 4.2: Data Length Change, Enhanced Connection Complete, Directed Advertising Report.
        if controller.hciVersion >= 8 { mask |= 0x640 }
        // 5.0: PHY Update Complete to Channel Selection Algorithm.
        if controller.hciVersion >= 9 { mask |= 0xF_F800 }
        return mask
    }

    // MARK: Answers

    /// Handles the return parameters of this step's command.
    mutating func completed(_ opcode: HCIOpcode, _ parameters: ArraySlice<UInt8>) throws {
        var reader = ByteReader(parameters, subject: "HCI return parameters")
        let status = HCIErrorCode(rawValue: parameters.first ?? 0)
        if step == .flowControl {
            // If the controller refuses, it sends without flow control, which NimBLE accepts.
            hasFlowControl = status == .success
        } else if status != .success {
            throw HostError(.commandRefused(opcode, status), "HCI \(opcode): expected success, got \(status)")
        }
        try parse(&reader)
        if step != .identityKey && step != .privateAddress { skip() }
    }

    private mutating func parse(_ reader: inout ByteReader) throws {
        switch step {
        case .version:
            let version = try HCIReadLocalVersionInformation.ReturnParameters(from: &reader)
            controller.hciVersion = version.hciVersion
            controller.manufacturer = version.companyIdentifier
            guard controller.hciVersion >= 6 else {
                throw HostError(
                    .unsupportedController,
                    "HCI version: expected at least 6 (Bluetooth 4.0), got \(controller.hciVersion)")
            }
        case .commands:
            controller.supportedCommands = Array(
                try HCIReadLocalSupportedCommands.ReturnParameters(from: &reader).commands)
        case .features:
            let features = try HCIReadLocalSupportedFeatures.ReturnParameters(from: &reader).features
            // LE Supported (Controller) is required, BR/EDR Not Supported is not.
            guard features & 1 << 38 != 0 else {
                throw HostError(
                    .unsupportedController,
                    "LMP features: expected LE Supported (bit 38), got 0x\(String(features, radix: 16))")
            }
        case .leBufferSize:
            let buffers = try HCILEReadBufferSize.ReturnParameters(from: &reader)
            controller.aclLength = Int(buffers.aclDataLength)
            controller.aclCount = Int(buffers.aclPacketCount)
        case .bufferSize:
            let buffers = try HCIReadBufferSize.ReturnParameters(from: &reader)
            controller.aclLength = Int(buffers.aclDataLength)
            controller.aclCount = Int(buffers.aclPacketCount)
        case .leFeatures:
            controller.leFeatures = try HCILEReadLocalSupportedFeatures.ReturnParameters(from: &reader).features
        case .address:
            controller.publicAddress = try HCIReadBDADDR.ReturnParameters(from: &reader).address
        case .identityKey:
            let random = try HCILERand.ReturnParameters(from: &reader).random
            withUnsafeBytes(of: random.littleEndian) { identityKey.append(contentsOf: $0) }
        case .privateAddress:
            privateAddressSeeds.append(try HCILERand.ReturnParameters(from: &reader).random)
        case .random:
            let random = try HCILERand.ReturnParameters(from: &reader).random
            // The two top bits of a static address are set (Core 5.4, Vol 6 Part B 1.3.2.1).
            randomAddress = DeviceAddress(random & 0xFFFF_FFFF_FFFF | 0xC000_0000_0000, .random)
        case .reset, .eventMask, .eventMaskPage2, .leEventMask, .flowControl, .hostBufferSize, .randomAddress, .done:
            break
        }
    }
}

extension Host {
    /// Sends the next command of the startup, or ends it.
    func continueStartup(_ now: MonotonicInstant) {
        guard case .starting(var startup) = state else { return }
        if let packet = startup.command() {
            commands.append(packet)
            state = .starting(startup)
        } else {
            let controller = startup.controller
            if !startup.hasFlowControl { hostFlow = nil }
            flow.configure(length: controller.aclLength, count: controller.aclCount)
            state = .ready(controller)
            localIRK = startup.identityKey
            staticAddress = startup.randomAddress
            privacy.seed = startup.privateAddressSeeds.last
            let context = SecurityContext(identity: localIdentity, maximumProcedures: maximumPairings)
            context.bonds = storedBonds
            securityContext = context
            if startup.makesIdentityKey { emit(.identityKeyMade(startup.identityKey)) }
            emit(.synchronized(publicAddress: controller.publicAddress))
        }
        flush(now)
    }

    /// Handles the answer to a command of the startup.
    func advanceStartup(_ opcode: HCIOpcode, _ parameters: ArraySlice<UInt8>, _ now: MonotonicInstant) {
        guard case .starting(var startup) = state else { return }
        do {
            try startup.completed(opcode, parameters)
            state = .starting(startup)
            continueStartup(now)
        } catch let error as HostError {
            fail(error)
        } catch {
            fail(HostError(.unsupportedController, "HCI \(opcode): \(error)"))
        }
    }
}
