package import BLECore
import CommandSupport
import LivePage
import MonotonicTime
import Synchronization

/// The requests of pairings to the user of a page: one at a time.
package final class PairingQuestions: Sendable {
    private struct State {
        var question: PhoneState.Question?
        var waiter: CheckedContinuation<PairingAnswer, Never>?
    }

    private let state = Mutex(State())
    private let random: Mutex<SeededRandom>

    /// No pending request; `seed` determines the passkeys that this side chooses.
    package init(seed: UInt64) { random = Mutex(SeededRandom(seed: seed)) }

    /// The pending request.
    package var question: PhoneState.Question? { state.withLock { $0.question } }

    /// Shows a request, and waits for the answer. Refuses an earlier request, and requests that a page cannot answer.
    package func ask(_ input: PairingInput) async -> PairingAnswer {
        let question: PhoneState.Question
        switch input {
        case .enterPasskey: question = .enterPasskey
        case .compareNumbers(let number): question = .compare(PasskeyText.text(number))
        case .displayPasskey:
            let passkey = random.withLock { UInt32.random(in: 0...999_999, using: &$0) }
            show(PasskeyText.text(passkey))
            return .passkey(passkey)
        case .outOfBand: return .cancel
        }
        return await withCheckedContinuation { continuation in
            let former = state.withLock { state in
                defer { state = State(question: question, waiter: continuation) }
                return state.waiter
            }
            former?.resume(returning: .cancel)
        }
    }

    /// Shows digits that the peer's user must enter.
    package func show(_ digits: String) { set(.display(digits), answer: .cancel) }

    /// Answers the pending request; returns false if there is none.
    package func answer(isAccepted: Bool, passkey: String?) -> Bool {
        let answer: PairingAnswer? = state.withLock { state in
            switch state.question {
            case .enterPasskey:
                guard isAccepted else { return .cancel }
                return passkey.flatMap { UInt32($0) }.map { .passkey($0) }
            case .compare: return .confirm(isAccepted)
            case .display: return .cancel
            case nil: return nil
            }
        }
        guard let answer else { return false }
        set(nil, answer: answer)
        return true
    }

    /// Removes the request: the pairing has ended.
    package func end() { set(nil, answer: .cancel) }

    private func set(_ question: PhoneState.Question?, answer: PairingAnswer) {
        let waiter = state.withLock { state in
            defer { state = State(question: question) }
            return state.waiter
        }
        waiter?.resume(returning: answer)
    }
}
