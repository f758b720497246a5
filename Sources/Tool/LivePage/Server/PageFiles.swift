/// The files of the page, which are in the program itself.
enum PageFiles {
    /// A file: its media type and its bytes.
    struct File {
        var type: String
        var bytes: [UInt8]
    }

    private static let script = "text/javascript; charset=utf-8"
    private static let style = "text/css; charset=utf-8"

    /// The file at a path below the token; `nil`: there is none.
    static func file(at path: String) -> File? {
        switch path {
        case "/": File(type: "text/html; charset=utf-8", bytes: PackageResources.index_html)
        case "/app.js": File(type: script, bytes: PackageResources.app_js)
        case "/app.css": File(type: style, bytes: PackageResources.app_css)
        default: nil
        }
    }
}
