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

    /// An entry, without its element: the heap is sorted without retaining and releasing what elements refer to.
    @usableFromInline struct Entry: Sendable {
        @usableFromInline let deadline: Int64
        @usableFromInline let sequence: UInt64
        /// The index of its element.
        @usableFromInline let slot: Int

        @usableFromInline init(deadline: Int64, sequence: UInt64, slot: Int) {
            self.deadline = deadline
            self.sequence = sequence
            self.slot = slot
        }

        @inlinable func precedes(_ other: Entry) -> Bool {
            deadline != other.deadline ? deadline < other.deadline : sequence < other.sequence
        }
    }

    @usableFromInline var heap: [Entry] = []
    @usableFromInline var slots: [Element?] = []
    @usableFromInline var freeSlots: [Int] = []
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
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
            slots[slot] = element
        } else {
            slot = slots.count
            slots.append(element)
        }
        heap.append(Entry(deadline: deadline.nanoseconds, sequence: sequence, slot: slot))
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
        let element = removeHead()
        dropCancelledHead(&dropped)
        return element
    }

    @inlinable mutating func dropCancelledHead(_ dropped: inout [Element]) {
        while !cancelled.isEmpty, let head = heap.first, cancelled.remove(head.sequence) != nil {
            if let element = removeHead() { dropped.append(element) }
        }
    }

    /// Removes the first entry of the heap, which is not empty; returns its element.
    @inlinable mutating func removeHead() -> Element? {
        let slot = heap[0].slot
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            siftDown(0)
        }
        freeSlots.append(slot)
        return slots[slot].take()
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
