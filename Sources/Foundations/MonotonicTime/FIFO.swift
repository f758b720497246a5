/// A first-in, first-out queue that reuses its storage, without an allocation per element.
public struct FIFO<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0

    /// An empty queue.
    @inlinable public init() {}

    /// The number of elements.
    @inlinable public var count: Int { elements.count - head }

    /// True if the queue is empty.
    @inlinable public var isEmpty: Bool { head == elements.count }

    /// The oldest element.
    @inlinable public var first: Element? { isEmpty ? nil : elements[head] }

    /// Adds an element at the end.
    @inlinable public mutating func append(_ element: consuming Element) {
        elements.append(element)
    }

    /// Adds an element at the front.
    @inlinable public mutating func prepend(_ element: consuming Element) {
        if head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    /// Removes and returns the oldest element, without keeping a reference to it.
    @inlinable public mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            removeAll()
        } else if head >= 64, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Removes every element.
    @inlinable public mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        head = 0
    }
}
