public import BLECore
internal import BLEPackets
public import MonotonicTime

/// The privacy state of a host.
struct PrivacyState {
    /// The lifetime of a private address (NimBLE: `BLE_RPA_TIMEOUT`; Core 5.4, Vol 3 Part C 10.7.1.3 recommends 15
    /// min).
    static let timeout = Duration.seconds(900)

    var isOn = false
    /// The resolvable private address in use.
    var address: DeviceAddress?
    /// When the address is replaced.
    var deadline: MonotonicInstant?
    /// The random number for the next address.
    var seed: UInt64?
}

extension Host {
    /// This device's Identity Resolving Key; 16 bytes, least significant first. `nil`: the next ``start(now:)``
    /// generates one from the controller's random numbers and reports it with ``HostEvent/identityKeyMade(_:)``.
    public var identityKey: [UInt8]? { localIRK }

    /// Sets the key that the owner has stored; before ``start(now:)``.
    public func setIdentityKey(_ key: [UInt8]?) {
        localIRK = key.flatMap { $0.count == 16 ? $0 : nil }
    }

    /// True if this device uses resolvable private addresses.
    public var isPrivate: Bool { privacy.isOn }

    /// The resolvable private address in use; `nil` without privacy.
    public var privateAddress: DeviceAddress? { privacy.address }

    /// The controller's public address; `nil` until the host is synchronized.
    public var publicAddress: DeviceAddress? {
        if case .ready(let controller) = state { return controller.publicAddress }
        return nil
    }

    /// Switches resolvable private addresses on or off for advertising, scanning and connecting. The host generates
    /// them, like NimBLE on an original ESP32, and changes them every 15 minutes. Applies to procedures started later.
    ///
    /// - Throws: `notReady`.
    public func setPrivacy(_ isOn: Bool, now: MonotonicInstant) throws(HostError) {
        _ = try controller("privacy")
        guard isOn != privacy.isOn else { return }
        privacy.isOn = isOn
        if isOn {
            rotate(now)
        } else {
            privacy.deadline = nil
            privacy.address = nil
            if let address = staticAddress { commands.append(HCILESetRandomAddress(address: address).packet) }
        }
        flush(now)
    }

    /// Selects the host's generated static random address (true) or the public address (false) as address and identity
    /// (NimBLE's `BLE_OWN_ADDR_RANDOM`). Returns the selected address; `nil` if the static address was selected and the
    /// host has none: it then uses the public address. Applies to procedures started later.
    ///
    /// - Throws: `notReady`.
    package func setStaticAddress(_ isOn: Bool) throws(HostError) -> DeviceAddress? {
        let controller = try controller("static address")
        usesStaticAddress = isOn && staticAddress != nil
        securityContext.identity = localIdentity
        return isOn ? staticAddress : controller.publicAddress
    }

    /// Sets a new private address if the current one has expired; not allowed while the controller is initiating (Core
    /// 5.4, Vol 4 Part E 7.8.4).
    func rotateIfDue(_ now: MonotonicInstant) {
        guard let deadline = privacy.deadline, deadline <= now, !isInitiating else { return }
        rotate(now)
    }

    private func rotate(_ now: MonotonicInstant) {
        guard let seed = privacy.seed, let irk = localIRK else { return }
        let address = PrivateAddress.make(irk: irk, seed: seed)
        privacy.address = address
        privacy.seed = nil
        privacy.deadline = now.advanced(by: PrivacyState.timeout)
        // The address must not change while the controller advertises or scans, so these are paused.
        if advertising.isActive { commands.append(HCILESetAdvertisingEnable(isEnabled: false).packet) }
        let scans = scanning == .on || scanning == .starting
        if scans { commands.append(scanEnable(false)) }
        commands.append(HCILESetRandomAddress(address: address).packet)
        if scans { commands.append(scanEnable(true)) }
        if advertising.isActive {
            if advertising.address != nil { advertising.address = address }
            commands.append(HCILESetAdvertisingEnable(isEnabled: true).packet)
        }
        drawPrivateAddressSeeds(1)
    }

    /// Fetches random numbers for private addresses.
    func drawPrivateAddressSeeds(_ count: Int) {
        for _ in 0..<count { draw(8, for: .privateAddress) }
    }

    /// The peer's identity address, if `address` is a private address of a bonded peer; otherwise `address`.
    public func identity(of address: DeviceAddress) -> DeviceAddress {
        guard address.isResolvablePrivate, !storedBonds.isEmpty else { return address }
        if let known = resolved[address] { return known }
        let bond = storedBonds.first { bond in bond.peerIRK.map { PrivateAddress.matches(address, irk: $0) } ?? false }
        if resolved.count >= Self.resolvedLimit { resolved.removeAll(keepingCapacity: true) }
        let identity = bond?.peer ?? address
        resolved[address] = identity
        return identity
    }

    /// The size of the cache of resolved and unresolvable addresses.
    private static let resolvedLimit = 256

    /// The own address for a connection created now.
    func localAddress(isCentral: Bool) -> DeviceAddress {
        if let address = isCentral ? initiatingAddress : advertising.address { return address }
        return ownAddress
    }

    /// The current own address.
    var ownAddress: DeviceAddress {
        privacy.address ?? fixedAddress ?? publicAddress ?? DeviceAddress(0, .public)
    }

    /// The current own address type.
    var ownAddressType: HCIOwnAddressType {
        privacy.address != nil || fixedAddress != nil ? .random : .public
    }

    private var fixedAddress: DeviceAddress? {
        if case .fixed(let address) = configuration.randomAddress { return address }
        // NimBLE generates a static address, but uses the public address by default.
        return usesStaticAddress ? staticAddress : nil
    }

    /// The identity distributed on the host's links.
    var localIdentity: SecurityContext.Identity {
        SecurityContext.Identity(
            address: fixedAddress ?? publicAddress ?? DeviceAddress(0, .public),
            irk: localIRK ?? Array(repeating: 0, count: 16))
    }
}
