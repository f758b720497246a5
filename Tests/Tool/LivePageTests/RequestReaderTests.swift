import Testing

@testable import LivePage
