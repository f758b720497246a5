import MonotonicTime

/// The part of a suite to run: its selected cases, in the order of the file.
public struct SuitePlan: Hashable, Sendable {
    /// The cases.
    public var cases: [CasePlan] = []
    /// The number of cases with a selected name, or with an instance that has one.
    public var namedCases = 0
    /// The number of these cases that have the selected tags.
    public var taggedCases = 0
    /// True if any case of the suite, even an unselected one, needs an eavesdropper. Determined once, not for every
    /// bench.
    var isEavesdropping = false

    /// An empty plan.
    public init() {}

    /// The number of selected instances.
    public var instanceCount: Int { cases.reduce(0) { $0 + $1.instances.count } }
}

/// The instances of a case to run.
public struct CasePlan: Hashable, Sendable {
    /// The case's index in ``Suite/cases``.
    public var index: Int
    /// The instances that run; never empty.
    public var instances: InstanceIndices
    /// The number of instances from which the sample was drawn; `nil`: no sample.
    public var sampledFrom: Int?

    /// Selects instances of a case.
    public init(index: Int, instances: InstanceIndices, sampledFrom: Int? = nil) {
        self.index = index
        self.instances = instances
        self.sampledFrom = sampledFrom
    }
}

/// Indices of instances in a case's ``ParameterMatrix``, ascending. A selection of all indices takes no memory.
public struct InstanceIndices: RandomAccessCollection, Hashable, Sendable {
    private enum Storage: Hashable, Sendable {
        case first(Int)
        case chosen([Int])
    }

    private let storage: Storage

    /// The indices of all instances of a matrix with `count` instances.
    public init(count: Int) {
        storage = .first(count)
    }

    /// A selection of these indices, which are in ascending order.
    public init(_ indices: [Int]) {
        storage = .chosen(indices)
    }

    /// The position of the first index.
    public var startIndex: Int { 0 }

    /// The position after the last index.
    public var endIndex: Int {
        switch storage {
        case .first(let count): count
        case .chosen(let indices): indices.count
        }
    }

    /// The index at a position.
    public subscript(position: Int) -> Int {
        switch storage {
        case .first: position
        case .chosen(let indices): indices[position]
        }
    }

    /// A random sample of at most `size` indices, uniformly distributed, in ascending order; the same seed and label
    /// give the same sample (R. W. Floyd: Programming Pearls, CACM 30, 1987).
    func sample(_ size: Int, seed: UInt64, of label: String) -> InstanceIndices {
        guard size < count else { return self }
        var random = SeededRandom(seed: seed).fork("sample \(label)")
        var positions: Set<Int> = []
        for last in (count - size)..<count {
            let position = Int.random(in: 0...last, using: &random)
            positions.insert(positions.contains(position) ? last : position)
        }
        return InstanceIndices(positions.sorted().map { self[$0] })
    }
}
