import BLECore
import BLEPackets
import BLEPeripheral
import BenchExecutor
import MonotonicTime

/// What centrals do, and what they are sent.
extension SimulatedPeripheral {
    func read(_ path: AttributePath) throws -> [UInt8]? {
        guard path.descriptor == nil else { return nil }
        let characteristic = description(at: path)
        guard !characteristic.values.isEmpty else { return nil }
        let value = try services[path.service].value(of: characteristic, at: elapsed)
        onEvent(.read(characteristic, value))
        return value
    }

    func write(_ value: [UInt8], _ path: AttributePath) throws {
        guard path.descriptor == nil else { return }
        let characteristic = description(at: path)
        let changed: [Int]
        do {
            changed = try services[path.service].write(value, to: path.characteristic)
        } catch {
            onEvent(.refused(characteristic, value))
            throw error
        }
        onEvent(.written(characteristic, value))
        registerChanged(path.service)
        for index in changed {
            let place = AttributePath(service: path.service, characteristic: index)
            if description(at: place).trigger == .change { notifyChange(place) }
        }
    }

    func subscribe(_ subscription: Subscription, _ path: AttributePath, _ central: RemoteCentral?) {
        let wasSubscribed = isSubscribed(path)
        if subscription == .none {
            subscribers[path]?.remove(central)
        } else {
            subscribers[path, default: []].insert(central)
        }
        guard isSubscribed(path) != wasSubscribed else { return }
        onEvent(.subscribed(description(at: path), !wasSubscribed))
        schedule(path)
    }

    func isSubscribed(_ path: AttributePath) -> Bool { !(subscribers[path]?.isEmpty ?? true) }

    func handle(_ event: PeripheralEvent) {
        switch event {
        case .connected(let central): onEvent(.connected(central))
        case .disconnected(let central):
            // Stacks that tell whose a subscription is have ended it before.
            onEvent(.disconnected(central))
        case .passkeyDisplayed(let passkey, _): onEvent(.passkey(passkey))
        case .roomAvailable: sendQueue()
        case .failed(let error):
            for path in Array(alarms.keys) { setAlarm(nil, path) }
            subscribers = [:]
            queue = []
            onEvent(.failed(error))
        }
    }

    // MARK: Notifications

    /// Begins the times between values anew after a write to a register.
    func registerChanged(_ service: Int) {
        for path in Array(subscribers.keys) where path.service == service && description(at: path).trigger == .period {
            schedule(path)
        }
    }

    private func schedule(_ path: AttributePath) {
        guard isSubscribed(path), let interval = interval(of: path) else { return setAlarm(nil, path) }
        setAlarm(executor.now.advanced(by: interval), path)
    }

    /// The time between the values of a characteristic; `nil` while it is not notified by itself.
    private func interval(of path: AttributePath) -> Duration? {
        let service = services[path.service]
        switch description(at: path).trigger {
        case .every(let time): return time
        case .period: return service.isOn ? service.period : nil
        case .change, nil: return nil
        }
    }

    func setAlarm(_ deadline: MonotonicInstant?, _ path: AttributePath) {
        var alarm = alarms[path] ?? Alarm(executor)
        alarm.set(deadline) { [weak self] in self?.assumeIsolated { $0.wake(path) } }
        alarms[path] = deadline == nil ? nil : alarm
    }

    private func wake(_ path: AttributePath) {
        alarms[path] = nil
        guard let interval = interval(of: path), isSubscribed(path) else { return }
        setAlarm(executor.now.advanced(by: interval), path)
        let characteristic = description(at: path)
        guard let value = try? services[path.service].value(of: characteristic, at: elapsed), !value.isEmpty else {
            return
        }
        // Without room it is left out: the next value is a newer one.
        _ = try? backend.notify(value, of: path)
    }

    /// Sends the value of a characteristic that was set.
    func notifyChange(_ path: AttributePath) {
        guard isSubscribed(path),
            let value = try? services[path.service].value(of: description(at: path), at: elapsed), !value.isEmpty
        else { return }
        queue.append((path, value))
        if queue.count > Self.longestQueue {
            queue.removeFirst()
            droppedValues += 1
        }
        sendQueue()
    }

    private func sendQueue() {
        while let next = queue.first {
            guard (try? backend.notify(next.value, of: next.path)) ?? true else { return }
            queue.removeFirst()
        }
    }
}
