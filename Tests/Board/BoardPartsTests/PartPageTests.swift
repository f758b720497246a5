import BoardParts
import Foundation
import Testing

@Suite struct PartPageTests {
    /// `espbench parts --all >> Firmware/PARTS.md`, after its introduction.
    @Test func theReferenceHasThePageOfEachPart() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../Firmware/PARTS.md").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        let pages = PartCatalogue.builtIn.map(\.page).joined(separator: "\n")
        #expect(text.hasSuffix("\n\n" + pages), "Firmware/PARTS.md is not up to date")
    }

    @Test func aPageHasTheWiringTheQuantitiesAndTheExample() throws {
        let page = try #require(PartCatalogue.kind(named: "divider")).page
        for text in ["## divider\n", "  mine: {part: divider, pin: 25", "| `voltage` | 0 to ", "| `ratio` | "] {
            #expect(page.contains(text), "\(text)")
        }
    }
}
