/// A priority queue by time; entries of equal time are removed in insertion order.
///
/// Insertion and removal are O(log n). A cancelled entry remains in the heap until it is the first.
public struct DeadlineQueue<Element> {
    /// Identifies one entry, for ``cancel(_:)``.
    public struct Token: Hashable, Sendable {
        @usableFromInline let sequence: UInt64

        @usableFromInline init(sequence: UInt64) {
            self.sequence = sequence
        }
    }

    @usableFromInline struct Entry {
        @usableFromInline let deadline: Int64
        @usableFromInline let sequence: UInt64
        @usableFromInline let element: Element

        @usableFromInline init(deadline: Int64, sequence: UInt64, element: Element) {
            self.deadline = deadline
            self.sequence = sequence
            self.element = element
        }

        @inlinable func precedes(_ other: Entry) -> Bool {
            deadline != other.deadline ? deadline < other.deadline : sequence < other.sequence
        }
    }

    @usableFromInline var heap: [Entry] = []
    @usableFromInline var cancelled: Set<UInt64> = []
    @usableFromInline var nextSequence: UInt64 = 0

    /// An empty queue.
    @inlinable public init() {}

    /// True if the queue has no entries.
    @inlinable public var isEmpty: Bool { heap.count == cancelled.count }

    /// Adds `element`, due at `deadline`.
    @discardableResult
    @inlinable public mutating func insert(_ element: Element, at deadline: MonotonicInstant) -> Token {
        let sequence = nextSequence
        nextSequence += 1
        heap.append(Entry(deadline: deadline.nanoseconds, sequence: sequence, element: element))
        siftUp(heap.count - 1)
        return Token(sequence: sequence)
    }

    /// Cancels an entry that has not been removed yet. Cancelling one that has been removed is a programming error that
    /// would make ``isEmpty`` wrong, so owners discard their token when its entry fires.
    ///
    /// - Returns: the cancelled elements removed from the queue, for callers that must not release them at once.
    @discardableResult
    @inlinable public mutating func cancel(_ token: Token) -> [Element] {
        cancelled.insert(token.sequence)
        var dropped: [Element] = []
        dropCancelledHead(&dropped)
        return dropped
    }

    /// The deadline of the earliest entry.
    @inlinable public var nextDeadline: MonotonicInstant? {
        heap.first.map { MonotonicInstant(nanoseconds: $0.deadline) }
    }

    /// Removes the earliest entry if it is due at `now` or before.
    @inlinable public mutating func popDue(at now: MonotonicInstant) -> Element? {
        var dropped: [Element] = []
        return popDue(at: now, dropping: &dropped)
    }

    /// Like ``popDue(at:)``; adds the cancelled elements removed from the queue to `dropped`.
    @inlinable public mutating func popDue(at now: MonotonicInstant, dropping dropped: inout [Element]) -> Element? {
        guard let head = heap.first, head.deadline <= now.nanoseconds else { return nil }
        removeHead()
        dropCancelledHead(&dropped)
        return head.element
    }

    @inlinable mutating func dropCancelledHead(_ dropped: inout [Element]) {
        while !cancelled.isEmpty, let head = heap.first, cancelled.remove(head.sequence) != nil {
            dropped.append(head.element)
            removeHead()
        }
    }

    @inlinable mutating func removeHead() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        siftDown(0)
    }

    @inlinable mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].precedes(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    @inlinable mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let right = left + 1
            let child = right < heap.count && heap[right].precedes(heap[left]) ? right : left
            guard heap[child].precedes(heap[parent]) else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}

extension DeadlineQueue: Sendable where Element: Sendable {}
extension DeadlineQueue.Entry: Sendable where Element: Sendable {}
