/// A fault of NimBLE-Arduino's own that AddressSanitizer finds in every sketch, whatever the sketch does.
///
/// The library is not the user's to mend: each such fault is named here, and exempted in its function alone. All other
/// functions of the same file are checked, and so is this one in versions that are not named.
struct KnownLibraryFault: Sendable {
    /// The file below the library's `src`.
    let file: String
    /// A function without parameters, written `(void)` where it is defined and `()` where it is called.
    let function: String
    /// The versions with the fault, as major and minor number: each was read.
    let versions: Set<String>
    /// The fault, and why it does no harm.
    let reason: String

    static let all = [
        KnownLibraryFault(
            file: "nimble/nimble/host/store/config/src/ble_store_nvs.c", function: "ble_nvs_restore_sec_keys",
            versions: ["2.1", "2.2", "2.3", "2.4", "2.5", "3.0"],
            reason: """
                Without bonds it reads the bond_count before the first element of ble_store_config_our_secs and of \
                ble_store_config_peer_secs (lines 587 and 588 of 2.5.1), at each start. The values only number later \
                bonds, which are compared with each other.
                """)
    ]

    /// Those of the file `source` of `library`.
    static func of(_ source: String, _ library: Library) -> [KnownLibraryFault] {
        let version = library.version.split(separator: ".").prefix(2).joined(separator: ".")
        return all.filter { source == "\(library.folder)/src/\($0.file)" && $0.versions.contains(version) }
    }

    /// The compiler's flags: a macro puts the attribute before the definition, and nothing before calls.
    var flags: [String] {
        [
            "-D\(function)(list)=ESPBENCH_UNCHECKED_##list \(function)(list)", "-DESPBENCH_UNCHECKED_=",
            "-DESPBENCH_UNCHECKED_void=__attribute__((no_sanitize_address))",
        ]
    }
}
