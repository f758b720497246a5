import Foundation

/// The groups of the user who runs this process.
enum UserGroups {
    /// Their names.
    static var names: Set<String> {
        let count = getgroups(0, nil)
        guard count >= 0 else { return [] }
        var identifiers = [gid_t](repeating: 0, count: Int(count))
        guard getgroups(count, &identifiers) >= 0 else { return [] }
        return Set(
            (identifiers + [getegid()]).compactMap { identifier in
                getgrgid(identifier).flatMap { $0.pointee.gr_name }.map { String(cString: $0) }
            })
    }
}
