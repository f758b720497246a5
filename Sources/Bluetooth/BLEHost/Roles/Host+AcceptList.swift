public import BLECore
internal import BLEPackets
public import MonotonicTime

/// Requests that are accepted only from peers in the filter accept list (Core 5.4, Vol 4 Part E 7.8.5,
/// `Advertising_Filter_Policy`).
public struct AdvertisingFilter: OptionSet, Hashable, Sendable {
    /// The policy's number.
    public let rawValue: UInt8

    /// The filter with this number, 0...3.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Scan requests.
    public static let scanRequests = AdvertisingFilter(rawValue: 1)
    /// Connections.
    public static let connections = AdvertisingFilter(rawValue: 2)
}

extension Host {
    /// Sets the controller's filter accept list: clears the list, then adds the addresses one after another, and stops
    /// at the first refused address. ``HostEvent/acceptListAnswered(_:)`` follows.
    ///
    /// - Throws: `notReady`; `alreadyActive` while another list is being set.
    public func setAcceptList(_ addresses: [DeviceAddress], now: MonotonicInstant) throws(HostError) {
        _ = try controller("filter accept list")
        guard acceptListAdditions == nil else {
            throw HostError(.alreadyActive, "filter accept list: expected none to be under way, but one is")
        }
        acceptListAdditions = addresses[...]
        commands.append(HCILEClearFilterAcceptList().packet)
        flush(now)
    }

    /// Handles the answer to a command of ``setAcceptList(_:now:)``.
    func acceptListAnswered(_ status: HCIErrorCode) {
        guard var additions = acceptListAdditions else { return }
        if status == .success, let address = additions.popFirst() {
            acceptListAdditions = additions
            commands.append(HCILEAddDeviceToFilterAcceptList(address: address).packet)
        } else {
            acceptListAdditions = nil
            emit(.acceptListAnswered(status))
        }
    }
}
